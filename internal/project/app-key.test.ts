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
  ['notes.yaml', 'key: shop\n', null],
])('%s with %j names the app %s', async (name, text, key) => {
  writeFileSync(join(folder, name), text)
  expect(await readAppKey(folder)).toBe(key)
})

test.each([
  ['app.yaml', 'key: Shop\n', /app\.yaml:1:1 key: must have 1 to 63 characters/],
  ['app.yaml', 'name: Shop\n', /app\.yaml:1:1 key: is missing/],
  ['app.yaml', 'key: [\n', /app\.yaml:2:1: A "\]" is missing/],
  ['app.yaml', '', /app\.yaml/],
  ['app.json', '{"key": "shop"', /app\.json/],
  ['app.yml', 'key: shop\n', /Rename app\.yml to app\.yaml\./],
])('%s with %j is refused with the fault of the file', async (name, text, fault) => {
  writeFileSync(join(folder, name), text)
  await expect(readAppKey(folder)).rejects.toThrow(fault)
})
