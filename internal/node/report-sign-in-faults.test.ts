import { expect, test } from 'vitest'
import { AppError } from '#core/error.ts'
import type { OidcClient } from '#outbound/oidc-client.ts'
import { reportSignInFaults } from './report-sign-in-faults.ts'

const refuse = async (): Promise<never> => {
  throw new AppError('unauthenticated', 'Sign in again.', {
    code: 'oidc_failed',
    cause: new Error('unexpected "iss" claim value'),
  })
}
const REFUSING: OidcClient = {
  startUrl: refuse,
  identify: refuse,
  endUrl: async () => null,
  verifyLogout: refuse,
}
const BACK = { code: 'c', redirectUri: 'r', verifier: 'v', nonce: 'n' }

test.each([
  [new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }), 'ECONNREFUSED'],
  [
    new TypeError('fetch failed', { cause: new AggregateError([new Error('EHOSTUNREACH')]) }),
    'EHOSTUNREACH',
  ],
])('the reason is the first cause: %s', async (cause, reason) => {
  const lines: unknown[] = []
  const log = { warn: (_text: string, facts?: object) => void lines.push(facts) }
  const startUrl = async (): Promise<never> => {
    throw new AppError('bad_gateway', 'Try again.', { cause })
  }
  const client = reportSignInFaults({ ...REFUSING, startUrl }, log)
  const start = { redirectUri: 'r', state: 's', nonce: 'n', challenge: 'c' }
  await expect(client.startUrl(start)).rejects.toThrow('Try again.')
  expect(lines).toEqual([{ reason: expect.stringContaining(reason) }])
})

test('the reason of a failed sign-in is logged once in ten seconds, and the caller gets the error', async () => {
  let time = 0
  const lines: unknown[] = []
  const log = { warn: (text: string, facts?: object) => void lines.push([text, facts]) }
  const client = reportSignInFaults(REFUSING, log, () => time)
  for (const at of [0, 5_000, 10_000]) {
    time = at
    await expect(client.identify(BACK)).rejects.toThrow('Sign in again.')
  }
  const line = [
    'A sign-in with the identity provider failed.',
    { reason: 'unexpected "iss" claim value' },
  ]
  expect(lines).toEqual([line, line])
  await expect(client.endUrl({ returnUri: 'r', idToken: null })).resolves.toBeNull()
})
