import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { toAppFiles } from '../../test/support/app-files.ts'
import { createPackedPackages, packagesKey } from './packed-packages.ts'

const APP = {
  'app.yaml': 'key: a',
  'package-lock.json': '{}',
  'main.ts': "import { z } from 'zod'\nexport const main = () => 1\n",
}
const keyWith = (changed: Readonly<Record<string, string>>) =>
  packagesKey(toAppFiles({ ...APP, ...changed }))

describe('the key of what packages add to an archive', () => {
  it('stays while the code changes in other lines than those that name packages', () => {
    const others = "import { z } from 'zod'\n// Other\nexport const main = () => 'Two words, 2'\n"
    expect(keyWith({ 'main.ts': others })).toBe(keyWith({}))
  })

  it.each([
    ['another package is imported', { 'main.ts': `${APP['main.ts']}import 'pg'\n` }],
    ['another file of a package is', { 'main.ts': APP['main.ts'].replace('zod', 'zod/v4') }],
    [
      'a name becomes one that is required',
      { 'main.ts': "import { z } from 'zod'\nrequire('zod')" },
    ],
    ['the lock file changes', { 'package-lock.json': '{"a":1}' }],
    ['the manifest does', { 'app.yaml': 'key: b' }],
    ['a file is added', { 'lib/more.ts': '' }],
  ])('changes when %s', (_, changed) => {
    expect(keyWith(changed)).not.toBe(keyWith({}))
  })

  it('distinguishes a name in a call from the same name in another call', () => {
    const call = (name: string) => keyWith({ 'main.ts': `try { ${name}('pg') } catch {}` })
    expect(call('log')).not.toBe(call('load'))
  })

  it('is none where the folder has its node_modules', () => {
    expect(keyWith({ 'node_modules/zod/index.js': '' })).toBeNull()
  })
})

describe('a remembered part', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-packed-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const packed = createPackedPackages(join(folder, 'packed'))
  const part = new TextEncoder().encode('the part')

  it('is found again by its key', async () => {
    expect(await packed.find('k')).toBeNull()
    await packed.keep('k', part)
    expect(await packed.find('k')).toEqual(part)
  })

  it('is not used once it is damaged', async () => {
    const [name = ''] = readdirSync(join(folder, 'packed'))
    writeFileSync(join(folder, 'packed', name), 'short')
    expect(await packed.find('k')).toBeNull()
  })

  it('is left out where the disk takes nothing', async () => {
    writeFileSync(join(folder, 'file'), '')
    const unwritable = createPackedPackages(join(folder, 'file', 'packed'))
    await unwritable.keep('k', part)
    expect(await unwritable.find('k')).toBeNull()
  })
})
