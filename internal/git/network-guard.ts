/**
 * Refuses hosts that git must not reach: link-local addresses, where cloud metadata services expose credentials, and on
 * shared instances (SVC_GIT_NETWORK=public) every address that is not public. The name is resolved here, and git connects
 * to that address, so that a second resolution (DNS rebinding) cannot return another one.
 */
import { BlockList, isIP } from 'node:net'
import { isPublicAddress } from '#core/network/public-address.ts'
import { NEVER_REACHED, parseNetwork } from '#core/network/special-networks.ts'
import { type GitAddress, refuseAddress } from './address.ts'
import { unreachable } from './failure.ts'

export type GitNetwork = 'any' | 'public'

/** Never allowed, not even on an instance that allows private addresses. */
const NEVER = [
  ...NEVER_REACHED,
  '255.255.255.255/32',
  'fd00:ec2::/32',
  // link-local addresses behind NAT64
  '64:ff9b::a9fe:0/112',
] as const

const never = new BlockList()
for (const text of NEVER) {
  const { address, bits } = parseNetwork(text)
  never.addSubnet(address, bits, address.includes(':') ? 'ipv6' : 'ipv4')
}

/** Returns whether git must not connect to an address. @param ip a literal IPv4 or IPv6 address */
export const isClosed = (ip: string, network: GitNetwork): boolean =>
  never.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4') ||
  (network === 'public' && !isPublicAddress(ip))

/** Resolves a name to all its addresses. */
export type Resolver = (host: string) => Promise<readonly string[]>

/**
 * Returns the address to which git must connect; null for a path of this machine.
 * @throws {AppError} invalid `url_not_allowed`; bad_gateway `git_unreachable`: the name does not resolve
 */
export const guardHost = async (
  { host }: GitAddress,
  network: GitNetwork,
  resolve: Resolver,
): Promise<string | null> => {
  if (host === null) return null
  let found: readonly string[]
  try {
    found = isIP(host) === 0 ? await resolve(host) : [host]
  } catch (cause) {
    throw unreachable('its host name does not resolve', cause)
  }
  const [first] = found
  if (first === undefined) throw unreachable('its host name does not resolve')
  // one private address among public ones is an attempt to reach the internal network
  if (found.some((ip) => isClosed(ip, network))) {
    throw refuseAddress('Git sources may not reach the host of this address.')
  }
  return first
}
