/** Which app a host name leads to (contract, Functions): a set one, else `<app>.<SVC_APPS_DOMAIN>`. */
import { findAppByHost, type HostedApp, listAppsByKey } from '#store/functions.ts'
import type { Deps } from '../deps.ts'

const DEFAULT_WORKSPACE = 'default'
const FRESH_MS = 2_000
const MOST_KNOWN = 10_000

export interface HostResolver {
  /** Null: the host is nobody's, so it is svc's own. @param host without its port, in lower case */
  resolve(host: string): Promise<HostedApp | 'unknown_app' | null>
}

export type HostOptions = Readonly<{
  appsDomain: string
  now: () => number
}>

type Known = Readonly<{ found: HostedApp | 'unknown_app' | null; at: number }>

/** Names of this machine that are no host of an app. */
const isAddress = (host: string): boolean => /^[\d.]+$|^\[/.test(host) || host === 'localhost'

export const createHostResolver = (
  { db }: Pick<Deps, 'db'>,
  { appsDomain, now }: HostOptions,
): HostResolver => {
  const known = new Map<string, Known>()
  const suffix = `.${appsDomain.toLowerCase()}`

  const find = async (host: string): Promise<Known['found']> => {
    const set = await findAppByHost(db, host)
    if (set !== null) return set
    if (!host.endsWith(suffix)) return null
    const apps = await listAppsByKey(db, host.slice(0, -suffix.length))
    const [first, ...others] = apps
    if (first === undefined) return 'unknown_app'
    // of several workspaces the first one's; the others set host names of their own
    return others.length === 0 ? first : (apps.find(({ ws }) => ws === DEFAULT_WORKSPACE) ?? first)
  }

  return {
    resolve: async (host) => {
      if (isAddress(host) || host === appsDomain) return null
      const cached = known.get(host)
      if (cached !== undefined && Math.abs(now() - cached.at) < FRESH_MS) return cached.found
      const found = await find(host)
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(host, { found, at: now() })
      return found
    },
  }
}
