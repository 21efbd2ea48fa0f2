/** The cookies of sessions, and of sign-ins at a provider [access 7.2]. */
import { parse, serialize } from 'hono/utils/cookie'
import type { RequestFacts } from '../request.ts'

const NAME = 'svc_session'
/** Each holds the state of one sign-in at a provider for 10 minutes, so that several tabs may sign in at once. */
const STATE_NAMES = ['svc_oidc', 'svc_oidc_2', 'svc_oidc_3', 'svc_oidc_4'] as const
export type StateName = (typeof STATE_NAMES)[number]
/** Names an identity that waits for the password of its account, for 10 minutes. */
const LINK_NAME = 'svc_oidc_link'
const SIGN_IN_S = 600
/** Keeps the id token that identifies the person to the provider when the session ends. */
const PROVIDER_NAME = 'svc_oidc_session'
/** Bytes. Browsers keep cookies up to 4,096; if the token is missing, the provider prompts the person at logout. */
const MAX_TOKEN = 3_500

const read = (header: string | undefined, name: string): string | null =>
  header === undefined ? null : (parse(header, name)[name] ?? null)

/** The cookie's text, or null when there is none. */
export const readSessionCookie = (header: string | undefined): string | null => read(header, NAME)

export type CookieRequest = Readonly<{
  /** Secure unless the request came over plain http. */
  isSecure: boolean
}>

type NewSession = Readonly<{ text: string; maxAgeS: number }>

/** Secure unless the request came over plain http [access 7.2]. */
export const cookieRequestOf = ({ baseUrl }: Pick<RequestFacts, 'baseUrl'>): CookieRequest => ({
  isSecure: baseUrl().startsWith('https:'),
})

type Cookie = Readonly<{ name: string; path: string; text: string; maxAgeS: number }>

/** A `Set-Cookie`. Scripts of pages cannot read the cookie. */
const write = ({ name, path, text, maxAgeS }: Cookie, { isSecure }: CookieRequest): string =>
  serialize(name, text, {
    httpOnly: true,
    secure: isSecure,
    sameSite: 'Lax',
    path,
    maxAge: maxAgeS,
  })

/** Keeps the session as long as the server does. */
const sessionCookie = (text: string, maxAgeS: number, request: CookieRequest): string =>
  write({ name: NAME, path: '/', text, maxAgeS }, request)

const shortCookie = (
  cookie: Pick<Cookie, 'name' | 'path' | 'text'>,
  request: CookieRequest,
): string => write({ ...cookie, maxAgeS: cookie.text === '' ? 0 : SIGN_IN_S }, request)

/** A `Set-Cookie` of a sign-in at a provider; an empty text deletes the cookie. */
export const stateCookie = (name: StateName, text: string, request: CookieRequest): string =>
  shortCookie({ name, path: '/api/auth/oidc', text }, request)

/** The cookies of all sign-ins that this browser has begun. */
export const readStateCookies = (
  header: string | undefined,
): readonly Readonly<{ name: StateName; text: string }>[] =>
  STATE_NAMES.flatMap((name) => {
    const text = read(header, name)
    return text === null ? [] : [{ name, text }]
  })

/** The cookie for a further sign-in; that of the first one if all are taken, so that they do not grow without limit. */
export const freeStateName = (header: string | undefined): StateName => {
  const taken = readStateCookies(header).map(({ name }) => name)
  return STATE_NAMES.find((name) => !taken.includes(name)) ?? STATE_NAMES[0]
}

const providerCookie = (idToken: string, maxAgeS: number, request: CookieRequest): string => {
  const text = idToken.length > MAX_TOKEN ? 'none' : idToken
  return write({ name: PROVIDER_NAME, path: '/api/auth/logout', text, maxAgeS }, request)
}

/** `Set-Cookie`s that delete the session. */
export const endedSessionCookies = (request: CookieRequest): readonly string[] => [
  sessionCookie('', 0, request),
  providerCookie('', 0, request),
]

/** `Set-Cookie`s of a session that began at a provider. */
export const providerSessionCookies = (
  { text, maxAgeS }: NewSession,
  idToken: string,
  request: CookieRequest,
): readonly string[] => [
  sessionCookie(text, maxAgeS, request),
  providerCookie(idToken, maxAgeS, request),
]

/**
 * `Set-Cookie`s of a session that began here.
 * @param hasProvider then the token of an earlier session is deleted, so that it does not lead this one's sign-out there
 */
export const ownSessionCookies = (
  { text, maxAgeS }: NewSession,
  hasProvider: boolean,
  request: CookieRequest,
): readonly string[] => [
  sessionCookie(text, maxAgeS, request),
  ...(hasProvider ? [providerCookie('', 0, request)] : []),
]

/** The id token of the sign-in; null if it was too large to keep, undefined if the session began with a password. */
export const readProviderCookie = (header: string | undefined): string | null | undefined => {
  const text = read(header, PROVIDER_NAME)
  if (text === null || text === '') return undefined
  return text === 'none' ? null : text
}

/** A `Set-Cookie` of an identity that waits for a password; an empty text deletes the cookie. */
export const linkCookie = (text: string, request: CookieRequest): string =>
  shortCookie({ name: LINK_NAME, path: '/api/auth/login', text }, request)

export const readLinkCookie = (header: string | undefined): string | null => read(header, LINK_NAME)
