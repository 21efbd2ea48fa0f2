import { expect, test } from 'vitest'
import { passwordFault } from './password-rule.ts'

test('a password is long enough, not endless, and not the address itself', () => {
  const email = 'ada@example.com'
  expect(passwordFault('123456789', email)).toContain('at least 10')
  expect(passwordFault('1234567890', email)).toBeNull()
  expect(passwordFault('x'.repeat(200), email)).toBeNull()
  expect(passwordFault('x'.repeat(201), email)).toContain('at most 200')
  expect(passwordFault(' ADA@example.com ', email)).toContain('e-mail')
})
