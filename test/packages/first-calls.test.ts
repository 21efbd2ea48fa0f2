/**
 * Packages that many apps import. Each comes from npm's registry by the lock file, is bundled as a deploy does, loads in a
 * job and makes its first call. packages.test.ts has the packages that send requests to a server or write a log.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BundledEntry } from '#bundle/bundle-entries.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { bubblewrapProvider, denoProvider, openPool, runJob } from '../sandbox/job.ts'
import { isLong } from '../support/runs.ts'
import { bundleFromLock } from './bundle-from-lock.ts'
import { CALLS } from './calls.ts'
import { FIRST_CALLS, NATIVE } from './first-calls.ts'

const PACKAGES_MS = 240_000

let os: Sandbox
let runtime: Sandbox
beforeAll(() => {
  os = openPool(bubblewrapProvider())
  runtime = openPool(denoProvider())
})
afterAll(() => Promise.all([os.close(), runtime.close()]))

const run = async (pool: Sandbox, entry: BundledEntry | undefined): Promise<unknown> => {
  if (entry === undefined) throw new Error('It was not bundled.')
  const { outcome, log } = await runJob(pool, {
    ...(await entry.loadCode()),
    commit: entry.hash,
    limits: { memoryMb: 512, timeoutMs: 25_000 },
  })
  if (outcome.kind !== 'success') throw new Error(`${JSON.stringify(outcome)} ${log}`)
  return JSON.parse(outcome.resultJson)
}

describe.each(Object.entries(FIRST_CALLS))('packages for %s', (_part, calls) => {
  let entries: ReadonlyMap<string, BundledEntry>
  beforeAll(async () => {
    const sources = Object.entries(calls).map(([name, { code }]) => [name, code])
    entries = await bundleFromLock(Object.fromEntries(sources))
  }, PACKAGES_MS)

  // both levels have the same guest: the short form runs only some packages of each part on the second one
  const names = Object.keys(calls).map((name, at) => [name, isLong || at % 4 === 0] as const)
  it.each(names)('%s loads and answers its first call', async (name, isTwice) => {
    const expected = calls[name]?.result
    expect(await run(os, entries.get(name))).toEqual(expected)
    if (isTwice) expect(await run(runtime, entries.get(name))).toEqual(expected)
  })
})

it.each(NATIVE)(
  '%s is refused by name: it is a native addon',
  async (name) => {
    const bundled = bundleFromLock({
      native: `import it from '${name}'\nexport const main = () => it`,
    })
    await expect(bundled).rejects.toMatchObject({
      code: 'unbundlable',
      details: expect.arrayContaining([
        expect.objectContaining({
          message: expect.stringContaining(`"${name}" is a native addon`),
        }),
      ]),
    })
  },
  PACKAGES_MS,
)

it(
  '@prisma/client without its generated code is refused, naming what is missing',
  async () => {
    const bundled = bundleFromLock({
      prisma: `import { PrismaClient } from '@prisma/client'\nexport const main = () => PrismaClient.name`,
    })
    const message = expect.stringContaining('Cannot find the package ".prisma/client/default"')
    await expect(bundled).rejects.toMatchObject({
      details: [expect.objectContaining({ message })],
    })
  },
  PACKAGES_MS,
)

it('no package of the project is left out', () => {
  const text = readFileSync(join(import.meta.dirname, 'project/package.json'), 'utf8')
  const { dependencies } = JSON.parse(text)
  const called = [
    ...Object.values(FIRST_CALLS).flatMap((calls) => Object.keys(calls)),
    ...Object.keys(CALLS),
    ...NATIVE,
    '@prisma/client',
  ]
  expect(called.toSorted()).toEqual(Object.keys(dependencies).toSorted())
  expect(called).toHaveLength(33)
})
