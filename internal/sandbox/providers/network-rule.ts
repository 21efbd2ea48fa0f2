/**
 * Which addresses a job may reach at level `runtime`, as Deno's permission flags.
 *
 * Deno checks what a script names against the allow list, and each address that a name resolves to against the
 * deny list. Deno 2.9 has two gaps: its deny list takes no IPv6 networks, and its IPv4 networks do not match IPv4
 * addresses in IPv6 form (`::ffff:127.0.0.1`). So IPv6 is closed by the allow list. That list names the public
 * IPv4 networks and every public top-level domain, hence no IPv6 literal, no private address in any form, no unix
 * socket and no bare or private name (`db`, `x.internal`). The resolver is also configured to answer with IPv4
 * only. `networkNotes` describes what stays open if a resolver ignores that.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import process from 'node:process'
import { domainToASCII } from 'node:url'
import topLevelDomains from 'tlds' with { type: 'json' }
import { isWrittenPrivate } from '#core/network/egress-grant.ts'
import { NEVER_REACHED, PRIVATE_IPV4 } from '#core/network/special-networks.ts'
import { ownAddresses } from '../egress/own-addresses.ts'
import { readText } from '../linux/process-tree.ts'
import { publicIpv4Networks } from './ipv4-networks.ts'

/** Deno takes no IPv6 networks. Of those of AWS these two have credentials. */
const DENIED_IPV6 = [
  '::1',
  ...NEVER_REACHED.filter((text) => text.endsWith('/128')).map((text) => text.replace('/128', '')),
  'fd00:ec2::23',
  'fd00:ec2::254',
].map((address) => `[${address}]`)

/** A name with an optional leading `*.`, or an IPv4 address, each with an optional port. */
const HOST = /^(?:\*\.)?([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::\d{1,5})?$/i

/** Makes glibc 2.36 and later resolve names to IPv4 only. */
export const RESOLVER_ENVIRONMENT = { RES_OPTIONS: 'no-aaaa' } as const

let anyPublic: readonly string[] | undefined

/** Every public host. The list is made at its first use: it takes 8 ms, and bubblewrap does not need it. */
const anyPublicHost = (): readonly string[] => {
  anyPublic ??= [
    ...topLevelDomains.map((name) => `*.${domainToASCII(name)}`),
    ...publicIpv4Networks(),
  ]
  return anyPublic
}

const inFlag = (address: string): string => (isIPv6(address) ? `[${address}]` : address)

/** The resolver's option does not apply to names from the hosts file, so their IPv6 addresses are denied one by one. */
const ipv6OfHostsFile = (): readonly string[] =>
  readText('/etc/hosts')
    .split('\n')
    .map((line) => line.trim().split(/\s/)[0] ?? '')
    .filter(isIPv6)
    .map((address) => address.replace(/%.*$/, ''))

/** core/network/network-entry.ts checks entries at deploy; this is the last check before the flags. */
const hostOf = (entry: string): string => {
  const host = HOST.exec(entry)?.[1]
  if (host !== undefined) return host
  throw new Error(
    `\`network\` holds ${JSON.stringify(entry)}: write host names or IPv4 addresses, each perhaps with a port.`,
  )
}

/** For guests whose addresses the egress proxy checks. @throws {Error} an entry is not a host */
export const checkEntries = (network: readonly string[] | null): void =>
  void network?.forEach(hostOf)

/**
 * Leaves out private addresses. The flags cannot grant one port of an address and at the same time keep
 * names from leading to its other ports. The egress proxy's socket serves them instead.
 */
const isForFlags = (entry: string): boolean => !isWrittenPrivate(hostOf(entry).toLowerCase())

/** A comma in the path would end the entry. */
const toSocketEntry = (path: string): string => {
  if (!path.includes(',')) return `unix:${path}`
  throw new Error(`The temporary folder ${path} has a comma in its name: set TMPDIR to another.`)
}

/**
 * Builds the flags for one process.
 * @param network the action's `network`: null allows any public address, an empty list none
 * @param socket a unix socket that the process may connect to
 * @throws {Error} an entry is not a host name
 */
export const networkFlags = (
  network: readonly string[] | null,
  socket?: string,
): readonly string[] => {
  if (network?.length === 0) return []
  const hosts = network?.filter(isForFlags) ?? anyPublicHost()
  const allowed = socket === undefined ? hosts : [...hosts, toSocketEntry(socket)]
  // a flag without a list would allow everything
  if (allowed.length === 0) return []
  const here = [...ownAddresses(), ...ipv6OfHostsFile()].map(inFlag)
  const denied = new Set([...PRIVATE_IPV4, ...DENIED_IPV6, ...here])
  return [`--allow-net=${allowed.join(',')}`, `--deny-net=${[...denied].join(',')}`]
}

/** Needs glibc 2.36 or later, and no module before DNS that ignores the option. */
const resolverObeys = (): boolean => {
  if (/^hosts:.*\bresolve\b/m.test(readText('/etc/nsswitch.conf'))) return false
  try {
    const version = execFileSync('getconf', ['GNU_LIBC_VERSION'], { encoding: 'utf8' })
    const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
    return Number(major) * 1_000 + Number(minor) >= 2_036
  } catch {
    return false
  }
}

/** What the flags leave open on this machine, for the operator. Empty if nothing is. */
export const networkNotes = (): readonly string[] => {
  // a kernel without IPv6 cannot connect over IPv6
  if (process.platform === 'linux' && !existsSync('/proc/net/if_inet6')) return []
  if (resolverObeys()) return []
  return [
    'The resolver of this machine cannot be kept to IPv4 (that takes glibc 2.36 or later, without nss-resolve): a job that controls a domain reaches private addresses by an AAAA record. Run only code that you trust with them, or switch IPv6 off in the kernel.',
  ]
}
