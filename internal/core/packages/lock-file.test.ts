import { expect, test } from 'vitest'
import { parseLockFile, reachLocked } from './lock-file.ts'

const lockOf = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages })

/** A pause that counts its calls. */
const counter = () => {
  const counted = { pauses: 0, pause: () => Promise.resolve() }
  counted.pause = () => {
    counted.pauses += 1
    return Promise.resolve()
  }
  return counted
}

test('a large lock file is read in turns, and what it names is found in turns', async () => {
  const entries = Array.from({ length: 3_000 }, (_, n) => [
    `node_modules/p${n}`,
    { version: '1.0.0', dependencies: { [`p${n + 1}`]: '^1.0.0' } },
  ])
  const text = lockOf({ '': { dependencies: { p0: '1' } }, ...Object.fromEntries(entries) })
  const read = counter()
  const lock = await parseLockFile(text, 'package-lock.json', read.pause)
  expect([lock.packages.size, lock.wanted]).toEqual([3_000, { p0: '1' }])
  expect(read.pauses).toBeGreaterThanOrEqual(6)
  const found = counter()
  expect((await reachLocked(lock, ['p0'], found.pause)).size).toBe(3_000)
  expect(found.pauses).toBeGreaterThanOrEqual(6)
})

test.each([
  ['values', { 'node_modules/a': { version: '1.0.0', cpu: Array(100_001).fill(1) } }],
  [
    'lock file',
    {
      'node_modules/a': {
        version: '1.0.0',
        dependencies: Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`p${n}`, '1'])),
      },
    },
  ],
  ['bad name', { [`${'node_modules/a/'.repeat(50)}node_modules/a`]: { version: '1.0.0' } }],
  ['lock file', { 'node_modules/a': { version: '1.0.0', dependencies: { b: 1 } } }],
])(
  'a lock file that would take long to read, or is none, is refused: %s',
  async (text, packages) => {
    const reading = parseLockFile(lockOf(packages), 'package-lock.json', async () => undefined)
    await expect(reading).rejects.toThrow(text)
  },
)

test.each(['name', 'version', 'resolved', 'integrity'])('a long %s is refused', async (field) => {
  const packages = { 'node_modules/a': { version: '1.0.0', [field]: '1.0.0'.padEnd(3_000, '0') } }
  const text = JSON.stringify({ lockfileVersion: 3, packages })
  const read = parseLockFile(text, 'package-lock.json', async () => undefined)
  await expect(read).rejects.toMatchObject({ code: 'bad_lock_file' })
})

test('a development package is left out where it is only an optional peer, as by npm install --omit=dev', async () => {
  const optional = {
    peerDependencies: { tool: '*' },
    peerDependenciesMeta: { tool: { optional: true } },
  }
  const lockWith = (tool: object, client: object) =>
    parseLockFile(
      lockOf({
        'node_modules/client': { version: '1.0.0', ...client },
        'node_modules/tool': { version: '1.0.0', ...tool },
      }),
      'package-lock.json',
      async () => undefined,
    )
  const reach = async (tool: object, client: object, names: readonly string[] = ['client']) => {
    const found = await reachLocked(await lockWith(tool, client), names, async () => undefined)
    return [...found.keys()].map((path) => path.replace('node_modules/', '')).toSorted()
  }
  expect(await reach({ devOptional: true }, optional)).toEqual(['client'])
  expect(await reach({ dev: true }, optional)).toEqual(['client'])
  // the driver of a query builder
  expect(await reach({}, optional)).toEqual(['client', 'tool'])
  expect(await reach({ dev: true }, { peerDependencies: { tool: '*' } })).toEqual([
    'client',
    'tool',
  ])
  expect(await reach({ dev: true }, optional, ['tool', 'client'])).toEqual(['client', 'tool'])
})
