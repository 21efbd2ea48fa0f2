import { expect, test } from 'vitest'
import { otherAccountPrompt, requireVerifiedEmail } from './oidc-identity.ts'

const ENTRA = 'https://login.microsoftonline.com/9d1f/v2.0'
const EMAIL = { sub: 's', email: 'Ada@Example.com' }

test.each([
  { email_verified: true },
  { iss: ENTRA, xms_edov: true },
  { iss: ENTRA, xms_edov: 1 },
  { iss: ENTRA, xms_edov: '1' },
])('an address is verified by %j', (claims) => {
  expect(requireVerifiedEmail({ ...EMAIL, ...claims }, ['example.com'])).toBe('ada@example.com')
})

test.each([
  {},
  { email_verified: false },
  { email_verified: 'true' },
  { iss: ENTRA },
  { iss: ENTRA, xms_edov: false },
  { iss: ENTRA, xms_edov: '0' },
  { iss: ENTRA, xms_edov: true, email_verified: false },
  { iss: 'https://login.microsoftonline.com.evil.test/', xms_edov: true },
  { iss: 'https://provider.example', xms_edov: true },
])('an address is not verified by %j', (claims) => {
  expect(() => requireVerifiedEmail({ ...EMAIL, ...claims }, [])).toThrow('has not verified')
})

test.each([
  ['https://accounts.google.com', 'select_account'],
  [ENTRA, 'select_account'],
  ['https://provider.example', 'login'],
])('%s asks for another account by %s', (issuer, prompt) => {
  expect(otherAccountPrompt(issuer, [])).toBe(prompt)
})
