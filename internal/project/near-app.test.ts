import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hintOfNearApp } from './near-app.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'near-app-'))
  mkdirSync(join(folder, 'shop', 'actions', 'deep'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('names the app around a folder, or directly below it', () => {
  expect(hintOfNearApp(folder)).toBe('')
  writeFileSync(join(folder, 'shop', 'app.yaml'), 'key: shop\n')
  expect(hintOfNearApp(folder)).toBe(' There is one nearby: cd shop')
  expect(hintOfNearApp(join(folder, 'shop', 'actions', 'deep'))).toBe(
    ' There is one nearby: cd ../..',
  )
})
