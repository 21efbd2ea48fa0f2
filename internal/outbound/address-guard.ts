/**
 * Which hosts may be fetched from on a stranger's word. A name is resolved once, every answer must be public, and the
 * answer that was looked at is the one that is dialled: whoever owns the name cannot change it in between.
 */

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type AppError, invalid } from '#core/error.ts'
import { MAX_URL_LENGTH } from '#core/network/document-url.ts'
import { isPublicAddress } from '#core/network/public-address.ts'

/** @throws {Error} the name is not known */
export type Resolver = (host: string) => Promise<readonly string[]>

/** Machines without IPv6 still get such answers: IPv4 stands first. */
export const resolveHost: Resolver = async (host) =>
  (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address)

/** Of every interface; they come and go, so they are asked for at each fetch. */
export const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((found) =>
    (found ?? []).map(({ address }) => address.replace(/%.*$/, '')),
  )

export const refuseUrl = (why: string): AppError =>
  invalid(`This address may not be fetched: ${why}`, { code: 'url_not_allowed' })

export type GuardRules = Readonly<{
  /** `host` or `host:port`, each free of the rule on addresses (SVC_FETCH_ALLOW). */
  allow: readonly string[]
  resolve: Resolver
  ownAddresses: () => readonly string[]
}>

/** Control characters and spaces, which the URL parser drops in silence, and backslashes, which it turns round. */
const AMBIGUOUS = /[\p{Cc}\p{Z}\\]/u
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** @throws {AppError} invalid `url_not_allowed` */
export const parseFetchUrl = (text: string): URL => {
  if (text.length > MAX_URL_LENGTH) throw refuseUrl('it is too long.')
  const url = AMBIGUOUS.test(text) ? null : URL.parse(text)
  if (url === null) throw refuseUrl('it is no complete http or https address.')
  if (DEFAULT_PORTS[url.protocol] === undefined) throw refuseUrl('it is neither http nor https.')
  if (url.username !== '' || url.password !== '' || /^https?:\/*[^/?#]*@/i.test(text)) {
    throw refuseUrl('it holds credentials.')
  }
  return url
}

export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
export const portOf = ({ port, protocol }: URL): string => port || (DEFAULT_PORTS[protocol] ?? '')

const bare = (entry: string): string => entry.toLowerCase().replace(/^\[|\]$/g, '')

const isAllowed = (url: URL, allow: readonly string[]): boolean => {
  const { hostname } = url
  const names = [bare(hostname), `${hostname}:${portOf(url)}`]
  return allow.some((entry) => names.includes(bare(entry)) || names.includes(entry.toLowerCase()))
}

/**
 * The address to dial.
 * @throws {AppError} invalid `url_not_allowed`
 * @throws {Error} the name is not known
 */
export const guardUrl = async (url: URL, rules: GuardRules): Promise<string> => {
  const host = hostOf(url)
  const found = isIP(host) === 0 ? await rules.resolve(host) : [host]
  const [first] = found
  if (first === undefined) throw new Error('The name has no address.')
  if (isAllowed(url, rules.allow)) return first
  const own = new Set(rules.ownAddresses())
  // one bad answer among good ones is how names are made to lead inside
  if (!found.every((ip) => isPublicAddress(ip) && !own.has(ip))) {
    throw refuseUrl('its host is not a public one.')
  }
  return first
}
