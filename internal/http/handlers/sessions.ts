import { AppError, forbidden } from '#core/error.ts'
import type { Deps } from '#service/deps.ts'
import { logIn } from '#service/people/log-in.ts'
import { logOut } from '#service/people/log-out.ts'
import { endOtherSessions, endOwnSession, listOwnSessions } from '#service/people/own-sessions.ts'
import { linkIdentity } from '#service/people/sign-in-by-oidc.ts'
import {
  cookieRequestOf,
  endedSessionCookies,
  ownSessionCookies,
  readLinkCookie,
  readProviderCookie,
} from '../admission/session-cookie.ts'
import { answer, noContent, ok, redirect } from '../answer.ts'
import { credentials, sessionEndpoints } from '../endpoints/sessions.ts'
import { handlers } from '../handlers.ts'
import { readFormBody } from '../pages/form-body.ts'
import { languageOf } from '../pages/page-language.ts'
import { signInPage, toOwnPath } from '../pages/sign-in-page.ts'
import type { RequestFacts } from '../request.ts'
import type { z } from '../schemas/z.ts'
import { CONSOLE_PATH } from '../surfaces/console-surface.ts'
import { pageWays, type SignInWays } from './oidc.ts'

type Credentials = z.output<typeof credentials>

type SessionDeps = Pick<
  Deps,
  'db' | 'home' | 'furtherCells' | 'newId' | 'randomBytes' | 'keyring'
> &
  Readonly<{ signIn: SignInWays }>

/** The address at which the browser ends the provider's session. If it cannot be found, the sign-out here still succeeds. */
const providerEnd = async (
  { signIn: { oidc } }: SessionDeps,
  { header, baseUrl }: RequestFacts,
): Promise<string | null> => {
  const idToken = readProviderCookie(header('cookie'))
  if (oidc === null || idToken === undefined) return null
  try {
    return await oidc.client.endUrl({ returnUri: `${baseUrl()}${CONSOLE_PATH}/sign-in`, idToken })
  } catch (error) {
    // the session of svc has ended; the provider's session expires without us
    if (error instanceof AppError) return null
    throw error
  }
}

const start = async (
  deps: SessionDeps,
  input: RequestFacts,
  { email, password, code = '' }: Credentials,
) => {
  if (!deps.signIn.passwordLogin) {
    throw forbidden('Password sign-in is off. Sign in with the provider.', {
      code: 'password_login_off',
    })
  }
  const { address, signal } = input
  const made = await logIn(deps, {
    email,
    password,
    code: code.trim() === '' ? null : code,
    address,
    userAgent: input.header('user-agent') ?? null,
    signal,
  })
  const link = readLinkCookie(input)
  if (link !== null) await linkIdentity(deps, { text: link, email: made.email, address })
  const hasProvider = deps.signIn.oidc !== null
  return { made, cookies: ownSessionCookies(made.session, hasProvider, cookieRequestOf(input)) }
}

const answerProgram = async (deps: SessionDeps, input: RequestFacts, fields: Credentials) => {
  const { made, cookies } = await start(deps, input, fields)
  const user = { email: made.email, superAdmin: made.isSuperAdmin }
  return answer(200, { user, workspaces: made.workspaces }, { 'set-cookie': cookies })
}

/** Redirects a browser to the page that required the login, or shows the form again. */
const answerForm = async (
  deps: SessionDeps,
  input: RequestFacts,
  fields: Credentials,
): Promise<Response> => {
  const next = toOwnPath(fields.next) ?? '/device'
  try {
    const { cookies } = await start(deps, input, fields)
    return redirect(303, next, cookies)
  } catch (error) {
    if (error instanceof AppError) {
      return signInPage({
        next,
        language: languageOf(input),
        fault: error,
        ways: pageWays(deps.signIn),
      })
    }
    throw error
  }
}

export const sessionRoutes = handlers(sessionEndpoints, (deps: SessionDeps) => ({
  logIn: async (input) => {
    const { fields, isForm } = readFormBody(input, credentials)
    return isForm ? answerForm(deps, input, fields) : answerProgram(deps, input, fields)
  },
  logOut: async (input) => {
    await logOut(deps, input.principal, input.actor)
    const url = input.principal.kind === 'session' ? await providerEnd(deps, input) : null
    const headers = { 'set-cookie': endedSessionCookies(cookieRequestOf(input)) }
    return url === null ? noContent(headers) : answer(200, { providerLogoutUrl: url }, headers)
  },
  listOwnSessions: async ({ principal }) => ok({ items: await listOwnSessions(deps, principal) }),
  endOwnSession: async ({ principal, actor, params }) => {
    await endOwnSession(deps, { principal, actor, id: params.id })
    return noContent()
  },
  endOtherSessions: async ({ principal, actor }) => {
    await endOtherSessions(deps, { principal, actor })
    return noContent()
  },
}))
