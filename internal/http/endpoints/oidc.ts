import { json, media, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { MAX_SMALL_BODY_BYTES } from '../schemas/small-body.ts'
import { z } from '../schemas/z.ts'

export const oidcEndpoints = {
  beginOidcSignIn: endpoint({
    method: 'get',
    path: '/api/auth/oidc/login',
    admits: ['public'],
    tag: 'Access',
    summary: 'Sign in by the OpenID Connect provider: sends the browser there',
    query: z.object({
      next: z.string().max(2_000).optional().describe('the page to go on to'),
      account: z
        .enum(['other'])
        .optional()
        .describe('other: the provider asks which account to use, although one is signed in there'),
    }),
    answers: {
      302: media('text/html', 'To the provider'),
      404: problem('No provider is set'),
      502: problem('The provider does not answer'),
    },
  }),
  finishOidcSignIn: endpoint({
    method: 'get',
    path: '/api/auth/oidc/callback',
    admits: ['public'],
    tag: 'Access',
    summary: 'Where the provider sends the browser back; the answer sets the cookie svc_session',
    query: z.looseObject({
      state: z.string().max(1_000).optional(),
      code: z.string().max(4_000).optional(),
      error: z.string().max(1_000).optional(),
      iss: z.string().max(1_000).optional(),
    }),
    freeQuery: true,
    answers: {
      302: media('text/html', 'Signed in; to the page that was wanted'),
      401: problem(
        'The sign-in was used, has expired, or could not be verified; or a page for the password of an account that is to be linked',
      ),
      403: problem('No account, or an address that may not sign in'),
      404: problem('No provider is set'),
      502: problem('The provider does not answer'),
    },
  }),
  endOidcSessions: endpoint({
    method: 'post',
    path: '/api/auth/oidc/backchannel-logout',
    admits: ['public'],
    tag: 'Access',
    summary:
      'Where the provider sends a logout token when a session there has ended (OpenID Connect Back-Channel Logout)',
    bodyKind: 'raw',
    bodyLimit: MAX_SMALL_BODY_BYTES,
    rawBody: {
      contentType: 'application/x-www-form-urlencoded',
      schema: z.object({ logout_token: z.string() }),
    },
    answers: {
      200: json('The sessions of the person have ended', z.object({})),
      400: problem('The token is not valid (`bad_logout_token`)'),
      404: problem('No provider is set'),
      415: problem('The body is not a form'),
      502: problem('The provider does not answer'),
    },
  }),
}
