/** The names of svc's cookies. A function never receives the session, and may set none of them [functions 10, 11]. */

export const SESSION_COOKIE = 'svc_session'

/** Over https, the names begin with this too. Browsers then accept the cookie from svc's own host alone (RFC 6265bis). */
export const HOST_ONLY_PREFIX = '__Host-'

/** The names of the cookies of sign-ins at a provider begin with this. */
export const PROVIDER_COOKIES = 'svc_oidc'
