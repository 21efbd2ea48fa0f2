import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadProject } from './rc-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-rc-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a folder without an app says how to begin one', () => {
  expect(() => loadProject(folder)).toThrow(
    /^No .svcrc found in .*, and no app.yaml\. .*`svc init <name>` creates a new one/,
  )
})

test('a folder with an app.yaml says how to check and deploy it', () => {
  writeFileSync(join(folder, 'app.yaml'), 'key: a\n')
  expect(() => loadProject(folder)).toThrow('`svc deploy --dry-run` checks')
})

test('a folder with an app.yml says that it has another name', () => {
  writeFileSync(join(folder, 'app.yml'), 'key: a\n')
  expect(() => loadProject(folder)).toThrow('rename app.yml to app.yaml')
})

test.each(['{bad', '{}', '{"application":"shop"}'])(
  '.svcrc with %s says what it must hold',
  (text) => {
    writeFileSync(join(folder, '.svcrc'), text)
    expect(() => loadProject(folder)).toThrow('must be JSON such as {"application":{"id":"shop"}}')
  },
)
