import { describe, expect, test } from 'vitest'
import { readHeaders, textOf } from './call-function.ts'

describe('headers as they are typed', () => {
  test('are a line each, and may hold colons', () => {
    expect(readHeaders('x-name: Ada\n\n  accept:text/html \nx-url: http://a:1\nx-empty:')).toEqual([
      ['x-name', 'Ada'],
      ['accept', 'text/html'],
      ['x-url', 'http://a:1'],
      ['x-empty', ''],
    ])
  })

  test.each(['nothing', ': value', 'two words: x'])('are not %j', (line) => {
    expect(readHeaders(`a: b\n${line}`)).toBe(line)
  })
})

test('a body is text when it is UTF-8 without zeros', () => {
  expect(textOf(new TextEncoder().encode('안녕'))).toBe('안녕')
  expect(textOf(new Uint8Array([0xff, 0xd8]))).toBeNull()
  expect(textOf(new Uint8Array([65, 0]))).toBeNull()
})
