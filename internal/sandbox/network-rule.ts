/**
 * Which addresses a job may reach at level `runtime`, as Deno's permission flags (contract, fine print 17).
 *
 * Deno checks a name against the allow list and, after resolving it, each of its addresses against the deny list. The
 * deny list takes IPv4 networks but no IPv6 networks, only single addresses. So IPv6 is closed from the other side: the
 * allow list names all IPv4 and every public top-level domain, hence no IPv6 literal, no unix socket and no bare or
 * private name (`db`, `x.internal`), and the resolver is told to answer with IPv4 only. What a resolver that does not
 * obey leaves open stands in `networkNotes`.
 */
import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { domainToASCII } from 'node:url'
import topLevelDomains from 'tlds' with { type: 'json' }

/** Private, loopback, link-local, shared, test, multicast and reserved networks. */
const DENIED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const

/** The last is a metadata service. */
const DENIED_IPV6 = ['[::1]', '[::]', '[fd00:ec2::254]'] as const

/** A name, perhaps with `*.` before it, or an IPv4 address; perhaps a port. */
const HOST = /^(?:\*\.)?[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?(?::\d{1,5})?$/i

/** glibc from 2.36 on: names are resolved to IPv4 only. */
export const RESOLVER_ENVIRONMENT = { RES_OPTIONS: 'no-aaaa' } as const

const ANY_PUBLIC = [...topLevelDomains.map((name) => `*.${domainToASCII(name)}`), '0.0.0.0/0']

const interfaceAddresses = () =>
  Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])

/** Of every interface, the public ones as well. Interfaces come and go: ask at each start. */
const ownAddresses = (): readonly string[] =>
  interfaceAddresses().map(({ family, address }) =>
    family === 'IPv6' ? `[${address.replace(/%.*$/, '')}]` : address,
  )

/** The resolver's option does not keep names of the hosts file to IPv4. */
const ipv6OfHostsFile = (): readonly string[] => {
  try {
    return readFileSync('/etc/hosts', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s/)[0] ?? '')
      .filter(isIPv6)
      .map((address) => `[${address.replace(/%.*$/, '')}]`)
  } catch {
    return []
  }
}

/**
 * The flags for one process.
 * @param network the action's `network`: null any public address, empty none
 * @throws {Error} an entry is no host name
 */
export const networkFlags = (network: readonly string[] | null): readonly string[] => {
  if (network?.length === 0) return []
  const wrong = network?.find((entry) => !HOST.test(entry))
  if (wrong !== undefined) {
    throw new Error(
      `\`network\` holds ${JSON.stringify(wrong)}: write host names or IPv4 addresses, each perhaps with a port.`,
    )
  }
  const allowed = network ?? ANY_PUBLIC
  const denied = new Set([...DENIED_IPV4, ...DENIED_IPV6, ...ownAddresses(), ...ipv6OfHostsFile()])
  return [`--allow-net=${allowed.join(',')}`, `--deny-net=${[...denied].join(',')}`]
}

/** What the flags leave open on this machine, for the operator. Empty when nothing is. */
export const networkNotes = (): readonly string[] =>
  interfaceAddresses().some(({ family, internal }) => family === 'IPv6' && !internal)
    ? [
        'At level runtime jobs use IPv4 only. A name of the author’s own that resolves to a private IPv6 address is refused only where the resolver knows `no-aaaa` (glibc 2.36 or later, not systemd-resolved’s module).',
      ]
    : []
