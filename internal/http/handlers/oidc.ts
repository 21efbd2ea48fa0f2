import { AppError, invalid } from '#core/error.ts'
import { readUrlForm } from '#core/url-form.ts'
import type { Deps } from '#service/deps.ts'
import { endByProvider } from '#service/people/end-by-provider.ts'
import { beginSignIn, finishSignIn, type OidcSignIn } from '#service/people/sign-in-by-oidc.ts'
import {
  cookieRequestOf,
  linkCookie,
  providerCookie,
  readStateCookie,
  sessionCookie,
  stateCookie,
} from '../admission/session-cookie.ts'
import { answer } from '../answer.ts'
import { CONSOLE_PATH } from '../console-surface.ts'
import { oidcEndpoints } from '../endpoints/oidc.ts'
import { handlers } from '../handlers.ts'
import { isFormType } from '../pages/form-body.ts'
import { asPage } from '../pages/page-error.ts'
import { languageOf } from '../pages/page-language.ts'
import { isOwnPath, type SignInPageWays, signInPage } from '../pages/sign-in-page.ts'
import type { RequestFacts } from '../request.ts'

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

const redirect = (location: string, cookies: readonly string[]): Response => {
  const headers = new Headers({ location })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 302, headers })
}

/** Ways for the form whose password links the account. */
const PASSWORD_ONLY: SignInPageWays = { provider: false, password: true }

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
  beginOidcSignIn: (input) =>
    asPage(input, async () => {
      const { next } = input.query
      const { url, cookie } = await beginSignIn(requireOidc(deps), {
        redirectUri: redirectUriOf(input),
        next: next !== undefined && isOwnPath(next) ? next : `${CONSOLE_PATH}/`,
      })
      return redirect(url, [stateCookie(cookie, cookieRequestOf(input))])
    }),
  finishOidcSignIn: (input) =>
    asPage(input, async () => {
      const request = cookieRequestOf(input)
      const signedIn = await finishSignIn(deps, requireOidc(deps), {
        cookie: readStateCookie(input.header('cookie')),
        state: input.query.state,
        code: input.query.code,
        redirectUri: redirectUriOf(input),
        address: input.address,
        userAgent: input.header('user-agent') ?? null,
        passwordLogin: deps.signIn.passwordLogin,
      })
      const next = isOwnPath(signedIn.next) ? signedIn.next : `${CONSOLE_PATH}/`
      const ended = stateCookie('', request)
      if ('session' in signedIn) {
        const { text, maxAgeS } = signedIn.session
        const ofProvider = providerCookie(signedIn.idToken, maxAgeS, request)
        return redirect(next, [sessionCookie(text, maxAgeS, request), ofProvider, ended])
      }
      const page = await signInPage({
        next,
        language: languageOf(input),
        fault: LINK_FIRST,
        ways: PASSWORD_ONLY,
      })
      page.headers.append('set-cookie', linkCookie(signedIn.link, request))
      page.headers.append('set-cookie', ended)
      return page
    }),
  endOidcSessions: async ({ bodyBytes, header }) => {
    const token = readLogoutToken(header('content-type') ?? '', bodyBytes)
    await endByProvider(deps, requireOidc(deps), token)
    return answer(200, {}, { 'cache-control': 'no-store' })
  },
}))
