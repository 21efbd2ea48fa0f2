/** The cookie `svc_session` [access 7.2]. */
import { parse, serialize } from 'hono/utils/cookie'
import type { RequestFacts } from '../request.ts'

const NAME = 'svc_session'

/** The cookie's text, or null when there is none. */
export const readSessionCookie = (header: string | undefined): string | null =>
  header === undefined ? null : (parse(header, NAME)[NAME] ?? null)

export type CookieRequest = Readonly<{
  /** Secure unless the request came over plain http. */
  isSecure: boolean
}>

/** Secure unless the request came over plain http [access 7.2]. */
export const cookieRequestOf = ({ baseUrl }: Pick<RequestFacts, 'baseUrl'>): CookieRequest => ({
  isSecure: baseUrl().startsWith('https:'),
})

/** A `Set-Cookie` that keeps the session as long as the server does. */
export const sessionCookie = (text: string, maxAgeS: number, { isSecure }: CookieRequest): string =>
  serialize(NAME, text, {
    httpOnly: true,
    secure: isSecure,
    sameSite: 'Lax',
    path: '/',
    maxAge: maxAgeS,
  })

/** A `Set-Cookie` that takes it away. */
export const endedSessionCookie = (request: CookieRequest): string => sessionCookie('', 0, request)
