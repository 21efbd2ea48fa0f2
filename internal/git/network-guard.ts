/**
 * Refuses hosts that git must not reach: link-local addresses, where cloud metadata services expose credentials, and on
 * shared instances (SVC_GIT_NETWORK=public) every address that is not public. The name is resolved here, and git connects
 * to that address, so that a second resolution (DNS rebinding) cannot return another one.
 */
import { isIP } from 'node:net'
import { isNeverReached, isPublicAddress } from '#core/network/public-address.ts'
import { type GitAddress, refuseAddress } from './address.ts'
import { unreachable } from './failure.ts'

export type GitNetwork = 'any' | 'public'

/** Returns whether git must not connect to an address. @param ip a literal IPv4 or IPv6 address */
export const isClosed = (ip: string, network: GitNetwork): boolean =>
  isNeverReached(ip) || (network === 'public' && !isPublicAddress(ip))

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
