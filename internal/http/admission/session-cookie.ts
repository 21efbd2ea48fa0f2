/**
 * The cookies of sessions, and of sign-ins at a provider [access 7.2].
 *
 * Guarantee: over https, no other host gives a browser a session or a sign-in. Any host below the same registrable domain, and any
 * page of an app there, can set a cookie `svc_session` for svc too, and the server cannot tell it from its own. Browsers accept a
 * name that begins with `__Host-` only from svc's own host over https, so such a cookie decides. Plain http has no such name.
 */
import { parse, serialize } from 'hono/utils/cookie'
import { HOST_ONLY_PREFIX, PROVIDER_COOKIES, SESSION_COOKIE } from '#core/access/cookie-names.ts'
import { SIGN_IN_S } from '#service/people/sign-in-by-oidc.ts'
import type { StartedSession } from '#service/people/start-session.ts'
import type { RequestFacts } from '../request.ts'

/** Each holds the state of one sign-in at a provider, so that several tabs may sign in at once. */
const STATE_NAMES = [
  PROVIDER_COOKIES,
  `${PROVIDER_COOKIES}_2`,
  `${PROVIDER_COOKIES}_3`,
  `${PROVIDER_COOKIES}_4`,
] as const
export type StateName = (typeof STATE_NAMES)[number]
/** Names an identity that waits for the password of its account. */
const LINK_NAME = `${PROVIDER_COOKIES}_link`
/** Keeps the id token that identifies the person to the provider when the session ends. */
const PROVIDER_NAME = `${PROVIDER_COOKIES}_session`
/** Bytes. Browsers keep cookies up to 4,096; if the token is missing, the provider prompts the person at logout. */
const MAX_TOKEN = 3_500

const read = (header: string | undefined, name: string): string | null =>
  header === undefined ? null : (parse(header, name)[name] ?? null)

export type CookieRequest = Readonly<{
  /** Secure unless the request came over plain http. */
  isSecure: boolean
}>

type CookieFacts = Pick<RequestFacts, 'baseUrl' | 'header'>

/** Secure unless the request came over plain http [access 7.2]. */
export const cookieRequestOf = ({ baseUrl }: Pick<RequestFacts, 'baseUrl'>): CookieRequest => ({
  isSecure: baseUrl().startsWith('https:'),
})

/** A cookie that the browser has from this host alone, if the request is secure. */
const readOwn = (facts: CookieFacts, name: string): string | null =>
  read(facts.header('cookie'), ownName(name, cookieRequestOf(facts)))

const ownName = (name: string, { isSecure }: CookieRequest): string =>
  isSecure ? `${HOST_ONLY_PREFIX}${name}` : name

/** Values of all cookies with the name. */
const valuesOf = (header: string, name: string): ReadonlySet<string> =>
  new Set(
    header.split(';').flatMap((pair) => {
      const value = read(pair, name)
      return value === null ? [] : [value]
    }),
  )

/** The session's text; null if there is none, or if it is unknown which of several svc has set. */
export const readSessionCookie = (facts: CookieFacts): string | null => {
  const header = facts.header('cookie') ?? ''
  const [text = null, ...others] = valuesOf(header, SESSION_COOKIE)
  if (!cookieRequestOf(facts).isSecure) return others.length === 0 ? text : null
  const own = read(header, `${HOST_ONLY_PREFIX}${SESSION_COOKIE}`)
  // every browser sends this header over https, and a page cannot leave it out; programs do not, and no other host sets their cookies
  return own ?? (facts.header('sec-fetch-dest') === undefined ? text : null)
}

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

/** Keeps the session as long as the server does. Programs use the plain name. */
const sessionCookies = (
  text: string,
  maxAgeS: number,
  request: CookieRequest,
): readonly string[] => {
  const names = request.isSecure
    ? [SESSION_COOKIE, `${HOST_ONLY_PREFIX}${SESSION_COOKIE}`]
    : [SESSION_COOKIE]
  return names.map((name) => write({ name, path: '/', text, maxAgeS }, request))
}

/** Browsers take the name of a host-only cookie with the path `/` alone. */
const shortCookie = (
  { name, path, text }: Pick<Cookie, 'name' | 'path' | 'text'>,
  request: CookieRequest,
): string =>
  write(
    {
      name: ownName(name, request),
      path: request.isSecure ? '/' : path,
      text,
      maxAgeS: text === '' ? 0 : SIGN_IN_S,
    },
    request,
  )

/** A `Set-Cookie` of a sign-in at a provider; an empty text deletes the cookie. */
export const stateCookie = (name: StateName, text: string, request: CookieRequest): string =>
  shortCookie({ name, path: '/api/auth/oidc', text }, request)

/** The cookies of all sign-ins that this browser has begun. */
export const readStateCookies = (
  facts: CookieFacts,
): readonly Readonly<{ name: StateName; text: string }>[] =>
  STATE_NAMES.flatMap((name) => {
    const text = readOwn(facts, name)
    return text === null ? [] : [{ name, text }]
  })

/** The cookie for a further sign-in; that of the first one if all are taken, so that they do not grow without limit. */
export const freeStateName = (facts: CookieFacts): StateName => {
  const taken = readStateCookies(facts).map(({ name }) => name)
  return STATE_NAMES.find((name) => !taken.includes(name)) ?? STATE_NAMES[0]
}

const providerCookie = (idToken: string, maxAgeS: number, request: CookieRequest): string => {
  const text = idToken.length > MAX_TOKEN ? 'none' : idToken
  return write({ name: PROVIDER_NAME, path: '/api/auth/logout', text, maxAgeS }, request)
}

/** `Set-Cookie`s that delete the session. */
export const endedSessionCookies = (request: CookieRequest): readonly string[] => [
  ...sessionCookies('', 0, request),
  providerCookie('', 0, request),
]

/** `Set-Cookie`s of a session that began at a provider. */
export const providerSessionCookies = (
  { text, maxAgeS }: StartedSession,
  idToken: string,
  request: CookieRequest,
): readonly string[] => [
  ...sessionCookies(text, maxAgeS, request),
  providerCookie(idToken, maxAgeS, request),
]

/**
 * `Set-Cookie`s of a session that began here.
 * @param hasProvider then the token of an earlier session is deleted, so that it does not lead this one's sign-out there
 */
export const ownSessionCookies = (
  { text, maxAgeS }: StartedSession,
  hasProvider: boolean,
  request: CookieRequest,
): readonly string[] => [
  ...sessionCookies(text, maxAgeS, request),
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

export const readLinkCookie = (facts: CookieFacts): string | null => readOwn(facts, LINK_NAME)
