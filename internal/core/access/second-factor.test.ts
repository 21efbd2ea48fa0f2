import { expect, test } from 'vitest'
import { makeRecoveryCodes, RECOVERY_RANDOM_BYTES, readTypedCode } from './second-factor.ts'

test('recovery codes are ten, of letters that look like no other, and are read as people type them', () => {
  const codes = makeRecoveryCodes(
    Uint8Array.from({ length: RECOVERY_RANDOM_BYTES }, (_, at) => (at * 37) % 256),
  )
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^[a-km-np-z2-9]{5}-[a-km-np-z2-9]{5}$/)
    const bare = code.replace('-', '')
    for (const typed of [code, bare, ` ${code.toUpperCase()} `]) {
      expect(readTypedCode(typed)).toEqual({ kind: 'recovery', code: bare })
    }
  }
})

test.each([
  ['123456', { kind: 'totp', code: '123456' }],
  ['123 456', { kind: 'totp', code: '123456' }],
  ['12345', null],
  ['', null],
  ['abcde-fghi', null],
  ['0abcd-fghij', null],
])('%j is read as %j', (typed, read) => {
  expect(readTypedCode(typed)).toEqual(read)
})
