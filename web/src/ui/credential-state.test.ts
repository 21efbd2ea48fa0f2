import { expect, test } from 'vitest'
import { credentialState } from './credential-state.ts'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')

test.each([
  ['active', { revoked_at: null, expires_at: null }],
  ['active', { revoked_at: null }],
  ['active', { revoked_at: null, expires_at: '2026-11-21T12:00:00.001Z' }],
  ['expired', { revoked_at: null, expires_at: '2026-11-21T12:00:00.000Z' }],
  ['revoked', { revoked_at: '2026-11-20T12:00:00.000Z', expires_at: '2026-11-01T12:00:00.000Z' }],
] as const)('a credential is %s: %o', (state, ending) => {
  expect(credentialState(ending, NOW)).toBe(state)
})
