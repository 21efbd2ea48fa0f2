import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openCacheFolder } from './cache-folder.ts'

let base = ''

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'svc-cache-'))
  // the fallback must stay inside this test's folder, too
  vi.stubEnv('TMPDIR', base)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(base, { recursive: true, force: true })
})

const fallback = (): string => join(base, `svc-${process.getuid?.()}`)

test('the configured folder is created', () => {
  vi.stubEnv('SVC_CACHE_DIR', join(base, 'a', 'b'))
  expect(openCacheFolder()).toBe(join(base, 'a', 'b'))
})

test('by default the cache folder of the user is used', () => {
  vi.stubEnv('SVC_CACHE_DIR', '')
  vi.stubEnv('XDG_CACHE_HOME', join(base, 'xdg'))
  expect(openCacheFolder()).toBe(join(base, 'xdg', 'svc'))
})

test('a user without a home uses a folder of its own below the temporary folder', () => {
  for (const name of ['SVC_CACHE_DIR', 'XDG_CACHE_HOME', 'HOME']) vi.stubEnv(name, undefined)
  const asked = vi.spyOn(process, 'getuid').mockReturnValueOnce(54_321)
  expect(openCacheFolder()).toBe(fallback())
  asked.mockRestore()
})

test('a folder that other users may write to is skipped', () => {
  const open = join(base, 'open')
  mkdirSync(open)
  chmodSync(open, 0o777)
  vi.stubEnv('SVC_CACHE_DIR', open)
  expect(openCacheFolder()).toBe(fallback())
})

test('the error names the setting when no folder can be created', () => {
  const file = join(base, 'file')
  writeFileSync(file, '')
  vi.stubEnv('SVC_CACHE_DIR', join(file, 'below'))
  vi.stubEnv('TMPDIR', file)
  expect(() => openCacheFolder()).toThrow('Set SVC_CACHE_DIR')
})
