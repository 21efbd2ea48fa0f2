/**
 * Sets the host names of an app [functions 8]. A name set by a workspace's admin leads to the app after a TXT record has
 * proved it (verify-host.ts); a name set by a super admin is active at once.
 */
import type { Actor } from '#core/access/actor.ts'
import type { AppAddress } from '#core/app-address.ts'
import { type AppError, conflict, invalid } from '#core/error.ts'
import { makeTxtValue, TXT_RANDOM_BYTES } from '#core/function/host-proof.ts'
import { hostNameOf, isHostName, type OwnHosts } from '#core/function/own-hosts.ts'
import {
  deleteOtherHostClaims,
  findAppByHost,
  hostsContent,
  insertHostClaims,
  proveHosts,
  releaseUnprovenHosts,
} from '#store/apps/hosts.ts'
import { insertAuditEntry } from '#store/audit-log.ts'
import type { ContentMatch } from '#store/row-match.ts'
import { askCells } from '../cells/ask-cells.ts'
import { changeAsRead } from '../change-as-read.ts'
import type { Deps } from '../deps.ts'

export type HostsRequest = Readonly<{
  ws: string
  app: string
  hosts: readonly string[]
  actor: Actor
  /** Whether the caller is a super admin, who needs no proof. */
  isOperator: boolean
  /** What the caller has read of the names. @default anything may be there */
  match?: ContentMatch
}>

export type HostDeps = Pick<Deps, 'db' | 'home' | 'furtherCells' | 'newId' | 'randomBytes'> &
  Readonly<{ ownHosts: OwnHosts }>

/** A name of the DNS has no case, and may end in the dot of the root. */
const plainHost = (host: string): string => host.trim().toLowerCase().replace(/\.$/, '')

/** Replaces the names. @throws {AppError} conflict `host_reserved`, `host_taken`; invalid `bad_host`; precondition_failed */
export const setHosts = async (deps: HostDeps, request: HostsRequest): Promise<void> => {
  const { ws, app, actor, isOperator, match = null } = request
  const { db, newId, randomBytes, ownHosts } = deps
  const hosts = [...new Set(request.hosts.map(plainHost))]
  checkHosts(ownHosts, hosts)
  for (const host of hosts) await requireFree(deps, { ws, app, host })
  const claims = hosts.map((host) => ({
    host,
    txtValue: makeTxtValue(randomBytes(TXT_RANDOM_BYTES)),
  }))
  const target = { ws, app }
  await changeAsRead(deps, { content: hostsContent(target), match }, (guard) =>
    db.write([
      ...guard,
      deleteOtherHostClaims(target, hosts),
      insertHostClaims(target, claims),
      ...(isOperator
        ? [releaseUnprovenHosts(target, hosts), proveHosts(target, hosts, 'operator')]
        : []),
      insertAuditEntry({ id: newId(), ws, actor, action: 'app.hosts_set', target: app }),
    ]),
  )
  // another workspace may have proved a name meanwhile
  for (const host of isOperator ? hosts : []) await requireFree(deps, { ws, app, host })
}

/** @throws {AppError} host_reserved, which is checked first; bad_host */
const checkHosts = (ownHosts: OwnHosts, hosts: readonly string[]): void => {
  const reserved = hosts.find((host) => ownHosts.isReserved(hostNameOf(host)))
  if (reserved !== undefined) throw hostReserved(reserved)
  const bad = hosts.find((host) => !isHostName(host))
  if (bad === undefined) return
  throw invalid(`"${bad.slice(0, 100)}" is not a valid host name, such as api.example.com.`, {
    code: 'bad_host',
  })
}

/**
 * @throws {AppError} host_taken: the name belongs to another app that has proved it or is in the same workspace. The index of one
 * database cannot see the claims of other cells.
 */
export const requireFree = async (
  deps: Pick<HostDeps, 'home' | 'furtherCells'>,
  { ws, app, host }: AppAddress & Readonly<{ host: string }>,
): Promise<void> => {
  const own = await findAppByHost(deps.home, host)
  const claims = [own, ...(await askCells(deps, (db) => findAppByHost(db, host)))]
  const isTaken = claims.some(
    (claim) =>
      claim !== null &&
      !(claim.ws === ws && claim.app === app) &&
      !(claim.proof === 'upgrade' && claim.ws !== ws),
  )
  if (isTaken) throw hostTaken(host)
}

/** Builds the error of a name that svc uses itself. */
export const hostReserved = (host: string): AppError =>
  conflict(`The host name ${host} is reserved for svc. Choose a name of your own domain.`, {
    code: 'host_reserved',
  })

/** Builds the error of a name of another app. */
export const hostTaken = (host: string): AppError =>
  conflict(
    `The host name ${host} belongs to another app. Remove it there first, or ask a super admin to.`,
    { code: 'host_taken' },
  )
