import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hintOfNearApp } from './near-app.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'near-app-'))
  mkdirSync(join(folder, 'shop', 'actions', 'deep'), { recursive: true })
})
const before = process.cwd()
afterEach(() => {
  process.chdir(before)
  rmSync(folder, { recursive: true, force: true })
})

test('names the app around a folder, or directly below it', () => {
  expect(hintOfNearApp(folder)).toBe('')
  writeFileSync(join(folder, 'shop', 'app.yaml'), 'key: shop\n')
  const shop = join(folder, 'shop')
  expect(hintOfNearApp(folder)).toBe(` There is one nearby: cd ${shop}`)
  expect(hintOfNearApp(join(shop, 'actions', 'deep'))).toBe(` There is one nearby: cd ${shop}`)
  process.chdir(folder)
  expect(hintOfNearApp('.')).toBe(' There is one nearby: cd shop')
  process.chdir(join(shop, 'actions', 'deep'))
  expect(hintOfNearApp('.')).toBe(' There is one nearby: cd ../..')
})
