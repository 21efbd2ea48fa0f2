/** The cookie `svc_session` [access 7.2]. */
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

/** The cookie's text, or null when there is none. */
export const readSessionCookie = (header: string | undefined): string | null =>
  header === undefined ? null : (parse(header, NAME)[NAME] ?? null)

export type CookieRequest = Readonly<{
  /** Secure unless the request came over plain http. */
  isSecure: boolean
}>

type NewSession = Readonly<{ text: string; maxAgeS: number }>

/** Secure unless the request came over plain http [access 7.2]. */
export const cookieRequestOf = ({ baseUrl }: Pick<RequestFacts, 'baseUrl'>): CookieRequest => ({
  isSecure: baseUrl().startsWith('https:'),
})

/** A `Set-Cookie` that keeps the session as long as the server does. */
const sessionCookie = (text: string, maxAgeS: number, { isSecure }: CookieRequest): string =>
  serialize(NAME, text, {
    httpOnly: true,
    secure: isSecure,
    sameSite: 'Lax',
    path: '/',
    maxAge: maxAgeS,
  })

type ShortCookie = Readonly<{ name: string; path: string }>

const shortCookie = (
  { name, path }: ShortCookie,
  text: string,
  { isSecure }: CookieRequest,
): string =>
  serialize(name, text, {
    httpOnly: true,
    secure: isSecure,
    sameSite: 'Lax',
    path,
    maxAge: text === '' ? 0 : SIGN_IN_S,
  })

const readNamed = (header: string | undefined, name: string): string | null =>
  header === undefined ? null : (parse(header, name)[name] ?? null)

/** A `Set-Cookie` of a sign-in at a provider; an empty text deletes the cookie. */
export const stateCookie = (name: StateName, text: string, request: CookieRequest): string =>
  shortCookie({ name, path: '/api/auth/oidc' }, text, request)

/** The cookies of all sign-ins that this browser has begun. */
export const readStateCookies = (
  header: string | undefined,
): readonly Readonly<{ name: StateName; text: string }>[] =>
  STATE_NAMES.flatMap((name) => {
    const text = readNamed(header, name)
    return text === null ? [] : [{ name, text }]
  })

/** The cookie for a further sign-in; that of the first one if all are taken, so that they do not grow without limit. */
export const freeStateName = (header: string | undefined): StateName => {
  const taken = readStateCookies(header).map(({ name }) => name)
  return STATE_NAMES.find((name) => !taken.includes(name)) ?? STATE_NAMES[0]
}

/** It is for the browser alone: scripts cannot read the token. */
const providerCookie = (idToken: string, maxAgeS: number, { isSecure }: CookieRequest): string =>
  serialize(PROVIDER_NAME, idToken.length > MAX_TOKEN ? 'none' : idToken, {
    httpOnly: true,
    secure: isSecure,
    sameSite: 'Lax',
    path: '/api/auth/logout',
    maxAge: maxAgeS,
  })

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
  const text = readNamed(header, PROVIDER_NAME)
  if (text === null || text === '') return undefined
  return text === 'none' ? null : text
}

/** A `Set-Cookie` of an identity that waits for a password; an empty text deletes the cookie. */
export const linkCookie = (text: string, request: CookieRequest): string =>
  shortCookie({ name: LINK_NAME, path: '/api/auth/login' }, text, request)

export const readLinkCookie = (header: string | undefined): string | null =>
  readNamed(header, LINK_NAME)
