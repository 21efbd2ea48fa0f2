/**
 * Addresses that are not public: private, loopback, link-local, shared, documentation, multicast, reserved (the
 * IANA special-purpose registries). One list for all code that connects to an address that a caller chose:
 * jobs, git, fetched documents.
 */

export const PRIVATE_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // machines of Azure get their settings and keys there
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const

/**
 * Everything but 2000::/3, which has the public addresses, and those parts of it that are not public: protocol assignments with
 * Teredo, benchmarking and ORCHID, documentation, 6to4. Addresses that contain an IPv4 address (mapped, NAT64) are outside
 * 2000::/3, so none of them is public.
 */
export const PRIVATE_IPV6 = [
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
] as const

/**
 * What nothing may reach for a caller, even where private addresses are allowed: this network, link-local, multicast, reserved
 * addresses, and the metadata services of clouds, which expose credentials.
 */
export const NEVER_REACHED = [
  '0.0.0.0/8',
  '100.100.100.200/32',
  // machines of Azure get their settings and keys there
  '168.63.129.16/32',
  '169.254.0.0/16',
  '192.0.0.192/32',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  // Scaleway, Oracle Cloud, and the services of AWS, one of which gives pods their keys
  'fd00:42::42/128',
  'fd00:c1::a9fe:a9fe/128',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fe80::/10',
  'ff00::/8',
] as const

/** IPv6 addresses that lead to an IPv4 address in them. */
export const WITH_IPV4 = {
  compatible: '::/96',
  mapped: '::ffff:0:0/96',
  translated: '::ffff:0:0:0/96',
  nat64: '64:ff9b::/96',
  /** The length of the local prefix decides where the IPv4 address is. */
  localNat64: '64:ff9b:1::/48',
  /** The addresses of the server and of the client; the latter is inverted. */
  teredo: '2001::/32',
  sixToFour: '2002::/16',
} as const

export type Network = Readonly<{ address: string; bits: number }>

/** `10.0.0.0/8`; without a slash, one address. */
export const parseNetwork = (text: string): Network => {
  const [address = '', bits] = text.split('/')
  return { address, bits: bits === undefined ? 32 : Number(bits) }
}
