/**
 * Finds the app of a host name [functions 7.6]. svc's own names win over the table of hosts; then
 * `<app>.<SVC_APPS_DOMAIN>`; then host names that apps have proved.
 */
import { unavailable } from '#core/error.ts'
import { hostNameOf, type OwnHosts } from '#core/function/own-hosts.ts'
import { listAppsByKey } from '#store/apps/functions.ts'
import { findAppByHost, type HostedApp } from '#store/apps/hosts.ts'
import { askCells } from '../cells/ask-cells.ts'
import type { Deps } from '../deps.ts'

const DEFAULT_WORKSPACE = 'default'
const FRESH_MS = 2_000
const MOST_KNOWN = 10_000
const RETRY_AFTER_S = 2

export interface HostResolver {
  /** Returns null for svc's own hosts and unknown hosts. @param host value of a `Host` header */
  resolve(host: string): Promise<HostedApp | 'unknown_app' | null>
  /** Returns `<app>.<SVC_APPS_DOMAIN>` if it leads to this app and is reachable from other machines, else null. */
  hostOf(app: HostedApp): Promise<string | null>
}

export type HostOptions = Readonly<{
  ownHosts: OwnHosts
  now: () => number
}>

type Found = HostedApp | 'unknown_app' | null
type Known = Readonly<{ found: Found; at: number }>

/** @throws {AppError} unavailable: no cell that answers has the host, and one does not answer */
const findInCells = async (deps: Pick<Deps, 'home' | 'furtherCells'>, host: string) => {
  const answers = await askCells(deps, (db) => findAppByHost(db, host))
  const found = answers.find((claim) => claim !== null) ?? null
  if (found === null && answers.length < deps.furtherCells().length) {
    throw unavailable('A database that may have this host does not answer. Try again shortly.', {
      code: 'cell_unavailable',
      retryAfterS: RETRY_AFTER_S,
    })
  }
  return found
}

/** Creates a resolver, which caches its results for 2 s [functions 8.10]. */
export const createHostResolver = (
  deps: Pick<Deps, 'home' | 'furtherCells'>,
  { ownHosts, now }: HostOptions,
): HostResolver => {
  const known = new Map<string, Known>()

  const findByKey = async (key: string): Promise<Found> => {
    const own = await listAppsByKey(deps.home, key)
    const apps = [...own, ...(await askCells(deps, (db) => listAppsByKey(db, key))).flat()]
    const [first, ...others] = apps
    if (first === undefined) return 'unknown_app'
    // if several workspaces have the key, `default` wins; the others set their own host names
    return others.length === 0 ? first : (apps.find(({ ws }) => ws === DEFAULT_WORKSPACE) ?? first)
  }

  const find = async (host: string): Promise<Found> => {
    const key = ownHosts.appKeyOf(host)
    if (key !== null) return findByKey(key)
    const claim = (await findAppByHost(deps.home, host)) ?? (await findInCells(deps, host))
    return claim === null ? null : { ws: claim.ws, app: claim.app }
  }

  const resolve = async (header: string): Promise<Found> => {
    const host = hostNameOf(header)
    if (ownHosts.isOwn(host)) return null
    const cached = known.get(host)
    if (cached !== undefined && Math.abs(now() - cached.at) < FRESH_MS) return cached.found
    const found = await find(host)
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(host, { found, at: now() })
    return found
  }

  return {
    resolve,
    hostOf: async ({ ws, app }) => {
      const host = ownHosts.hostOfApp(app)
      const found = host === null ? null : await resolve(host)
      if (found === null || found === 'unknown_app') return null
      return found.ws === ws && found.app === app ? host : null
    },
  }
}
