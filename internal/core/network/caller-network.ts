/**
 * The network by which a limit counts a caller. An IPv4 address is one caller. With IPv6 a host has 2^64 addresses, so all
 * addresses of one /64 network count as one caller.
 */
const IPV6_GROUPS = 8
const NETWORK_GROUPS = 4
const GROUP_BITS = 16
/** `::ffff:192.0.2.1`, as a socket that listens on both families writes IPv4. */
const MAPPED_DOTTED = /^(?:0{0,4}:){1,5}:?ffff:(\d+\.\d+\.\d+\.\d+)$/
/** The first six groups of an IPv4-mapped address. */
const MAPPED_PREFIX = '0:0:0:0:0:ffff'

const expand = (address: string): readonly string[] => {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  if (tail === undefined) return before
  const after = tail === '' ? [] : tail.split(':')
  // a dotted ending stands for two groups; it never reaches the first four
  const missing = Math.max(0, IPV6_GROUPS - before.length - after.length)
  return [...before, ...Array.from({ length: missing }, () => '0'), ...after]
}

const toIpv4 = (groups: readonly string[]): string =>
  groups
    .map((group) => Number.parseInt(group, GROUP_BITS))
    .flatMap((value) => [value >> 8, value & 0xff])
    .join('.')

const SITE_GROUPS = 3

const networkOf = (address: string | null, groupCount: number): string => {
  if (address === null) return 'unknown'
  const [withoutZone = ''] = address.toLowerCase().split('%')
  const dotted = MAPPED_DOTTED.exec(withoutZone)?.[1]
  if (dotted !== undefined) return dotted
  if (!withoutZone.includes(':')) return withoutZone
  const groups = expand(withoutZone).map((group) => group.replace(/^0+(?=.)/, ''))
  if (groups.length === IPV6_GROUPS && groups.slice(0, 6).join(':') === MAPPED_PREFIX) {
    return toIpv4(groups.slice(6))
  }
  return `${groups.slice(0, groupCount).join(':')}::/${groupCount * GROUP_BITS}`
}

/**
 * @param address as a socket or a trusted proxy reports it; null if there is none
 * @returns a text that is equal for callers of one network
 */
export const callerNetworkOf = (address: string | null): string =>
  networkOf(address, NETWORK_GROUPS)

/** Like `callerNetworkOf`, but a whole /48 of IPv6: the 65,536 networks that one customer of a provider has. */
export const callerSiteOf = (address: string | null): string => networkOf(address, SITE_GROUPS)
