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

test('the refusal of a folder without an app names how to begin one', () => {
  expect(() => loadProject(folder)).toThrow(
    /^No .svcrc found in .*, and no app.yaml\. .*`svc init <name>` creates a new one/,
  )
})

test('that of a folder with an app.yaml names how to check and deploy it', () => {
  writeFileSync(join(folder, 'app.yaml'), 'key: a\n')
  expect(() => loadProject(folder)).toThrow('`svc deploy --dry-run` checks')
})

test('that of a folder with an app.yml names the right name', () => {
  writeFileSync(join(folder, 'app.yml'), 'key: a\n')
  expect(() => loadProject(folder)).toThrow('rename app.yml to app.yaml')
})

test.each(['{bad', '{}', '{"application":"shop"}'])(
  'that of a .svcrc with %s names what it must hold',
  (text) => {
    writeFileSync(join(folder, '.svcrc'), text)
    expect(() => loadProject(folder)).toThrow('must be JSON such as {"application":{"id":"shop"}}')
  },
)

test.each([
  ['{"port":"x"}', 'dev.port must be a number'],
  ['{"port":70000}', 'dev.port must be at most 65535'],
  ['{"watch":"yes"}', 'dev.watch must be true or false'],
])('that of a .svcrc with the setting %s names the setting', (dev, fault) => {
  writeFileSync(join(folder, '.svcrc'), `{"application":{"id":"shop"},"dev":${dev}}`)
  expect(() => loadProject(folder)).toThrow(fault)
})
