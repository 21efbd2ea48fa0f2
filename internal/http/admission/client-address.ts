/**
 * Finds the caller's address. X-Forwarded-For counts only if it comes from a configured proxy: any other caller could
 * write any address into it and so escape every limit.
 */
import { BlockList, isIP } from 'node:net'

/** Derives the caller's address from the peer's address and its X-Forwarded-For header; null if there is no peer. */
export type ToClientAddress = (
  peer: string | null,
  forwardedFor: string | undefined,
) => string | null

/** A dual-stack socket reports 10.0.0.1 as `::ffff:10.0.0.1`. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** Some proxies add the port of the connection: `192.0.2.7:51234`, `[2001:db8::7]:51234`. */
const WITH_PORT = /^\[([^\]]+)\](?::\d+)?$|^(\d+(?:\.\d+){3}):\d+$/

const toHop = (text: string): string => {
  const hop = text.trim()
  const [, ipv6, ipv4] = WITH_PORT.exec(hop) ?? []
  return withoutMapping(ipv6 ?? ipv4 ?? hop)
}

/**
 * @param trustedProxies addresses and subnets (`10.0.0.0/8`)
 * @throws {Error} an entry is neither an address nor a subnet
 */
export const createClientAddress = (trustedProxies: readonly string[]): ToClientAddress => {
  const trusted = new BlockList()
  for (const entry of trustedProxies) addTrusted(trusted, entry)
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return (peer, forwardedFor) => {
    if (peer === null) return null
    let address = withoutMapping(peer)
    if (forwardedFor === undefined) return address
    // from the nearest hop to the farthest: a hop counts as long as a trusted hop named it
    const hops = forwardedFor.split(',').map(toHop)
    while (isTrusted(address)) {
      const farther = hops.pop()
      if (farther === undefined || isIP(farther) === 0) break
      address = farther
    }
    return address
  }
}

const addTrusted = (trusted: BlockList, entry: string): void => {
  const [address = '', bits] = entry.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  const size = bits === undefined ? null : Number(bits)
  const most = family === 'ipv6' ? 128 : 32
  if (
    isIP(address) === 0 ||
    (size !== null && !(Number.isInteger(size) && size >= 0 && size <= most))
  ) {
    throw new Error(
      `SVC_TRUSTED_PROXIES: "${entry}" is neither an address nor a subnet like 10.0.0.0/8.`,
    )
  }
  if (size === null) trusted.addAddress(address, family)
  else trusted.addSubnet(address, size, family)
}
