import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { MIB } from '#core/byte-units.ts'
import { makeArchive, makeTar } from '../../test/support/bundle-archive.ts'
import { leastLongestTurnMs } from '../../test/support/longest-turn.ts'
import { newPackageBudget, readPackageArchive } from './package-archive.ts'

const typed = async () => ({
  what: 'typed@1.0.0',
  bytes: await makeArchive([
    { header: { name: 'package/index.js' }, content: 'x'.repeat(500) },
    { header: { name: 'package/index.d.ts' }, content: 'x'.repeat(50_000) },
    { header: { name: 'package/index.js.map' }, content: 'x'.repeat(50_000) },
  ]),
})

it('types and source maps of a package count only against the limit of what is unpacked', async () => {
  const budget = { ...newPackageBudget(), bytes: 600 }
  expect([...(await readPackageArchive(await typed(), budget)).keys()]).toEqual(['index.js'])
  expect(budget.bytes).toBe(100)
})

it.each([{ bytes: 400 }, { files: 2 }, { unpacked: 90_000 }])(
  'a package beyond the limit %j is refused by its name',
  async (left) => {
    const read = readPackageArchive(await typed(), { ...newPackageBudget(), ...left })
    await expect(read).rejects.toMatchObject({
      code: 'too_many_packages',
      message: expect.stringContaining('With typed@1.0.0, '),
    })
  },
)

it('a large file of a package blocks the event loop for less than 50 ms', async () => {
  const content = Buffer.alloc(64 * MIB)
  const bytes = await makeArchive([{ header: { name: 'package/model.bin' }, content }])
  const read = () => readPackageArchive({ what: 'big@1.0.0', bytes }, newPackageBudget())
  expect(await leastLongestTurnMs(read)).toBeLessThan(50)
})

it('a large header for all files of a package is not read for each of them', async () => {
  const records = Array.from({ length: 7_000 }, (_, at) => [at.toString(36).padStart(4, '0'), ''])
  const tar = await makeTar([
    { header: { name: 'package/all.js', pax: Object.fromEntries(records) }, content: '' },
    ...Array.from({ length: 300 }, (_, at) => ({
      header: { name: `package/${at}.js`, pax: { comment: 'own' } },
      content: '',
    })),
  ])
  // the first header of the archive becomes one for all files; its checksum is the sum of its bytes
  const sum = Number.parseInt(tar.toString('latin1', 148, 154), 8)
  tar.write(`${(sum - 'x'.charCodeAt(0) + 'g'.charCodeAt(0)).toString(8).padStart(6, '0')}`, 148)
  tar.write('g', 156)
  const archive = { what: 'many@1.0.0', bytes: gzipSync(tar) }
  const read = () => readPackageArchive(archive, newPackageBudget())
  expect((await read()).has('299.js')).toBe(true)
  expect(await leastLongestTurnMs(read)).toBeLessThan(50)
})
