/**
 * Checks the hosts of URLs that untrusted callers provide. A name is resolved once and every address must be public. The
 * connection goes to the checked address, so that the owner of the name cannot change it in between (DNS rebinding).
 */

import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type AppError, invalid } from '#core/error.ts'
import { MAX_URL_LENGTH } from '#core/network/document-url.ts'
import { isPublicAddress } from '#core/network/public-address.ts'

/** Resolves a name to its addresses. @throws {Error} the name does not resolve */
export type Resolver = (host: string) => Promise<readonly string[]>

/** Returns the addresses of all interfaces; read at each fetch, because interfaces change. */
export const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((found) =>
    (found ?? []).map(({ address }) => address.replace(/%.*$/, '')),
  )

/** Creates the error for a refused URL, `url_not_allowed`. @param why ends with a full stop */
export const refuseUrl = (why: string): AppError =>
  invalid(`This URL may not be fetched: ${why}`, { code: 'url_not_allowed' })

export type GuardRules = Readonly<{
  /** `host` or `host:port` entries that need not be public (SVC_FETCH_ALLOW). */
  allow: readonly string[]
  resolve: Resolver
  ownAddresses: () => readonly string[]
  /** Whether a host may be reached although its addresses are not public. @default never */
  isGranted?: (place: PrivatePlace) => Promise<boolean>
}>

export type PrivatePlace = Readonly<{
  host: string
  port: number
  /** Addresses of the host that are not public, or belong to this machine. */
  addresses: readonly string[]
}>

/** Control characters and spaces, which the URL parser drops silently, and backslashes, which it turns into slashes. */
const AMBIGUOUS = /[\p{Cc}\p{Z}\\]/u
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** Parses a URL that may be fetched. @throws {AppError} invalid `url_not_allowed` */
export const parseFetchUrl = (text: string): URL => {
  if (text.length > MAX_URL_LENGTH) throw refuseUrl('it is too long.')
  const url = AMBIGUOUS.test(text) ? null : URL.parse(text)
  if (url === null) throw refuseUrl('it is not a complete http or https URL.')
  if (DEFAULT_PORTS[url.protocol] === undefined) throw refuseUrl('it is neither http nor https.')
  if (url.username !== '' || url.password !== '' || /^https?:\/*[^/?#]*@/i.test(text)) {
    throw refuseUrl('it contains credentials.')
  }
  return url
}

/** Returns the host without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
/** Returns the port; its default is the protocol's port. */
export const portOf = ({ port, protocol }: URL): string => port || (DEFAULT_PORTS[protocol] ?? '')

const bare = (entry: string): string => entry.toLowerCase().replace(/^\[|\]$/g, '')

const isAllowed = (url: URL, allow: readonly string[]): boolean => {
  const { hostname } = url
  const names = [bare(hostname), `${hostname}:${portOf(url)}`]
  return allow.some((entry) => names.includes(bare(entry)) || names.includes(entry.toLowerCase()))
}

/**
 * Checks the host and returns the address to connect to.
 * @throws {AppError} invalid `url_not_allowed`
 * @throws {Error} the name does not resolve
 */
export const guardUrl = async (url: URL, rules: GuardRules): Promise<string> => {
  const host = hostOf(url)
  const found = isIP(host) === 0 ? await rules.resolve(host) : [host]
  const [first] = found
  if (first === undefined) throw new Error('The name has no address.')
  if (isAllowed(url, rules.allow)) return first
  const own = new Set(rules.ownAddresses())
  // one private address among public ones is an attempt to reach the internal network
  const closed = found.filter((ip) => !isPublicAddress(ip) || own.has(ip))
  if (closed.length > 0) {
    const place = { host: host.toLowerCase(), port: Number(portOf(url)), addresses: closed }
    if ((await rules.isGranted?.(place)) === true) return first
    throw refuseUrl('its host is not public.')
  }
  return first
}
