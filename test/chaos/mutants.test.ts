/** Every fault that `make chaos-mutants` plants must have its place in the current source. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../support/repository.ts'
import { MUTANTS, plant } from './mutants.ts'

let copy = ''

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'svc-mutants-'))
  for (const folder of ['service', 'store', 'core']) {
    cpSync(join(ROOT, 'internal', folder), join(copy, 'internal', folder), { recursive: true })
  }
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

test('there are at least ten, each under a name of its own', () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
  expect(MUTANTS.length).toBeGreaterThanOrEqual(10)
})

test.each(MUTANTS)('$name finds its place, and is taken out again', (mutant) => {
  const files = mutant.edits.map(({ file }) => join(copy, file))
  const read = () => files.map((file) => readFileSync(file, 'utf8'))
  const before = read()
  const remove = plant(copy, mutant)
  expect(read()).not.toEqual(before)
  remove()
  expect(read()).toEqual(before)
})

test('a place that is gone fails by name', () => {
  const edits = [{ file: 'internal/store/jobs/end.ts', find: 'no such text', replace: '' }]
  expect(() => plant(copy, { name: 'gone', what: '', edits })).toThrow(
    'Repair test/chaos/mutants.ts',
  )
})
