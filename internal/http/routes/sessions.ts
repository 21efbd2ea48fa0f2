/**
 * POST /api/auth/login
 * POST /api/auth/logout
 */

import { AppError } from '#core/error.ts'
import { MAX_PASSWORD_LENGTH } from '#core/password-rule.ts'
import type { Deps } from '#service/deps.ts'
import { logIn } from '#service/log-in.ts'
import { logOut } from '#service/log-out.ts'
import { formOrJson, readFormBody } from '../form-body.ts'
import { languageOf } from '../page-language.ts'
import { problem, publicRoute, type Reply, type RequestFacts, type Route, route } from '../route.ts'
import { z } from '../schemas/z.ts'
import { cookieRequestOf, endedSessionCookie, sessionCookie } from '../session-cookie.ts'
import { isOwnPath, signInPage } from '../sign-in-page.ts'

const signedIn = z
  .object({
    user: z.object({ email: z.string(), super_admin: z.boolean() }),
    workspaces: z.array(z.object({ id: z.string(), role: z.enum(['member', 'admin']) })),
  })
  .openapi('SignedIn')

const credentials = z.strictObject({
  email: z.string().min(1).max(320),
  password: z.string().min(1).max(MAX_PASSWORD_LENGTH),
  next: z.string().max(2_000).optional().describe('of forms: the page to go on to'),
})
type Credentials = z.infer<typeof credentials>

type SessionDeps = Pick<Deps, 'db' | 'newId' | 'randomBytes'>

const start = async (deps: SessionDeps, input: RequestFacts, { email, password }: Credentials) => {
  const { address, signal } = input
  const made = await logIn(deps, { email, password, address, signal })
  const { text, maxAgeS } = made.session
  return { made, cookie: sessionCookie(text, maxAgeS, cookieRequestOf(input)) }
}

const answerProgram = async (
  deps: SessionDeps,
  input: RequestFacts,
  fields: Credentials,
): Promise<Reply> => {
  const { made, cookie } = await start(deps, input, fields)
  const user = { email: made.email, super_admin: made.isSuperAdmin }
  return {
    status: 200,
    headers: { 'set-cookie': cookie },
    body: { user, workspaces: made.workspaces },
  }
}

/** A browser goes on to the page that asked, or sees the form again. */
const answerForm = async (
  deps: SessionDeps,
  input: RequestFacts,
  fields: Credentials,
): Promise<Reply> => {
  const next = fields.next !== undefined && isOwnPath(fields.next) ? fields.next : '/device'
  try {
    const { cookie } = await start(deps, input, fields)
    return { status: 303, headers: { 'set-cookie': cookie, location: next } }
  } catch (error) {
    if (error instanceof AppError) return signInPage(next, languageOf(input), error)
    throw error
  }
}

export const sessionRoutes = (
  deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>,
): readonly Route[] => [
  publicRoute({
    method: 'post',
    path: '/api/auth/login',
    operationId: 'logIn',
    tag: 'Access',
    summary: 'Sign in with a password; the answer sets the cookie svc_session',
    bodyKind: 'raw',
    rawBody: formOrJson(credentials),
    responses: {
      200: { description: 'Signed in', schema: signedIn },
      401: problem('Wrong'),
      429: problem('Five wrong tries within a quarter of an hour, or too many sign-ins at once'),
    },
    handler: async (input) => {
      const { fields, isForm } = readFormBody(input, credentials)
      return isForm ? answerForm(deps, input, fields) : answerProgram(deps, input, fields)
    },
  }),
  route({
    method: 'post',
    path: '/api/auth/logout',
    operationId: 'logOut',
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
