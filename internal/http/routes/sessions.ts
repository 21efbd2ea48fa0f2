/**
 * POST /api/auth/login
 * POST /api/auth/logout
 */
import type { Deps } from '#service/deps.ts'
import { logIn } from '#service/log-in.ts'
import { logOut } from '#service/log-out.ts'
import { problem, publicRoute, type Route, route } from '../route.ts'
import { z } from '../schemas/z.ts'
import { cookieRequestOf, endedSessionCookie, sessionCookie } from '../session-cookie.ts'

const MAX_PASSWORD_LENGTH = 200

const signedIn = z
  .object({
    user: z.object({ email: z.string(), super_admin: z.boolean() }),
    workspaces: z.array(z.object({ id: z.string(), role: z.enum(['member', 'admin']) })),
  })
  .openapi('SignedIn')

export const sessionRoutes = (
  deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>,
): readonly Route[] => [
  publicRoute({
    method: 'post',
    path: '/api/auth/login',
    tag: 'Access',
    summary: 'Sign in with a password; the answer sets the cookie svc_session',
    body: z.strictObject({
      email: z.string().min(1).max(320),
      password: z.string().min(1).max(MAX_PASSWORD_LENGTH),
    }),
    responses: {
      200: { description: 'Signed in', schema: signedIn },
      401: problem('Wrong'),
      429: problem('Five wrong tries within a quarter of an hour'),
    },
    handler: async (input) => {
      const { email, password } = input.body
      const made = await logIn(deps, { email, password, address: input.address })
      const { text, maxAgeS } = made.session
      return {
        status: 200,
        headers: { 'set-cookie': sessionCookie(text, maxAgeS, cookieRequestOf(input)) },
        body: {
          user: { email: made.email, super_admin: made.isSuperAdmin },
          workspaces: made.workspaces,
        },
      }
    },
  }),
  route({
    method: 'post',
    path: '/api/auth/logout',
    scope: 'any',
    tag: 'Access',
    summary: 'End the credential that this request is made with',
    responses: { 204: { description: 'Ended' } },
    handler: async (input) => {
      await logOut(deps, input.principal, input.actor)
      return { status: 204, headers: { 'set-cookie': endedSessionCookie(cookieRequestOf(input)) } }
    },
  }),
]
