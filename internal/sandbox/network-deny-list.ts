/**
 * Addresses that no job may reach at level `runtime` (contract, fine print 17). Deno checks them after it has resolved a
 * name, and takes networks for IPv4 but only single addresses for IPv6.
 */
import { networkInterfaces } from 'node:os'

const DENIED_NETWORKS = [
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
  '[::]',
  '[::1]',
  // the metadata service of a large provider
  '[fd00:ec2::254]',
] as const

const withoutZone = (address: string): string => address.replace(/%.*$/, '')

/** Every address of this machine is one too, the public ones as well. */
export const deniedAddresses = (): readonly string[] => {
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ family, address }) => (family === 'IPv6' ? `[${withoutZone(address)}]` : address))
  return [...new Set([...DENIED_NETWORKS, ...own])]
}

/** True when this machine could reach IPv6 neighbours, which Deno's flags cannot close as networks. */
export const hasRoutableIpv6 = (): boolean =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some(({ family, internal }) => family === 'IPv6' && !internal)
