import { expect, test } from 'vitest'
import { isOlder, isVersion } from './version.ts'

test.each([
  ['1.9.3', '1.10.0', true],
  ['1.10.0', '1.9.3', false],
  ['1.2.3', '1.2.3', false],
  ['1.0.0-rc.1', '1.0.0', true],
  ['1.0.0', '1.0.0-rc.1', false],
  ['1.0.0-rc.1', '1.0.0-rc.2', true],
])('%s before %s: %s', (version, other, expected) => {
  expect(isOlder(version, other)).toBe(expected)
})

test('versions have three numbers, and perhaps a suffix', () => {
  const texts = ['1.2.3', '1.2.3-rc.1', 'v22.1.0', 'deno 2.1.0', '']
  expect(texts.map(isVersion)).toEqual([true, true, false, false, false])
})
