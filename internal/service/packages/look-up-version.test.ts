import { expect, test } from 'vitest'
import { leastLongestTurnMs } from '../../../test/support/longest-turn.ts'
import { createVersionLookUp } from './look-up-version.ts'

const WANTED = { name: 'large', version: '1.0.0', subpath: undefined }
const SOURCE = { registry: 'https://npm.example/', token: null, isTrusted: false, owner: 'shop' }
const DIST = { shasum: 'ab'.repeat(20) }

const lookUp = (description: Readonly<Record<string, unknown>>) => {
  const bytes = new TextEncoder().encode(JSON.stringify(description))
  return createVersionLookUp()({ fetch: async () => bytes, close: () => undefined })(WANTED, SOURCE)
}

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${at}`, '1']))

test('a version is known by its hash, and needs a lock file if it has dependencies', async () => {
  expect(await lookUp({ ...many(20_000), dist: DIST })).toMatchObject({
    integrity: { algorithm: 'sha1' },
  })
  await expect(lookUp({ dist: DIST, dependencies: many(20_000) })).rejects.toMatchObject({
    code: 'needs_lock_file',
  })
})

test.each([
  ['values', { dist: DIST, ...many(500_000) }],
  ['characters', { dist: DIST, readme: 'x'.repeat(30_000_000) }],
  ['hashes', { dist: { integrity: 'sha512-a '.repeat(400_000) } }],
  ['dependencies', { dist: DIST, dependencies: many(25_000) }],
])('a hostile description with many %s is refused without a long turn', async (_, description) => {
  const bytes = new TextEncoder().encode(JSON.stringify(description))
  const find = createVersionLookUp()({ fetch: async () => bytes, close: () => undefined })
  const refused = () =>
    expect(find(WANTED, SOURCE)).rejects.toMatchObject({ kind: 'unprocessable' })
  expect(await leastLongestTurnMs(refused)).toBeLessThan(50)
})
