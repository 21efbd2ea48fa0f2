/**
 * Guides are true: their commands run in order with a real node and print what the page shows, excerpts of an example are
 * in its tested files, and their TypeScript compiles.
 */
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guideBlocks, isExcerpt, isPrinted, scriptOf, stepsOf } from './support/guide-blocks.ts'
import {
  lockFileOf,
  type PackageRegistry,
  packInstalled,
  type StubPackage,
  startPackageRegistry,
} from './support/package-registry.ts'
import { ROOT, readSource } from './support/repository.ts'
import { PROGRAM, type SvcProcess, startSvc } from './support/svc-process.ts'
import { typeCheck } from './support/type-check.ts'

const run = promisify(execFile)

const GUIDES = globSync('docs/guides/*.md', { cwd: ROOT })
  .toSorted()
  .map((path) => ({
    name: basename(path, '.md'),
    blocks: guideBlocks(readSource(path)),
  }))

const folder = mkdtempSync(join(tmpdir(), 'svc-guides-'))
let node: SvcProcess
let registry: PackageRegistry
let env: Readonly<Record<string, string>>

/** dist/svc if it is built, because it starts in half the time; otherwise the source. */
const layOutProgram = (): string => {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const binary = join(ROOT, 'dist', 'svc')
  if (existsSync(binary)) symlinkSync(binary, join(bin, 'svc'))
  else {
    const words = PROGRAM.map((word) => `'${word}'`).join(' ')
    writeFileSync(join(bin, 'svc'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 })
  }
  return bin
}

/** Examples with a lock file get a new one with what this registry serves. No other package is fetched. */
let packages: readonly StubPackage[]

beforeAll(async () => {
  const bin = layOutProgram()
  registry = await startPackageRegistry()
  packages = [await packInstalled('postgres')]
  for (const each of [...packages, await packInstalled('hono')]) registry.add(each)
  node = startSvc(['start'], {
    cwd: folder,
    program: [join(bin, 'svc')],
    env: { SVC_RATE_RUN_PER_S: '0', SVC_RATE_OTHER_PER_S: '0', SVC_NPM_REGISTRY: registry.url },
  })
  const [, url = ''] = await node.untilSaid(/"url":"(http:\/\/[^"]+)"/)
  const base = {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    HOME: folder,
    SVC_URL: url,
    SVC_NPM_REGISTRY: registry.url,
  }
  const token = await run('svc', ['create-token', 'default', 'admin@localhost'], {
    cwd: folder,
    env: base,
  })
  env = { ...base, SVC_TOKEN: token.stdout.trim() }
}, 120_000)

afterAll(async () => {
  await node?.stop()
  await registry?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A guide about an example begins in a copy of it, any other guide where the node was started. */
const placeOf = ({ name, blocks }: (typeof GUIDES)[number]): string => {
  const example = blocks.find(isExcerpt)?.path?.split('/')[1]
  if (example === undefined) return folder
  const place = join(folder, name, example)
  cpSync(join(ROOT, 'examples', example), place, { recursive: true })
  const lock = join(place, 'package-lock.json')
  if (existsSync(lock)) writeFileSync(lock, lockFileOf(packages))
  return place
}

const withExcerpts = GUIDES.filter(({ blocks }) => blocks.some(isExcerpt))

test.each(withExcerpts)('the guide $name shows what is in its example', ({ blocks }) => {
  for (const { path, body } of blocks.filter(isExcerpt)) {
    expect(readSource(path ?? ''), path ?? '').toContain(body.trimEnd())
  }
})

const withCommands = GUIDES.filter(({ blocks }) => scriptOf(blocks) !== '')

test.each(withCommands)(
  'the guide $name shows commands that run, and what they print',
  async ({ name, blocks }) => {
    const script = `exec 2>&1\n${scriptOf(blocks)}`
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: placeOf({ name, blocks }),
      env,
      timeout: 100_000,
    }).catch((error: unknown) => {
      const { stdout: printed } = error as { stdout: string }
      throw new Error(`The commands of ${name} failed. They printed:\n${printed}`, { cause: error })
    })
    for (const { commands, printed, expected } of stepsOf(blocks, stdout)) {
      const lost = expected.filter((line) => !isPrinted(printed, line))
      expect(lost, `${commands}printed:\n${printed}`).toEqual([])
    }
  },
  120_000,
)

/** The compiler finds packages by their names only: `npm:hono@4.13.19` is `hono`. */
const withoutVersions = (body: string): string =>
  body.replaceAll(/'npm:(@?[\w/-]+)@[\d.]+'/g, "'$1'")

test('TypeScript in guides compiles', async () => {
  const files = GUIDES.flatMap(({ name, blocks }) =>
    blocks
      .filter((block) => block.language === 'ts' && !isExcerpt(block))
      .map(({ path, body }) => [`${name}/${path}`, withoutVersions(body)] as const),
  )
  expect(files.filter(([path]) => path.endsWith('/null'))).toEqual([])
  expect(await typeCheck(Object.fromEntries(files))).toEqual([])
}, 120_000)
