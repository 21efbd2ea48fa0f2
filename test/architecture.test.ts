/** Checks the rules for the source: which files import which, how large a file may be, and how it may be named. */
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#config/config.ts'
import packageJson from '../package.json' with { type: 'json' }
import { ROOT, readSource } from './support/repository.ts'

const { dependencies } = packageJson

/** Tracked files and those that are not committed yet, but not those in .gitignore. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /^(cmd|internal|sdk|examples|test|web)\/.*\.tsx?$/.test(path))

const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.startsWith('test/')
const isGenerated = (path: string): boolean => path.includes('.gen.')
const source = files.filter((path) => !isTest(path) && !isGenerated(path))

test('each module imports only what the table allows, and nothing in a circle', () => {
  const cruiser = join(ROOT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs')
  const answer: { summary: { violations: unknown[]; totalCruised: number } } = JSON.parse(
    execFileSync(
      process.execPath,
      [cruiser, '--config', '.dependency-cruiser.cjs', '-T', 'json', 'internal', 'cmd', 'sdk'],
      { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    ),
  )
  expect(answer.summary.violations).toEqual([])
  // a cruiser that cannot read TypeScript would find no violations; it cannot read JSX
  const cruised = source.filter((path) => !path.startsWith('web/'))
  expect(answer.summary.totalCruised).toBeGreaterThan(cruised.length)
})

describe('the console', () => {
  const imports = files
    .filter((path) => path.startsWith('web/') && !isTest(path))
    .flatMap((from) =>
      [...readSource(from).matchAll(/(?:^import|\bfrom|\bimport\() ?'([^']+)'/gm)].map(
        ([, to = '']) => ({
          from,
          to: to.startsWith('.') ? join(dirname(from), to) : to,
        }),
      ),
    )

  test('knows svc by its API alone: of the rest it imports the SDK and nothing else', () => {
    const foreign = imports.filter(
      ({ to }) =>
        (to.startsWith('#') && !to.startsWith('#sdk/')) || /^(cmd|internal|test)\//.test(to),
    )
    expect(foreign).toEqual([])
    // if imports are written differently, the pattern above must change too
    expect(imports.length).toBeGreaterThan(100)
  })

  test('has pages that know no other page but its columns, and parts that know no page', () => {
    const pageOf = (path: string): string | null =>
      /^web\/src\/pages\/([^/]+)\//.exec(path)?.[1] ?? null
    const crossed = imports.filter(
      ({ from, to }) =>
        pageOf(to) !== null &&
        pageOf(to) !== pageOf(from) &&
        from !== 'web/src/routes.ts' &&
        !to.endsWith('/columns.tsx'),
    )
    expect(crossed).toEqual([])
  })

  test('has parts without knowledge of svc, which import nothing above them', () => {
    const isPart = (path: string): boolean => /^web\/src\/(browser|language|theme|ui)\//.test(path)
    const upward = imports.filter(
      ({ from, to }) => isPart(from) && to.startsWith('web/src/') && !isPart(to),
    )
    expect(upward).toEqual([])
  })

  test('takes the time from the server, and uses the clock of the browser only to measure intervals', () => {
    const own = files.filter(
      (path) =>
        /^web\/src\/.*(?<!\.test)\.tsx?$/.test(path) && /\bDate\.now\(\)/.test(readSource(path)),
    )
    expect(own).toEqual([
      'web/src/browser/server-clock.ts',
      'web/src/live/read-interval.ts',
      'web/src/live/use-live-list.ts',
      'web/src/session/api.ts',
    ])
  })

  test('imports only packages that docs/dependencies.md names as parts of the product', () => {
    const names = imports
      .filter(({ to }) => !to.startsWith('#') && !to.startsWith('web/') && !to.startsWith('sdk/'))
      .map(({ to }) => to.split('/', to.startsWith('@') ? 2 : 1).join('/'))
    expect([...new Set(names)].filter((name) => !Object.hasOwn(dependencies, name))).toEqual([])
  })
})

test('svc --help loads yargs and nothing else: commands load when they are called', () => {
  const packages = new Set<string>()
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    const imports = readSource(path).matchAll(/^import [^']+ from '(.+?)'/gm)
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

test('folders with those above them are made by makeFolder, which always returns', () => {
  const byNode = source.filter(
    (path) =>
      /^(cmd\/svc|internal)\//.test(path) &&
      // this folder imports only itself, and creates folders below those of svc
      !path.startsWith('internal/sandbox/linux/') &&
      /\bmkdir(Sync)?\([^\n]*recursive: true/.test(readSource(path)),
  )
  expect(byNode).toEqual([])
})

test('no source file passes 400 lines, no test file 600', () => {
  const tooLong = files
    .filter((path) => !isGenerated(path))
    .map((path) => ({ path, lines: readSource(path).split('\n').length - 1 }))
    .filter(({ path, lines }) => lines > (isTest(path) ? 600 : 400))
  expect(tooLong).toEqual([])
})

test('no name is empty of meaning', () => {
  const empty = /(^|\/)(utils?|helpers?|common|misc|managers?|types|index)(\/|\.tsx?$)/
  // the manifest does not name the file of a function
  const ofFunction = /^examples\/[^/]+\/functions\/[^/]+\/index\.ts$/
  expect(files.filter((path) => empty.test(path) && !ofFunction.test(path))).toEqual([])
})

test('files and folders are named in kebab-case', () => {
  const named = /^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.(test|gen|binary|d))?\.tsx?$/
  expect(files.filter((path) => !named.test(path))).toEqual([])
})

test('only store contains SQL, and examples that show a database', () => {
  const statement = /['"`](SELECT|INSERT INTO|UPDATE|DELETE FROM|PRAGMA)\s/
  const outside = source.filter(
    (path) => !/^(internal\/store|examples)\//.test(path) && statement.test(readSource(path)),
  )
  expect(outside).toEqual([])
})

describe('the status of jobs and flow runs', () => {
  const store = source.filter((path) => path.startsWith('internal/store/'))
  /** Matches an UPDATE that sets the status, or that sets columns built elsewhere. */
  const setsStatusOf = (table: string): RegExp =>
    new RegExp(
      `UPDATE ${table}\\b(?:(?!SET)[\\s\\S])*SET\\s+(?:\\$\\{|(?:(?!WHERE|\`)[\\s\\S])*?\\bstatus\\s*=)`,
    )

  test('is changed by the statements that are built from the state tables, and no others', () => {
    const writers = (table: string) =>
      store.filter((path) => setsStatusOf(table).test(readSource(path)))
    expect(writers('jobs')).toEqual(['internal/store/jobs/transition.ts'])
    expect(writers('flow_runs')).toEqual(['internal/store/flows/run-transition.ts'])
  })

  test('begins in one place: a job is inserted by one statement, for one use case', () => {
    expect(store.filter((path) => /INSERT INTO jobs\b/.test(readSource(path)))).toEqual([
      'internal/store/jobs/insert.ts',
    ])
    const callers = source.filter((path) => /\binsertJob\(/.test(readSource(path)))
    expect(callers).toEqual(['internal/service/queue/enqueue.ts'])
  })
})

test('no type is forced, and no finding is silenced without a reason', () => {
  const doors = /\bas any\b|\bas unknown as\b|@ts-(ignore|expect-error|nocheck)/
  expect(source.filter((path) => doors.test(readSource(path)))).toEqual([])
})

test('every setting is used', () => {
  const wiring = source
    .filter((path) => /^(cmd|internal\/node)\//.test(path) || path === 'internal/config/config.ts')
    .map(readSource)
    .join('\n')
  const isRead = (name: string): boolean => new RegExp(`\\bconfig\\.${name}\\b`).test(wiring)
  const wrong = SETTINGS.filter(({ name }) => !isRead(name))
  expect(wrong.map(({ meta }) => meta.env)).toEqual([])
})
