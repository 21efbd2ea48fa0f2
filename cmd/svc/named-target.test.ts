import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readTarget } from './named-target.ts'

const before = process.cwd()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'named-target-'))
  process.chdir(folder)
})
afterEach(() => {
  process.chdir(before)
  rmSync(folder, { recursive: true, force: true })
})

const read = (action: string) => readTarget({ action }, 'action')

test('a key alone is of the app of this folder', async () => {
  writeFileSync(join(folder, 'app.yaml'), 'key: shop\n')
  expect(await read('greet')).toEqual({ app: 'shop', key: 'greet' })
  expect(await read('other/greet')).toEqual({ app: 'other', key: 'greet' })
})

test('a key alone outside of the folder of an app is refused, with what to do', async () => {
  await expect(read('greet')).rejects.toThrow(
    'Name the app of "greet" too, as <app>/greet, or run this in the folder of the app.',
  )
})

test('a key alone next to the folder of an app is refused with its place', async () => {
  mkdirSync(join(folder, 'shop'))
  writeFileSync(join(folder, 'shop', 'app.yaml'), 'key: shop\n')
  await expect(read('greet')).rejects.toThrow('There is one nearby: cd shop')
})

test('a key alone in a folder whose app.yaml has a fault is refused with the fault', async () => {
  writeFileSync(join(folder, 'app.yaml'), 'key: [\n')
  await expect(read('greet')).rejects.toThrow('app.yaml:2:1: A "]" is missing before this.')
  // the app that the person names needs no file
  expect(await read('other/greet')).toEqual({ app: 'other', key: 'greet' })
})

test.each(['', '/', 'shop/', '/greet', 'a/b/c', '../greet', 'greet it', '한글'])(
  '%j is refused',
  async (given) => {
    writeFileSync(join(folder, 'app.yaml'), 'key: shop\n')
    await expect(read(given)).rejects.toThrow('must have the form <app>/<action>')
  },
)
