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
import { createFairQueue } from '#core/fairness/queue.ts'
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
  /** Returns whose work resolves the name, such as a workspace. @default all share one turn */
  ownerOf?: () => string
  /** @default those of this machine */
  interfaces?: typeof networkInterfaces
}>

const TIMEOUT_MS = 3_000
const TRIES = 2
/** Names that may wait for the system's resolver besides the one that uses it; each takes seconds if its name servers are slow. */
const MOST_WAITING = 7

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

/** A name that waits for the system's resolver. */
type Waiting = Readonly<{ resolve: () => Promise<void>; refuse: () => void }>

/**
 * Lets one name at a time use the system's resolver, so that svc's own names have the other thread. Owners take turns, and when no
 * place is left, an owner with few names takes one from the owner with the most, because anyone may own names whose name servers
 * never answer. Callers of an owner share the wait for a name.
 */
const inTurn = (system: Resolver, ownerOf: () => string): Resolver => {
  const queue = createFairQueue<Waiting>({ perCaller: MOST_WAITING, total: MOST_WAITING })
  const known = new Map<string, ReturnType<Resolver>>()
  let isRunning = false
  const runWaiting = async (): Promise<void> => {
    if (isRunning) return
    isRunning = true
    for (let next = queue.take(); next !== null; next = queue.take()) await next.resolve()
    isRunning = false
  }
  const wait = (owner: string, host: string): ReturnType<Resolver> => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
    const waiting: Waiting = {
      resolve: () => system(host).then(resolve, reject),
      refuse: () => reject(new Error(`The name ${host} is not known.`)),
    }
    const offered = queue.offer(owner, waiting)
    if (offered.isAccepted) offered.displaced?.refuse()
    else waiting.refuse()
    void runWaiting()
    return promise
  }
  return async (host) => {
    const owner = ownerOf()
    const key = JSON.stringify([owner, host])
    const found = known.get(key) ?? wait(owner, host).finally(() => known.delete(key))
    known.set(key, found)
    return await found
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
  ownerOf = () => '',
  interfaces = networkInterfaces,
}: ResolveOptions = {}): Resolver => {
  const askSystem = inTurn(system, ownerOf)
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
