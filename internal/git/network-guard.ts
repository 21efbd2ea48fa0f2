/**
 * Keeps git away from addresses that no repository has: the link-local range, where clouds hand out their secrets, and
 * on shared instances (SVC_GIT_NETWORK=public) every address that is not public. A name is resolved here and git is told
 * the answer, so that it cannot be resolved to another one a moment later.
 */
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { type GitAddress, refuseAddress } from './address.ts'
import { unreachable } from './failure.ts'

export type GitNetwork = 'any' | 'public'

type Subnet = readonly [net: string, prefix: number]

/** Never the home of a repository: unspecified, link-local, multicast, broadcast. */
const NEVER: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
]

/** Not public (the IANA special-purpose registries). */
const NOT_PUBLIC: readonly Subnet[] = [
  ...NEVER,
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['240.0.0.0', 4],
  ['::1', 128],
  ['fc00::', 7],
  ['64:ff9b::', 96],
  ['2002::', 16],
]

const toBlockList = (subnets: readonly Subnet[]): BlockList => {
  const list = new BlockList()
  for (const [net, prefix] of subnets) {
    list.addSubnet(net, prefix, net.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}

const CLOSED: Readonly<Record<GitNetwork, BlockList>> = {
  any: toBlockList(NEVER),
  public: toBlockList(NOT_PUBLIC),
}

/** @param ip a literal address, of either family */
export const isClosed = (ip: string, network: GitNetwork): boolean =>
  CLOSED[network].check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')

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
