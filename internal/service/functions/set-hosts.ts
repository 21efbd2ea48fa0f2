/** The host names of an app (contract, Functions). A name leads to one app; svc's own are nobody's. */
import type { Actor } from '#core/actor.ts'
import { conflict, invalid } from '#core/error.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import { findAppByHost, replaceHosts } from '#store/functions.ts'
import type { Deps } from '../deps.ts'

const HOST =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

export type HostsRequest = Readonly<{
  ws: string
  app: string
  hosts: readonly string[]
  actor: Actor
}>

/** @throws {AppError} invalid; conflict: another app has one of them */
export const setHosts = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, app, hosts, actor }: HostsRequest,
): Promise<void> => {
  const names = [...new Set(hosts.map((host) => host.trim().toLowerCase()))]
  const bad = names.find(
    (host) => !HOST.test(host) || /^[\d.]+$/.test(host) || host === 'localhost',
  )
  if (bad !== undefined) {
    throw invalid(`"${bad}" is no host name an app can have, such as api.example.com.`, {
      code: 'bad_host',
    })
  }
  for (const host of names) {
    const holder = await findAppByHost(deps.db, host)
    if (holder !== null && (holder.ws !== ws || holder.app !== app)) throw taken(host)
  }
  const entry = { id: deps.newId(), ws, actor, action: 'app.hosts_set', target: app }
  await deps.db.write([...replaceHosts({ ws, app }, names), insertAuditEntryIfChanged(entry)])
  for (const host of names) {
    const holder = await findAppByHost(deps.db, host)
    // somebody was faster
    if (holder?.ws !== ws || holder.app !== app) throw taken(host)
  }
}

const taken = (host: string) =>
  conflict(`The host name ${host} belongs to another app.`, { code: 'host_taken' })
