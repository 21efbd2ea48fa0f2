import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { createProject } from './create-project.ts'
import { PROJECT_TEMPLATES } from './project-templates.ts'

const root = mkdtempSync(join(tmpdir(), 'svc-create-'))
afterAll(() => {
  rmSync(root, { recursive: true })
})

let parent = ''
beforeEach(() => {
  parent = join(mkdtempSync(join(root, 'a-')), 'shop')
  mkdirSync(parent)
})

const create = (name = 'action') => {
  const template = PROJECT_TEMPLATES.find((each) => each.name === name)
  if (template === undefined) throw new Error('There is a template.')
  return createProject({ template, name: null, endpoint: 'http://localhost:3000', parent })
}

it('keeps a settings file that is a link, also one that leads nowhere', () => {
  symlinkSync('nowhere.json', join(parent, 'tsconfig.json'))
  expect(create().files).not.toContain('tsconfig.json')
  expect(lstatSync(join(parent, 'tsconfig.json')).isSymbolicLink()).toBe(true)
})

it.each([
  [
    'a link that leads nowhere',
    () => symlinkSync('/nonexistent/app.yaml', join(parent, 'app.yaml')),
    'app.yaml',
  ],
  ['a file in place of a folder', () => writeFileSync(join(parent, 'actions'), ''), 'actions'],
  [
    'such a link in place of a folder',
    () => symlinkSync('none', join(parent, 'actions')),
    'actions',
  ],
])('writes nothing over %s', (_what, prepare, name) => {
  prepare()
  expect(() => create()).toThrow(`has ${name} already. Use a new folder; nothing was written.`)
  expect(readdirSync(parent)).toEqual([name])
})

it('names another way if the folder has a name that no app can have', () => {
  parent = join(parent, '한 글')
  mkdirSync(parent)
  expect(() => create()).toThrow('Create the app in a new folder: svc init shop')
})

it('writes nothing where a folder of folders is a file', () => {
  writeFileSync(join(parent, 'functions'), '')
  expect(() => create('hello')).toThrow('has functions already.')
  expect(readdirSync(parent)).toEqual(['functions'])
})
