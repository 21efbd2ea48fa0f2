/**
 * Cross-site request forgery: a browser sends the session cookie along with whatever page asks it to, so an unsafe
 * method by cookie must come from our own pages [access 7.3].
 */
import type { Method } from '../endpoint.ts'

export type OriginFacts = Readonly<{
  /** `Sec-Fetch-Site`, which pages cannot set; every current browser sends it over https and on localhost. */
  fetchSite: string | undefined
  origin: string | undefined
  /** Addresses that people reach us under: the request's own and SVC_BASE_URL. */
  ownOrigins: readonly string[]
}>

/** GET is the only method of routes that changes nothing. */
export const isSafeMethod = (method: Method): boolean => method === 'get'

/** Without both headers the answer is no: every browser sends one, and other clients have no cookie to protect. */
export const isSameOrigin = ({ fetchSite, origin, ownOrigins }: OriginFacts): boolean =>
  fetchSite === undefined
    ? origin !== undefined && ownOrigins.includes(origin)
    : fetchSite === 'same-origin'

/** A page of ours behind a proxy that ends TLS has https in its origin, and our host. */
export const originsOf = (host: string | undefined): readonly string[] =>
  host === undefined ? [] : [`https://${host}`, `http://${host}`]
