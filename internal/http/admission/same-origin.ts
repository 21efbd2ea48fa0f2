/**
 * Prevents cross-site request forgery. A browser sends the session cookie with requests of any page, so an unsafe method
 * by cookie must come from our own pages [access 7.3].
 */
import { forbidden } from '#core/error.ts'
import type { Method } from '../endpoint.ts'
import type { RequestFacts } from '../request.ts'

export type OriginFacts = Readonly<{
  /** `Sec-Fetch-Site`, which pages cannot set; every current browser sends it over https and on localhost. */
  fetchSite: string | undefined
  origin: string | undefined
  /** Origins under which browsers reach this server: the request's own and SVC_BASE_URL. */
  ownOrigins: readonly string[]
}>

export type OriginRequest = Pick<RequestFacts, 'header' | 'baseUrl'>

export const originFactsOf = ({ header, baseUrl }: OriginRequest): OriginFacts => ({
  fetchSite: header('sec-fetch-site'),
  origin: header('origin'),
  ownOrigins: [baseUrl(), ...originsOf(header('host'))],
})

/** GET is the only method of our routes that changes nothing. */
export const isSafeMethod = (method: Method): boolean => method === 'get'

/** A request without both headers is refused: every browser sends one, and other clients have no cookie to protect. */
export const isSameOrigin = ({ fetchSite, origin, ownOrigins }: OriginFacts): boolean =>
  fetchSite === undefined
    ? origin !== undefined && ownOrigins.includes(origin)
    : fetchSite === 'same-origin'

/** Both schemes count, because a proxy that ends TLS gives our pages an https origin with our host. */
export const originsOf = (host: string | undefined): readonly string[] =>
  host === undefined ? [] : [`https://${host}`, `http://${host}`]

/** Refuses an act by the session cookie that a page of another site requested. @throws {AppError} forbidden `cross_site` */
export const requireOwnPage = (request: OriginRequest): void => {
  if (isSameOrigin(originFactsOf(request))) return
  throw forbidden('With a session cookie this must come from a page of svc itself.', {
    code: 'cross_site',
  })
}
