import { expect, it } from 'vitest'
import { checkStateJson, MAX_STATE_VALUE_BYTES } from './app-state.ts'

const codeOf = (json: string): unknown => {
  try {
    checkStateJson(json)
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

it.each([
  [`"${'x'.repeat(MAX_STATE_VALUE_BYTES - 2)}"`, null],
  [`"${'x'.repeat(MAX_STATE_VALUE_BYTES - 1)}"`, 'state_too_large'],
  // three bytes each in UTF-8
  [`"${'가'.repeat(MAX_STATE_VALUE_BYTES / 3)}"`, 'state_too_large'],
  [`${'['.repeat(64)}${']'.repeat(64)}`, null],
  [`${'['.repeat(65)}${']'.repeat(65)}`, 'state_too_deep'],
  ['{"a":', 'malformed_json'],
  ['null', null],
])('a state value is judged by size, depth and form', (json, code) => {
  expect(codeOf(json)).toBe(code)
})
