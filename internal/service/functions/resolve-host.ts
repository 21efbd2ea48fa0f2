/**
 * Finds the app of a host name [functions 7.6]. svc's own names win over the table of hosts; then
 * `<app>.<SVC_APPS_DOMAIN>`; then host names that apps have proved.
 */
import QuickLRU from 'quick-lru'
import type { AppAddress } from '#core/app-address.ts'
import { AppError, unavailable } from '#core/error.ts'
import { hostNameOf, type OwnHosts } from '#core/function/own-hosts.ts'
import { findKeyHolder } from '#store/apps/functions.ts'
import { findAppByHost } from '#store/apps/hosts.ts'
import { askCells } from '../cells/ask-cells.ts'
import type { Deps } from '../deps.ts'

const DEFAULT_WORKSPACE = 'default'
const FRESH_MS = 2_000
const MOST_KNOWN = 10_000
/** Characters. Longer texts are not host names. They are neither looked up nor cached, because any caller can send them. */
const MAX_HOST = 253
const RETRY_AFTER_S = 2

export interface HostResolver {
  /** Returns null for svc's own hosts and unknown hosts. @param host value of a `Host` header */
  resolve(host: string): Promise<AppAddress | 'unknown_app' | null>
  /** Returns `<app>.<SVC_APPS_DOMAIN>` if it leads to this app and is reachable from other machines, else null. */
  hostOf(app: AppAddress): Promise<string | null>
}

export type HostOptions = Readonly<{
  ownHosts: OwnHosts
  now: () => number
}>

type HostDatabases = Pick<Deps, 'home' | 'furtherCells'>
type Found = AppAddress | 'unknown_app' | null
type Known = Readonly<{ found: Found; at: number }>

const notAnswering = (): AppError =>
  unavailable('A database that may have this host does not answer. Try again shortly.', {
    code: 'cell_unavailable',
    retryAfterS: RETRY_AFTER_S,
  })

const isNotAnswering = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'cell_unavailable'

/** @throws {AppError} unavailable: no cell that answers has the host, and one does not answer */
const findInCells = async (deps: HostDatabases, host: string) => {
  const answers = await askCells(deps, (db) => findAppByHost(db, host))
  const found = answers.find((claim) => claim !== null) ?? null
  if (found === null && answers.length < deps.furtherCells().length) throw notAnswering()
  return found
}

/**
 * Finds the app to which a host below SVC_APPS_DOMAIN leads [functions 7.3]. While a cell does not answer, it may have an app that
 * precedes those found, and no other workspace may get the calls of that app.
 * @param last the result of the last look-up
 * @throws {AppError} unavailable: a cell does not answer, and there is no last result
 */
const findByKey = async (deps: HostDatabases, key: string, last: Found): Promise<Found> => {
  const holder = { app: key, preferredWs: DEFAULT_WORKSPACE }
  const own = await findKeyHolder(deps.home, holder)
  const answers = await askCells(deps, (db) => findKeyHolder(db, holder))
  const found = [own, ...answers].filter((each) => each !== null)
  const [oldest] = found.toSorted((a, b) => a.since - b.since || (a.ws < b.ws ? -1 : 1))
  const first = found.find(({ ws }) => ws === DEFAULT_WORKSPACE) ?? oldest
  const isCertain = first?.ws === DEFAULT_WORKSPACE || answers.length === deps.furtherCells().length
  if (isCertain) return first === undefined ? 'unknown_app' : { ws: first.ws, app: first.app }
  if (last === null || last === 'unknown_app') throw notAnswering()
  return last
}

/** Creates a resolver, which caches its results for 2 s [functions 8.10]. */
export const createHostResolver = (
  deps: HostDatabases,
  { ownHosts, now }: HostOptions,
): HostResolver => {
  const known = new QuickLRU<string, Known>({ maxSize: MOST_KNOWN })

  const find = async (host: string, last: Found): Promise<Found> => {
    const key = ownHosts.appKeyOf(host)
    if (key !== null) return findByKey(deps, key, last)
    const claim = (await findAppByHost(deps.home, host)) ?? (await findInCells(deps, host))
    return claim === null ? null : { ws: claim.ws, app: claim.app }
  }

  const resolve = async (header: string): Promise<Found> => {
    const host = hostNameOf(header)
    if (ownHosts.isOwn(host)) return null
    if (host.length > MAX_HOST) return ownHosts.appKeyOf(host) === null ? null : 'unknown_app'
    const cached = known.get(host)
    if (cached !== undefined && Math.abs(now() - cached.at) < FRESH_MS) return cached.found
    const found = await find(host, cached?.found ?? null)
    known.set(host, { found, at: now() })
    return found
  }

  return {
    resolve,
    hostOf: async ({ ws, app }) => {
      const host = ownHosts.hostOfApp(app)
      if (host === null) return null
      const found = await resolve(host).catch((error: unknown) => {
        // the app is served elsewhere too, so it does not depend on a cell that is away
        if (isNotAnswering(error)) return null
        throw error
      })
      if (found === null || found === 'unknown_app') return null
      return found.ws === ws && found.app === app ? host : null
    },
  }
}
