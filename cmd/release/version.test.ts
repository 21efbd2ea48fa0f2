import { expect, test } from 'vitest'
import { isLater } from './version.ts'

test.each([
  ['0.2.0', '0.1.9', true],
  ['0.10.0', '0.9.0', true],
  ['1.0.0', '1.0.0-rc.1', true],
  ['1.0.0-rc.2', '1.0.0-rc.1', true],
  ['0.1.0', '0.1.0', false],
  ['1.0.0-rc.1', '1.0.0', false],
  ['0.1.0', '0.2.0', false],
])('%s after %s: %s', (next, current, expected) => {
  expect(isLater(next, current)).toBe(expected)
})

test('what is not a version is refused with an example', () => {
  expect(() => isLater('v1', '0.1.0')).toThrow('make release VERSION=0.2.0')
})
