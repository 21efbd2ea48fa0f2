import { expect, test } from 'vitest'
import { auditActionInWords } from './actions.ts'

test('an action has words, and one of a newer server stays as it is', () => {
  expect(auditActionInWords('token.revoked', 'en')).toBe('Token revoked')
  expect(auditActionInWords('token.revoked', 'ko')).toBe('토큰 폐기')
  expect(auditActionInWords('token.renewed', 'ko')).toBe('token.renewed')
  expect(auditActionInWords('constructor', 'ko')).toBe('constructor')
})
