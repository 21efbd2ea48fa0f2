import { expect, test } from 'vitest'
import { createStackTraceMapper } from './stack-trace.ts'

const MAP = JSON.stringify({
  version: 3,
  sources: ['actions/act.ts'],
  names: [],
  // maps line 2, column 8 to line 41, column 4, and nothing else
  mappings: ';QAwCI',
})
const STACK =
  'Error: x\n    at main (svc-bundle:actions/act.ts:2:9)\n    at svc-bundle:actions/act.ts:1:1'

test('a place in a bundle becomes the author’s file and line', () => {
  const map = createStackTraceMapper(MAP)
  expect(map(STACK)).toBe(
    'Error: x\n    at main (actions/act.ts:41:5)\n    at svc-bundle:actions/act.ts:1:1',
  )
})

test.each(['', '{', '[]', '{"version":3}'])('without a usable map texts stay: %j', (sourceMap) => {
  expect(createStackTraceMapper(sourceMap)(STACK)).toBe(STACK)
})

test.each([
  'plain text',
  'svc-bundle:',
  'svc-bundle:a:0:0',
  'svc-bundle:a:99999999999999999999:1',
  'svc-bundle:a:1:0',
])('text that names no place stays, also when a job made it up: %j', (text) => {
  expect(createStackTraceMapper(MAP)(text)).toBe(text)
})
