/**
 * Grants of private destinations (`SVC_EGRESS_ALLOW`): the addresses inside a network that jobs may reach if their `network`
 * names them [jobs 16]. Pure, so that a deploy and a run decide alike.
 */
import {
  containsIpv4,
  isInNetwork,
  isIpAddress,
  isNeverReached,
  isPublicAddress,
} from './public-address.ts'

/** What one text grants: a host name, or the addresses of a network; each on one port, or on any. */
export type EgressGrant = Readonly<
  ({ host: string } | { network: string }) & { port: number | null }
>

export const MAX_PORT = 65_535
const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?$/i
/** IPv6 is written in brackets, because its colons would hide the port. */
const PARTS = /^(?:\[([\da-f:.]+(?:\/\d{1,3})?)\]|([^:[\]]+))(?::(\d{1,5}))?$/i

/**
 * Whether no grant can open the address. An address that contains an IPv4 address would follow another rule than that one. True
 * for a text that is not an address.
 */
export const isNeverOpen = (address: string): boolean =>
  isNeverReached(address) || containsIpv4(address)

/** An address, perhaps with the length of a network's prefix. */
const NETWORK = /^([^/]+)(?:\/(\d{1,3}))?$/

const isNetwork = (text: string): boolean => {
  const [, address = '', bits = '0'] = NETWORK.exec(text) ?? []
  return isIpAddress(address) && Number(bits) <= (address.includes(':') ? 128 : 32)
}

/** @returns null for a text that is not a grant */
export const parseEgressGrant = (text: string): EgressGrant | null => {
  const [, ipv6, other = '', portText] = PARTS.exec(text) ?? []
  const port = portText === undefined ? null : Number(portText)
  if (port === 0 || (port ?? 1) > MAX_PORT) return null
  const place = ipv6 ?? other
  if (isNetwork(place)) return { network: place.toLowerCase(), port }
  // numbers may be read as an address elsewhere (`127.1`, `0x7f000001`)
  const isNumber = /(?:^|\.)(?:\d+|0x[\da-f]*)$/i.test(place)
  const isName = ipv6 === undefined && NAME.test(place) && !isNumber
  return isName ? { host: place.toLowerCase(), port } : null
}

/** Whether a text is a host, perhaps with a port: not a network and not a URL. */
export const isHostWithPort = (text: string): boolean =>
  (isIpAddress(text) || parseEgressGrant(text) !== null) && !text.includes('/')

/** Leaves out texts that are not grants. They were refused when they were set. */
export const parseEgressGrants = (texts: readonly string[]): readonly EgressGrant[] =>
  texts.map(parseEgressGrant).filter((grant) => grant !== null)

/** Whether a grant has only addresses that svc never opens. */
export const opensNothing = (text: string): boolean => {
  const grant = parseEgressGrant(text)
  if (grant === null || !('network' in grant)) return false
  const [address = '', bits] = grant.network.split('/')
  return isNeverOpen(address) && (bits === undefined || Number(bits) >= 16)
}

export type GrantRequest = Readonly<{
  /** As the job names it: a name in lower case, or an address. */
  host: string
  port: number
  /** One address of the host. */
  address: string
}>

const grants = (grant: EgressGrant, { host, port, address }: GrantRequest): boolean => {
  if (grant.port !== null && grant.port !== port) return false
  return 'host' in grant ? grant.host === host : isInNetwork(address, grant.network)
}

/** Whether a private address is open to a job that names its host. */
export const isGranted = (all: readonly EgressGrant[], request: GrantRequest): boolean =>
  !isNeverOpen(request.address) && all.some((grant) => grants(grant, request))

/** An entry of `network`: a name, perhaps with `*.` before it, or an address. */
export type NetworkEntry = Readonly<{
  host: string
  /** Null for any port. */
  port: number | null
}>

const LOOPBACK = '127.0.0.1'

/** Returns the address of `localhost`, which needs no name server. */
export const addressOf = (host: string): string => (host === 'localhost' ? LOOPBACK : host)

/**
 * Whether a host is private as written: an address, or the machine itself. A name may turn out to be
 * private when it is resolved.
 */
export const isWrittenPrivate = (host: string): boolean => {
  const address = addressOf(host)
  return isIpAddress(address) && !isPublicAddress(address)
}

const splitEntry = (entry: string): NetworkEntry => {
  const [, host = entry, port] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
  return { host, port: port === undefined ? null : Number(port) }
}

/** Whether the grants cover an entry of `network` at least in part. A host without a port fits any granted port. */
const isCovered = (all: readonly EgressGrant[], { host, port }: NetworkEntry): boolean =>
  all.some((grant) =>
    grants(grant, { host, address: addressOf(host), port: port ?? grant.port ?? 1 }),
  )

/** @returns the entries of `network` that a deploy refuses, because nothing grants them */
export const ungrantedEntries = (
  network: readonly string[],
  all: readonly EgressGrant[],
): readonly string[] =>
  network.filter((entry) => {
    const split = splitEntry(entry)
    return isWrittenPrivate(split.host) && !isCovered(all, split)
  })

/** The entries of `network` that name the machine itself. */
export const loopbackEntries = (network: readonly string[] | null): readonly NetworkEntry[] =>
  (network ?? []).map(splitEntry).filter(({ host }) => isInNetwork(addressOf(host), '127.0.0.0/8'))

const namesHost = (entry: string, host: string): boolean =>
  entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : entry === host

/**
 * Returns the entries of `network` that may lead to a private destination: private addresses, granted names, and, if a network
 * is granted, all names, because the address of a name is known only when it is resolved.
 */
export const privateEntries = (
  network: readonly string[] | null,
  all: readonly EgressGrant[],
): readonly NetworkEntry[] =>
  (network ?? []).map(splitEntry).filter(({ host }) => {
    if (isIpAddress(addressOf(host))) return isWrittenPrivate(host)
    return all.some((grant) => !('host' in grant) || namesHost(host, grant.host))
  })

/** The sentence for a private destination that is not granted. */
export const notGranted = (destination: string): string =>
  `${destination} is in a private network and not granted: an operator grants it by SVC_EGRESS_ALLOW or by egress_allow of the workspace`

/** The name of the error of a job that connects to a private destination that is not granted. */
export const NOT_GRANTED = 'NetworkNotGranted'
