/**
 * Finds the addresses at which a job may reach a destination. A name is resolved once and every address is checked. The
 * proxy dials only these addresses, so a name that resolves to another address a moment later changes nothing.
 */
import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'
import {
  addressOf,
  type EgressGrant,
  isGranted,
  isNeverOpen,
  NOT_GRANTED,
} from '#core/network/egress-grant.ts'
import { isPublicAddress } from '#core/network/public-address.ts'
import type { Destination } from './destination.ts'
import { ownAddresses } from './own-addresses.ts'

export type NameResolver = (host: string) => Promise<readonly string[]>

/** Whether the place is closed even to grants. @param addresses of one host */
export type IsReserved = (addresses: readonly string[], port: number) => Promise<boolean>

export type Judged =
  | Readonly<{ kind: 'open'; addresses: readonly string[] }>
  | Readonly<{ kind: 'closed'; reason: string }>

export type JudgeRules = Readonly<{
  resolve: NameResolver
  isOpen: (address: string) => boolean
  /** Private destinations that are open to this guest; null if its action lists none. */
  granted: readonly EgressGrant[] | null
  isReserved: IsReserved
}>

const NOT_PUBLIC = 'It is not a public address'
const NOT_NAMED = `${NOT_PUBLIC}. Name it in "network", and let an operator grant it`
const TIMEOUT_MS = 3_000
const TRIES = 2

/** Queries the name servers directly, because the system's resolver also reads the hosts file, and uses threads that svc shares. */
export const resolveName: NameResolver = async (host) => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** Whether an address belongs to this machine, in any spelling (IPv6 addresses have many). */
export const isOwnAddress = (address: string): boolean => {
  const own = new BlockList()
  for (const one of ownAddresses()) own.addAddress(one, isIPv6(one) ? 'ipv6' : 'ipv4')
  return own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Whether jobs may reach an address: it is public and does not belong to this machine. */
export const isOpenAddress = (address: string): boolean =>
  isPublicAddress(address) && !isOwnAddress(address)

const addressesOf = async (named: string, resolve: NameResolver): Promise<readonly string[]> => {
  const host = addressOf(named)
  return isIP(host) === 0 ? await resolve(host).catch(() => []) : [host]
}

/** Decides about a destination by all addresses of its host. Never rejects. */
export const judgeHost = async (
  { host, port }: Destination,
  { resolve, isOpen, granted, isReserved }: JudgeRules,
): Promise<Judged> => {
  const addresses = await addressesOf(host, resolve)
  if (addresses.length === 0) return { kind: 'closed', reason: 'The name is not known' }
  // an attacker may mix one private address into public ones, so every address must be open or granted
  const closed = addresses.filter((address) => !isOpen(address))
  if (!closed.every((address) => isGranted(granted ?? [], { host, port, address }))) {
    if (closed.some(isNeverOpen)) return { kind: 'closed', reason: NOT_PUBLIC }
    return {
      kind: 'closed',
      reason: granted === null ? NOT_NAMED : `${NOT_GRANTED}: ${host}:${port}`,
    }
  }
  if (await isReserved(addresses, port)) {
    return { kind: 'closed', reason: 'svc itself listens there, or keeps its database there' }
  }
  return { kind: 'open', addresses }
}
