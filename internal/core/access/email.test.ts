import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isEmail, normalizeEmail } from './email.ts'

test('an address has one spelling, whatever its case and the spaces around it', () => {
  expect(normalizeEmail(' Ada@Example.COM\n')).toBe('ada@example.com')
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      expect(normalizeEmail(email.toUpperCase())).toBe(normalizeEmail(email))
      expect(normalizeEmail(normalizeEmail(email))).toBe(normalizeEmail(email))
      expect(isEmail(normalizeEmail(email))).toBe(true)
    }),
  )
})

test.each(['', 'ada', 'ada@', '@example.com', 'a b@example.com', 'a@b@c'])(
  '%j is not an address',
  (text) => expect(isEmail(text)).toBe(false),
)

test.each(['a\0', 'a\u001b[31m', 'ada\u200b', '\u202eada', 'a\ud800', 'a\u00ad'])(
  '%j begins no address, because people could not tell it from another',
  (name) => {
    expect(isEmail(`${name}@example.com`)).toBe(false)
    expect(isEmail(`ada@${name}.com`)).toBe(false)
  },
)

test('the first administrator has an address', () => {
  expect(isEmail('admin@localhost')).toBe(true)
})
