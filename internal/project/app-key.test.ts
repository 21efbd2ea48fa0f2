import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readAppKey } from './app-key.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'app-key-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['app.yaml', 'key: shop\nactions: [{ key: 7 }]\n', 'shop'],
  ['app.json', '{"key":"shop"}', 'shop'],
  ['app.yaml', 'key: Shop\n', null],
  ['app.yaml', 'name: Shop\n', null],
  ['app.yaml', 'key: [\n', null],
  ['app.yaml', '', null],
  ['app.yml', 'key: shop\n', null],
])('%s with %j names the app %s', (name, text, key) => {
  writeFileSync(join(folder, name), text)
  expect(readAppKey(folder)).toBe(key)
})
