import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

const place = mkdtempSync(join(tmpdir(), 'svc-folder-'))
afterAll(() => rmSync(place, { recursive: true }))

test('the folder and those above it are made with the mode, and again without a fault', () => {
  const folder = join(place, 'a', 'b', 'c')
  makeFolder(folder, 0o700)
  makeFolder(`${folder}/`, 0o700)
  for (const made of [folder, join(place, 'a')]) expect(statSync(made).mode & 0o777).toBe(0o700)
})

test('a link to a folder counts as one', () => {
  mkdirSync(join(place, 'there'))
  symlinkSync(join(place, 'there'), join(place, 'link'))
  makeFolder(join(place, 'link'))
  makeFolder(join(place, 'link', 'below'))
  expect(statSync(join(place, 'there', 'below')).isDirectory()).toBe(true)
})

writeFileSync(join(place, 'file'), '')
symlinkSync(join(place, 'nowhere'), join(place, 'dangling'))

test.each([
  ['in a file system of the kernel', '/proc/svc', 'ENOENT'],
  ['deep in one', '/proc/svc/a/b', 'ENOENT'],
  ['where a file is', join(place, 'file'), 'EEXIST'],
  ['below a file', join(place, 'file', 'below'), 'ENOTDIR'],
  ['where a link leads nowhere', join(place, 'dangling'), 'EEXIST'],
  ['below such a link', join(place, 'dangling', 'below'), 'EEXIST'],
])('%s it throws at once', (_, path, code) => {
  expect(() => makeFolder(path)).toThrow(expect.objectContaining({ code, syscall: 'mkdir' }))
})
