import { mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBundleCache } from './bundle-cache.ts'
import { hashBundle } from './bundle-hash.ts'
import { runSteps } from './steps.ts'

let folder = ''
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'svc-bundles-')), 'bundles')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const bundleOf = (text: string) => {
  const bundle = { code: `export const main = () => '${text}'`, sourceMap: '{"ü":1}' }
  return { bundle, hash: runSteps(hashBundle(bundle)) }
}
const open = (maxBytes = 1_000_000) => createBundleCache({ folder, maxBytes })

test('a cached bundle is found, also by another process', async () => {
  const { bundle, hash } = bundleOf('a')
  expect(await open().find(hash)).toBeNull()
  await open().keep(hash, bundle)
  expect(await open().find(hash)).toEqual(bundle)
})

test.each([
  ['changed', (path: string) => writeFileSync(path, 'export const main = evil\0{}')],
  ['cut short', (path: string) => truncateSync(path, 5)],
  ['emptied', (path: string) => truncateSync(path, 0)],
])('a file that was %s is not used and deleted', async (_, harm) => {
  const { bundle, hash } = bundleOf('a')
  const cache = open()
  await cache.keep(hash, bundle)
  harm(join(folder, hash))
  expect(await cache.find(hash)).toBeNull()
  expect(readdirSync(folder)).toEqual([])
})

test('the least recently used bundles are deleted when the cache is full', async () => {
  const cache = open(400)
  const made = ['a', 'b', 'c', 'd'].map((name) => bundleOf(name.repeat(50)))
  for (const [at, { bundle, hash }] of made.entries()) {
    await cache.keep(hash, bundle)
    utimesSync(join(folder, hash), at, at)
    // the first bundle is used again and again
    if (at > 0) await cache.find(made[0]?.hash ?? '')
  }
  const { bundle, hash } = bundleOf('e'.repeat(50))
  await cache.keep(hash, bundle)
  expect(await cache.find(hash)).toEqual(bundle)
  expect(await cache.find(made[0]?.hash ?? '')).not.toBeNull()
  expect(await cache.find(made[1]?.hash ?? '')).toBeNull()
  expect(readdirSync(folder).length).toBeLessThan(5)
})

test('an invalid hash finds nothing, and a failing disk is not an error', async () => {
  const { bundle } = bundleOf('a')
  const cache = open()
  await cache.keep('../evil', bundle)
  expect(await cache.find('../../etc/passwd')).toBeNull()
  const nowhere = createBundleCache({ folder: join(import.meta.filename, 'bundles'), maxBytes: 1 })
  await nowhere.keep(runSteps(hashBundle(bundle)), bundle)
  expect(await nowhere.find(runSteps(hashBundle(bundle)))).toBeNull()
})
