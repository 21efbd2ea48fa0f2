/**
 * Functions under `/fn/` share svc's own origin with the console and the API, so a browser treats their responses as svc's
 * own pages [functions 10]. This file defines which credentials never reach a function, and how a response on that origin is
 * confined.
 */
import { HOST_ONLY_PREFIX, PROVIDER_COOKIES, SESSION_COOKIE } from '../access/cookie-names.ts'
import { containsCredential } from '../access/credentials.ts'

type Header = readonly [name: string, value: string]

const MAY_HOLD_BEARER = ['authorization', 'proxy-authorization', 'x-api-key']

/** @returns an empty text if the text is not base64 */
const decodeBase64 = (text: string): string => {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}

/** Returns user name and password of `Basic`; empty if there are none. */
const basicText = (value: string): string => {
  const [scheme = '', encoded = ''] = value.trim().split(/\s+/, 2)
  return scheme.toLowerCase() === 'basic' ? decodeBase64(encoded) : ''
}

/** Returns the name that the cookie has when a browser sends it back: of `=a=1`, which has no name, it sends `a=1`. */
const cookieName = (pair: string): string =>
  pair
    .replace(/^[\s=]+/, '')
    .split(/[=;]/, 1)[0]
    ?.trim() ?? ''

/** Browsers compare the prefix without case. */
const HOST_ONLY = new RegExp(`^${HOST_ONLY_PREFIX}`, 'i')

/**
 * Whether a `Set-Cookie` sets a cookie of svc. An app's host below svc's own could set it for both: with another's state of a
 * sign-in at a provider, a visitor would sign in as that person.
 */
export const setsOwnCookie = (value: string): boolean => {
  const name = cookieName(value).replace(HOST_ONLY, '')
  return name === SESSION_COOKIE || name.startsWith(PROVIDER_COOKIES)
}

/** Without that prefix, browsers send cookies of sign-ins to no function. */
const isWithheld = (pair: string): boolean =>
  cookieName(pair) === SESSION_COOKIE || (HOST_ONLY.test(cookieName(pair)) && setsOwnCookie(pair))

const withoutSession = (cookies: string): string =>
  cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '' && !isWithheld(pair) && !containsCredential(pair))
    .join('; ')

const isOwnCredential = (value: string): boolean =>
  containsCredential(value) || containsCredential(basicText(value))

/**
 * Returns the headers of a call that a function may see: without svc's session cookie and svc's own bearers. Other cookies and
 * bearers stay, because functions check their callers by them.
 */
export const withholdCredentials = (headers: readonly Header[]): readonly Header[] =>
  headers.flatMap(([name, value]): readonly Header[] => {
    const key = name.toLowerCase()
    if (key === 'cookie') {
      const rest = withoutSession(value)
      return rest === '' ? [] : [[name, rest]]
    }
    return MAY_HOLD_BEARER.includes(key) && isOwnCredential(value) ? [] : [[name, value]]
  })

const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups'

/** Headers that change how a browser treats the whole origin, or other pages of it. */
const OF_THE_ORIGIN = [
  'set-cookie',
  'set-cookie2',
  'service-worker-allowed',
  'clear-site-data',
  'strict-transport-security',
  'public-key-pins',
  'public-key-pins-report-only',
  'expect-ct',
  'alt-svc',
  'report-to',
  'reporting-endpoints',
  'nel',
  'accept-ch',
  'critical-ch',
  'origin-agent-cluster',
  'set-login',
  'sec-session-registration',
  'secure-session-registration',
  'use-as-dictionary',
]

/**
 * Confines a response on svc's own origin: a page gets an opaque origin and no access to svc's. Browsers enforce every policy
 * that they get, so the function's own policy can only narrow this one.
 */
export const confineAnswer = (headers: Headers): void => {
  for (const name of OF_THE_ORIGIN) headers.delete(name)
  const own = headers.get('content-security-policy')?.trim() ?? ''
  headers.set('content-security-policy', own === '' ? SANDBOX : `${SANDBOX}, ${own}`)
  headers.set('x-content-type-options', 'nosniff')
}

/** Whether a browser is about to show a page, by what only browsers send, else by what it accepts. */
export const wantsPage = (
  method: string,
  header: (name: string) => string | null | undefined,
): boolean => {
  if (method !== 'GET') return false
  const mode = header('sec-fetch-mode')
  if (typeof mode === 'string') return mode === 'navigate'
  return (header('accept') ?? '').toLowerCase().includes('text/html')
}
