/**
 * Keeps git away from addresses that no repository has: the link-local range, where clouds hand out their secrets, and
 * on shared instances (SVC_GIT_NETWORK=public) every address that is not public. A name is resolved here and git is told
 * the answer, so that it cannot be resolved to another one a moment later.
 */
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { isPublicAddress } from '#core/network/public-address.ts'
import { parseNetwork } from '#core/network/special-networks.ts'
import { type GitAddress, refuseAddress } from './address.ts'
import { unreachable } from './failure.ts'

export type GitNetwork = 'any' | 'public'

/** Never the home of a repository: unspecified, link-local, multicast, broadcast, the metadata service of a cloud. */
const NEVER = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '255.255.255.255/32',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::/32',
] as const

const never = new BlockList()
for (const text of NEVER) {
  const { address, bits } = parseNetwork(text)
  never.addSubnet(address, bits, address.includes(':') ? 'ipv6' : 'ipv4')
}

/** @param ip a literal address, of either family */
export const isClosed = (ip: string, network: GitNetwork): boolean =>
  never.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4') ||
  (network === 'public' && !isPublicAddress(ip))

export type Resolver = (host: string) => Promise<readonly string[]>

export const resolveHost: Resolver = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/**
 * The address at which git shall reach the host; null for a path of this machine.
 * @throws {AppError} invalid `url_not_allowed`; bad_gateway `git_unreachable`: the name is not known
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
    throw unreachable('its host name is not known', cause)
  }
  const [first] = found
  if (first === undefined) throw unreachable('its host name is not known')
  // one bad answer among good ones is how names are made to lead inside
  if (found.some((ip) => isClosed(ip, network))) {
    throw refuseAddress('The host of this address is not one that git sources may reach.')
  }
  return first
}
