import { MAX_PASSWORD_LENGTH } from '#core/access/password-rule.ts'
import { empty, json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { z } from '../schemas/z.ts'

const twoFactor = z
  .object({
    enabled: z.boolean(),
    recovery_codes_left: z.int().nullable().describe('null while it is off'),
    has_password: z
      .boolean()
      .describe('false for an account that only signs in by a provider: it cannot turn this on'),
  })
  .openapi('TwoFactor')

const code = z.string().min(1).max(20)

const tag = 'Access'

const noSession = { 403: problem('The request comes with a token') }
const wrong = {
  401: problem('The password or code is wrong, or the code was used'),
  429: problem('Too many wrong tries'),
}

export const twoFactorEndpoints = {
  getTwoFactor: endpoint({
    method: 'get',
    path: '/api/auth/two-factor',
    admits: ['any'],
    tag,
    summary: 'Whether the own account has a second factor',
    answers: { 200: json('The second factor', twoFactor), ...noSession },
  }),
  startTwoFactor: endpoint({
    method: 'post',
    path: '/api/auth/two-factor',
    admits: ['any'],
    tag,
    summary: 'Get a secret for an authenticator app; it counts after it was confirmed by a code',
    body: z.strictObject({ password: z.string().min(1).max(MAX_PASSWORD_LENGTH) }),
    answers: {
      201: json(
        'The secret, shown only once',
        z.object({
          secret: z.string().describe('in base32, to be typed'),
          uri: z.string().describe('otpauth://…, for a QR code'),
        }),
      ),
      409: problem('The second factor is on'),
      ...noSession,
      ...wrong,
    },
  }),
  confirmTwoFactor: endpoint({
    method: 'post',
    path: '/api/auth/two-factor/confirm',
    admits: ['any'],
    tag,
    summary: 'Turn the second factor on by a first code; other sessions end',
    body: z.strictObject({ code }),
    answers: {
      200: json(
        'Recovery codes, shown only once',
        z.object({ recovery_codes: z.array(z.string()) }),
      ),
      409: problem('It is on already, or was never started'),
      ...noSession,
      ...wrong,
    },
  }),
  endTwoFactor: endpoint({
    method: 'post',
    path: '/api/auth/two-factor/disable',
    admits: ['any'],
    tag,
    summary: 'Turn the second factor off by a code of the app or a recovery code',
    body: z.strictObject({ code }),
    answers: {
      204: empty('Off'),
      409: problem('It is off'),
      ...noSession,
      ...wrong,
    },
  }),
  adminResetTwoFactor: endpoint({
    method: 'delete',
    path: '/api/admin/users/{email}/two-factor',
    admits: ['instance'],
    tag: 'Instance',
    summary: 'Turn the second factor of an account off, for a person who has lost it',
    params: { email: z.string().max(320) },
    answers: { 204: empty('Off'), 404: problem('No such account') },
  }),
}
