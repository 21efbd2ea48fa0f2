/**
 * The addresses at which a job may reach a destination. A name is resolved once, every answer is judged, and whoever
 * dials takes these addresses: a name that answers otherwise a moment later leads nowhere else.
 */
import { Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isPublicAddress } from '#core/network/public-address.ts'

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

/** Of every interface, the public ones as well. They come and go: asked for each time. */
const ownAddresses = (): BlockList => {
  const list = new BlockList()
  for (const { address, family } of Object.values(networkInterfaces()).flatMap(
    (all) => all ?? [],
  )) {
    list.addAddress(address.replace(/%.*$/, ''), family === 'IPv6' ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Whether jobs may reach an address: it is public, and none of this machine's own. */
export const isOpenAddress = (address: string): boolean =>
  isPublicAddress(address) && !ownAddresses().check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

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
    : { kind: 'closed', reason: 'It is no public address' }
}
