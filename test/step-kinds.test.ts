/** Only its own file and the record know a kind of step (docs/checklists/new-step-kind.md). */
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { listKinds } from '#core/flow/kinds.ts'
import { ROOT, readSource } from './support/repository.ts'

const files = execFileSync('git', ['ls-files', 'internal', 'cmd', 'web/src'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(tsx?|css)$/.test(path) && !/\.(test|gen)\.ts$/.test(path))

/** The code without comments, which may use kinds as examples. */
const codeOf = (path: string): string =>
  readSource(path)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
const sources = files.map((path) => ({ path, code: codeOf(path) }))
const KIND_FILES =
  /^(internal\/core\/flow\/kinds(\/[\w-]+)?|web\/src\/flow\/step-kinds|internal\/service\/durable\/[\w-]+)\.ts$/

/** Names that also have other meanings: of targets, scopes, triggers and functions. */
const ORDINARY = ['action', 'approval', 'event', 'sleep', 'subflow']

it('is named by no other file of the server and the console', () => {
  const names = listKinds().map(({ name }) => name)
  const special = names.filter((name) => !ORDINARY.includes(name))
  expect(special.length).toBeGreaterThan(3)
  const named = new RegExp(`\\b(${special.join('|')})\\b`)
  const compared = new RegExp(`\\b(step|before|after)\\??\\.kind [!=]== '(${names.join('|')})'`)
  const inConsole = /\bkind [!=]== '(approval|subflow)'/
  const others = sources.filter(
    ({ path, code }) =>
      !KIND_FILES.test(path) &&
      (named.test(code) ||
        compared.test(code) ||
        (path.startsWith('web/') && inConsole.test(code))),
  )
  expect(others.map(({ path }) => path)).toEqual([])
})
