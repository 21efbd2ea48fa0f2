import { AppError, invalid } from '#core/error.ts'
import { readUrlForm } from '#core/url-form.ts'
import type { Deps } from '#service/deps.ts'
import { endByProvider } from '#service/people/end-by-provider.ts'
import {
  beginSignIn,
  finishSignIn,
  type OidcSignIn,
  readBegun,
} from '#service/people/sign-in-by-oidc.ts'
import {
  cookieRequestOf,
  freeStateName,
  linkCookie,
  providerSessionCookies,
  readStateCookies,
  stateCookie,
} from '../admission/session-cookie.ts'
import { findSessionPrincipal } from '../admission/session-principal.ts'
import { answer, redirect } from '../answer.ts'
import { oidcEndpoints } from '../endpoints/oidc.ts'
import { handlers } from '../handlers.ts'
import { isFormType } from '../pages/form-body.ts'
import { wantsPage } from '../pages/page-error.ts'
import { languageOf } from '../pages/page-language.ts'
import { type SignInPageWays, signInPage, toOwnPath } from '../pages/sign-in-page.ts'
import type { RequestFacts } from '../request.ts'
import { CONSOLE_HOME } from '../surfaces/console-surface.ts'

export type SignInWays = Readonly<{
  /** Null if no provider is configured. */
  oidc: OidcSignIn | null
  /** Whether people may sign in with passwords. */
  passwordLogin: boolean
}>

/** The ways to sign in that pages offer. */
export const pageWays = ({ oidc, passwordLogin }: SignInWays): SignInPageWays => ({
  provider: oidc !== null,
  password: passwordLogin,
})

type OidcDeps = Pick<Deps, 'db' | 'home' | 'furtherCells' | 'newId' | 'randomBytes'> &
  Readonly<{ signIn: SignInWays }>

const requireOidc = ({ signIn: { oidc } }: OidcDeps): OidcSignIn => {
  if (oidc === null) {
    throw new AppError('not_found', 'Sign-in with OpenID Connect is not configured.', {
      code: 'oidc_off',
    })
  }
  return oidc
}

const redirectUriOf = ({ baseUrl }: Pick<RequestFacts, 'baseUrl'>): string =>
  `${baseUrl()}/api/auth/oidc/callback`

/** Ways for the form whose password links the account. */
const PASSWORD_ONLY: SignInPageWays = { provider: false, password: true }

type Shown = Readonly<{ next: string; cookies: readonly string[] }>

/** Shows a person why the sign-in failed, with the ways to try again. Programs get the error. */
const orSignInPage = async (
  input: RequestFacts,
  { signIn }: OidcDeps,
  shown: Shown,
  act: () => Promise<Response>,
): Promise<Response> => {
  try {
    return await act()
  } catch (fault) {
    if (!(fault instanceof AppError && wantsPage(input))) throw fault
    return showSignIn(input, { ...shown, fault, ways: pageWays(signIn) })
  }
}

const showSignIn = async (
  input: RequestFacts,
  { cookies, ...shown }: Shown & Readonly<{ fault: AppError; ways: SignInPageWays }>,
): Promise<Response> => {
  const page = await signInPage({ ...shown, language: languageOf(input) })
  for (const cookie of cookies) page.headers.append('set-cookie', cookie)
  return page
}

/** Finds the sign-in with the state among those that this browser has begun. */
const findBegun = (input: RequestFacts, state: string | undefined) =>
  readStateCookies(input)
    .map(({ name, text }) => ({ name, begun: readBegun(text, state) }))
    .find(({ begun }) => begun !== null)

/**
 * Leads a person who is signed in on to the page. Their browser repeats a used address after Back, Reload or a restored tab, and the
 * way to sign in again would be wrong.
 */
const orOwnPage = async (
  input: RequestFacts,
  deps: OidcDeps,
  { next, cookies }: Shown,
  act: () => Promise<Response>,
): Promise<Response> => {
  try {
    return await act()
  } catch (fault) {
    const isUsed = fault instanceof AppError && fault.code === 'oidc_state' && wantsPage(input)
    if (!isUsed || (await findSessionPrincipal(deps, input)) === null) throw fault
    return redirect(302, next, cookies)
  }
}

/** @throws {AppError} unsupported_media_type; invalid */
const readLogoutToken = (type: string, body: Uint8Array): string => {
  if (!isFormType(type)) {
    throw new AppError('unsupported_media_type', 'Send the field logout_token as a form.')
  }
  const token = readUrlForm(new TextDecoder().decode(body)).get('logout_token')
  if (token === null) throw invalid('The field logout_token is missing.')
  return token
}

const LINK_FIRST = new AppError(
  'unauthenticated',
  'This address has an account with a password. Sign in with it once; after that the provider signs you in.',
  { code: 'link_password' },
)

export const oidcRoutes = handlers(oidcEndpoints, (deps: OidcDeps) => ({
  beginOidcSignIn: (input) => {
    const next = toOwnPath(input.query.next) ?? CONSOLE_HOME
    return orSignInPage(input, deps, { next, cookies: [] }, async () => {
      const redirectUri = redirectUriOf(input)
      const { url, cookie } = await beginSignIn(requireOidc(deps), {
        redirectUri,
        next,
        home: CONSOLE_HOME,
        otherAccount: input.query.account === 'other',
      })
      const name = freeStateName(input)
      return redirect(302, url, [stateCookie(name, cookie, cookieRequestOf(input))])
    })
  },
  finishOidcSignIn: (input) => {
    const { state, code, error, iss: issuer } = input.query
    const request = cookieRequestOf(input)
    const found = findBegun(input, state)
    const next = toOwnPath(found?.begun?.next) ?? CONSOLE_HOME
    const cookies = found === undefined ? [] : [stateCookie(found.name, '', request)]
    const shown = { next, cookies }
    const finish = async (): Promise<Response> => {
      const signedIn = await finishSignIn(deps, requireOidc(deps), {
        begun: found?.begun ?? null,
        code,
        error,
        issuer,
        redirectUri: redirectUriOf(input),
        address: input.address,
        userAgent: input.header('user-agent') ?? null,
        passwordLogin: deps.signIn.passwordLogin,
      })
      if ('session' in signedIn) {
        const { session, idToken } = signedIn
        return redirect(302, next, [
          ...providerSessionCookies(session, idToken, request),
          ...cookies,
        ])
      }
      return showSignIn(input, {
        next,
        fault: LINK_FIRST,
        ways: PASSWORD_ONLY,
        cookies: [linkCookie(signedIn.link, request), ...cookies],
      })
    }
    return orSignInPage(input, deps, shown, () => orOwnPage(input, deps, shown, finish))
  },
  endOidcSessions: async ({ bodyBytes, header }) => {
    const token = readLogoutToken(header('content-type') ?? '', bodyBytes)
    await endByProvider(deps, requireOidc(deps), token)
    return answer(200, {}, { 'cache-control': 'no-store' })
  },
}))
