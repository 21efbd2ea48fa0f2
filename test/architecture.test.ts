/** The house holds its own rules: who imports whom, how large a file may grow, what it may be called. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { SETTINGS } from '#config/config.ts'

const ROOT = resolve(import.meta.dirname, '..')

/** Tracked files, and those that are not committed yet; never what .gitignore names. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /^(cmd|internal|sdk|examples|test)\/.*\.ts$/.test(path))

const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.startsWith('test/')
const isGenerated = (path: string): boolean => path.includes('.gen.')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const source = files.filter((path) => !isTest(path) && !isGenerated(path))

test('each room imports only what the table allows, and nothing in a circle', () => {
  const cruiser = join(ROOT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs')
  const answer: { summary: { violations: unknown[]; totalCruised: number } } = JSON.parse(
    execFileSync(
      process.execPath,
      [cruiser, '--config', '.dependency-cruiser.cjs', '-T', 'json', 'internal', 'cmd', 'sdk'],
      { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    ),
  )
  expect(answer.summary.violations).toEqual([])
  // a cruiser that cannot read TypeScript finds no fault in anything
  expect(answer.summary.totalCruised).toBeGreaterThan(source.length)
})

test('svc --help loads yargs and nothing else: commands load when they are called', () => {
  const packages = new Set<string>()
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    const imports = read(path).matchAll(/^import (?:\{[^}]*\}|[\w* ]+) from '(.+?)'/gm)
    for (const [line, to = ''] of imports) {
      if (line.startsWith('import type')) continue
      if (to.startsWith('node:') || to.endsWith('.json')) continue
      if (to.startsWith('#')) visit(`internal/${to.slice(1)}`)
      else if (to.startsWith('.')) visit(join(dirname(path), to))
      else packages.add(to)
    }
  }
  visit('cmd/svc/main.ts')
  expect([...packages]).toEqual(['yargs'])
  expect(seen.size).toBeGreaterThan(4)
  expect(seen.size).toBeLessThan(10)
})

test('no source file passes 400 lines, no test file 600', () => {
  const tooLong = files
    .filter((path) => !isGenerated(path))
    .map((path) => ({ path, lines: read(path).split('\n').length - 1 }))
    .filter(({ path, lines }) => lines > (isTest(path) ? 600 : 400))
  expect(tooLong).toEqual([])
})

test('no name says nothing', () => {
  const empty = /(^|\/)(utils?|helpers?|common|misc|managers?|types|index)(\/|\.ts$)/
  expect(files.filter((path) => empty.test(path))).toEqual([])
})

test('files and folders are named in kebab-case', () => {
  const named = /^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.(test|gen|binary|d))?\.ts$/
  expect(files.filter((path) => !named.test(path))).toEqual([])
})

test('SQL stands in store alone', () => {
  const statement = /['"`](SELECT|INSERT INTO|UPDATE|DELETE FROM|PRAGMA)\s/
  const outside = source.filter(
    (path) => !path.startsWith('internal/store/') && statement.test(read(path)),
  )
  expect(outside).toEqual([])
})

test('no type is forced, and no finding is silenced without a reason', () => {
  const doors = /\bas any\b|\bas unknown as\b|@ts-(ignore|expect-error|nocheck)/
  expect(source.filter((path) => doors.test(read(path)))).toEqual([])
})

test('every setting is read by somebody', () => {
  const wiring = source
    .filter((path) => path.startsWith('cmd/') || path === 'internal/config/config.ts')
    .map(read)
    .join('\n')
  const isRead = (name: string): boolean => new RegExp(`\\bconfig\\.${name}\\b`).test(wiring)
  const wrong = SETTINGS.filter(({ name }) => !isRead(name))
  expect(wrong.map(({ meta }) => meta.env)).toEqual([])
})
