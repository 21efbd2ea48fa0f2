/**
 * Resolves names that callers give. It queries the name servers without the system's resolver, which works in threads: only two
 * of a process's names are resolved at a time there, so slow name servers of one caller would delay those of all others and
 * of svc's own database. Only names that the name servers do not know, such as those of search domains, go to the
 * system's resolver.
 */
import { lookup, Resolver as NameServers } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createFairTurns } from '#core/fairness/turns.ts'
import type { Resolver } from './address-guard.ts'

export type ResolveOptions = Readonly<{
  /** `address:port`. @default the name servers of the machine */
  servers?: readonly string[]
  /** Milliseconds until a query is sent again. @default 3,000 */
  timeoutMs?: number
  /** @default /etc/hosts */
  hostsPath?: string
  /** @default the system's resolver */
  system?: Resolver
  /** @default those of this machine */
  interfaces?: typeof networkInterfaces
}>

const TIMEOUT_MS = 3_000
const TRIES = 2
/** Names that may wait for the system's resolver; each takes seconds if its name servers are slow. */
const MOST_WAITING = 8

/** Resolves with the system's resolver. It is for names that the operator chose. */
export const resolveBySystem: Resolver = async (host) =>
  (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address)

const findInHosts = async (path: string, host: string): Promise<readonly string[]> => {
  // a machine need not have the file
  const text = await readFile(path, 'utf8').catch(() => '')
  const name = host.toLowerCase().replace(/\.$/, '')
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*$/, '').trim().split(/\s+/)
    const isOurs = isIP(address) !== 0 && names.some((each) => each.toLowerCase() === name)
    return isOurs ? [address] : []
  })
}

/** Puts IPv4 first, because machines without IPv6 get IPv6 addresses too, and last on a machine that has only IPv6. */
const inOrder = (
  addresses: readonly string[],
  interfaces: typeof networkInterfaces,
): readonly string[] => {
  const all = Object.values(interfaces()).flatMap((found) => found ?? [])
  const has = (wanted: string): boolean =>
    all.some(({ family, internal }) => family === wanted && !internal)
  const first = has('IPv6') && !has('IPv4') ? 6 : 4
  const isFirst = (address: string): boolean => isIP(address) === first
  return [...addresses.filter(isFirst), ...addresses.filter((address) => !isFirst(address))]
}

const isSilent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ETIMEOUT'

/**
 * Lets one name wait for the system's resolver at a time, so that svc's own names have the other thread. Callers of the same name
 * share its wait.
 */
const inTurn = (system: Resolver): Resolver => {
  const take = createFairTurns()
  const waiting = new Map<string, ReturnType<Resolver>>()
  const wait = (host: string): ReturnType<Resolver> => {
    const found = take(host, () => system(host)).finally(() => waiting.delete(host))
    waiting.set(host, found)
    return found
  }
  return async (host) => {
    const known = waiting.get(host)
    if (known !== undefined) return await known
    if (waiting.size >= MOST_WAITING) throw new Error(`The name ${host} is not known.`)
    return await wait(host)
  }
}

/** @returns an empty list if they know no such name @throws {Error} they are silent */
const askNameServers = async (nameServers: NameServers, host: string) => {
  const answers = await Promise.allSettled([nameServers.resolve4(host), nameServers.resolve6(host)])
  const found = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const reasons = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  const silence = reasons.find(isSilent)
  if (found.length === 0 && silence !== undefined) throw silence
  return found
}

/** Creates a resolver that returns all addresses of a name. */
export const createResolveHost = ({
  servers = [],
  timeoutMs = TIMEOUT_MS,
  hostsPath = '/etc/hosts',
  system = resolveBySystem,
  interfaces = networkInterfaces,
}: ResolveOptions = {}): Resolver => {
  const askSystem = inTurn(system)
  return async (host) => {
    const listed = await findInHosts(hostsPath, host)
    if (listed.length > 0) return inOrder(listed, interfaces)
    const nameServers = new NameServers({ timeout: timeoutMs, tries: TRIES })
    if (servers.length > 0) nameServers.setServers([...servers])
    const found = await askNameServers(nameServers, host)
    return found.length > 0 ? inOrder(found, interfaces) : askSystem(host)
  }
}

/** Resolves with the settings of this machine. */
export const resolveHost: Resolver = createResolveHost()
