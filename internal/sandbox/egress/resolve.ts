/**
 * The addresses at which a job may reach a destination. A name is resolved once, every address is judged, and the
 * proxy dials only these, so that a name that resolves to another address a moment later changes nothing.
 */
import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { isPublicAddress } from '#core/network/public-address.ts'
import { ownAddresses } from './own-addresses.ts'

export type NameResolver = (host: string) => Promise<readonly string[]>

export type Judged =
  | Readonly<{ kind: 'open'; addresses: readonly string[] }>
  | Readonly<{ kind: 'closed'; reason: string }>

const TIMEOUT_MS = 3_000
const TRIES = 2

/** Asks the name servers itself: the system's resolver answers from the hosts file too, on threads that svc shares. */
export const resolveName: NameResolver = async (host) => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** In whatever way it is written: IPv6 has many. */
const isOwnAddress = (address: string): boolean => {
  const own = new BlockList()
  for (const one of ownAddresses()) own.addAddress(one, isIPv6(one) ? 'ipv6' : 'ipv4')
  return own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Whether jobs may reach an address: it is public, and none of this machine's own. */
export const isOpenAddress = (address: string): boolean =>
  isPublicAddress(address) && !isOwnAddress(address)

/** Never rejects. */
export const judgeHost = async (
  host: string,
  { resolve, isOpen }: Readonly<{ resolve: NameResolver; isOpen: (address: string) => boolean }>,
): Promise<Judged> => {
  const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host]
  if (addresses.length === 0) return { kind: 'closed', reason: 'The name is not known' }
  // one bad answer among good ones is how names are made to lead inside
  return addresses.every(isOpen)
    ? { kind: 'open', addresses }
    : { kind: 'closed', reason: 'It is not a public address' }
}
