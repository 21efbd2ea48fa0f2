import { MAX_PASSWORD_LENGTH } from '#core/access/password-rule.ts'
import { ROLES } from '#core/access/scope.ts'
import { empty, json, jsonOrPage, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { formOrJson } from '../pages/form-body.ts'
import { MAX_SMALL_BODY_BYTES } from '../schemas/small-body.ts'
import { z } from '../schemas/z.ts'
import { time } from '../wire.ts'

const signedIn = z
  .object({
    user: z.object({ email: z.string(), super_admin: z.boolean() }),
    workspaces: z.array(z.object({ id: z.string(), role: z.enum(ROLES) })),
  })
  .openapi('SignedIn')

const ownSession = z
  .object({
    id: z.uuid(),
    address: z.string().nullable().describe('from which the person signed in'),
    device: z.string().nullable().describe('browser and system; null where they are unknown'),
    created_at: time,
    expires_at: time,
    is_current: z.boolean().describe('the session of this request'),
  })
  .openapi('OwnSession')

export const credentials = z.strictObject({
  email: z.string().min(1).max(320),
  password: z.string().min(1).max(MAX_PASSWORD_LENGTH),
  code: z.string().max(20).optional().describe('of the second factor, where the person has one'),
  next: z.string().max(2_000).optional().describe('of forms: the page to go on to'),
})

export const sessionEndpoints = {
  logIn: endpoint({
    method: 'post',
    path: '/api/auth/login',
    admits: ['public'],
    tag: 'Access',
    summary: 'Sign in with a password; the answer sets the cookie svc_session',
    bodyKind: 'raw',
    bodyLimit: MAX_SMALL_BODY_BYTES,
    rawBody: formOrJson(credentials),
    answers: {
      200: jsonOrPage('Signed in', signedIn),
      401: problem('Wrong, or `two_factor_required`: send the code too'),
      403: problem('Password sign-in is off (`password_login_off`)'),
      429: problem('Five wrong tries within a quarter of an hour, or too many sign-ins at once'),
    },
  }),
  logOut: endpoint({
    method: 'post',
    path: '/api/auth/logout',
    admits: ['any'],
    tag: 'Access',
    summary: 'End the credential that this request is made with',
    answers: {
      200: json(
        'Ended; the session began at a provider',
        z.object({
          provider_logout_url: z
            .url()
            .describe('where the browser ends the session at the provider too'),
        }),
      ),
      204: empty('Ended'),
    },
  }),
  listOwnSessions: endpoint({
    method: 'get',
    path: '/api/auth/sessions',
    admits: ['any'],
    tag: 'Access',
    summary: 'The own sessions that are valid now, newest first; at most 100',
    answers: {
      200: json('Sessions', z.object({ items: z.array(ownSession) })),
      403: problem('The request comes with a token'),
    },
  }),
  endOwnSession: endpoint({
    method: 'delete',
    path: '/api/auth/sessions/{id}',
    admits: ['any'],
    tag: 'Access',
    summary: 'End one of the own sessions',
    answers: {
      204: empty('Ended'),
      403: problem('The request comes with a token'),
      404: problem('No session of the caller has this id'),
    },
  }),
  endOtherSessions: endpoint({
    method: 'delete',
    path: '/api/auth/sessions',
    admits: ['any'],
    tag: 'Access',
    summary: 'End all own sessions but the one of this request',
    answers: { 204: empty('Ended'), 403: problem('The request comes with a token') },
  }),
}
