/**
 * Membership of a node in its instance: it registers itself, finds the servers, connects with them over the bus, and leaves.
 * The watch of the database (database/database-watch.ts) polls for it; nothing is written while the bus reaches a server.
 */
import { hostname } from 'node:os'
import { type Bus, createBus } from '#bus/bus.ts'
import { BUS_PATH, type NodeFacts } from '#bus/protocol.ts'
import { HOME_CELL } from '#core/cells.ts'
import { serversToJoin } from '#core/node-links.ts'
import { type NodeRole, runsScheduler, runsServer } from '#core/node-role.ts'
import type { WorkerFacts } from '#core/placement/worker-facts.ts'
import { HOUR_MS } from '#core/time-units.ts'
import type { ToClientAddress } from '#http/admission/client-address.ts'
import type { Logger } from '#log/logger.ts'
import { createLogger } from '#log/logtape.ts'
import type { Deps } from '#service/deps.ts'
import { deliverHint, type Hints } from '#service/hints.ts'
import { type LiveWorker, PING_LASTS_MS } from '#service/nodes/live-workers.ts'
import { refreshNode, registerNode, unregisterNode } from '#service/nodes/register-node.ts'
import type { SeenStatus } from '#store/nodes/instance-status.ts'
import { listServers } from '#store/nodes/nodes.ts'
import { watchClock } from './database/clock-watch.ts'
import type { Listener } from './listener/listen.ts'
import { reserveNeighbors } from './reserved.ts'
import { VERSION } from './version.ts'

export type MembershipOptions = Readonly<{
  role: NodeRole
  name: string
  /** Where other nodes connect to this one; null if they cannot. */
  endpoint: Readonly<{ listener: Listener; address: string }> | null
  /** Null if this node runs no jobs; the function returns null while it claims none. */
  worker: (() => WorkerFacts | null) | null
  toClientAddress: ToClientAddress
  /** Returns the hints of a further cell. @default none */
  hintsOf?: (cell: string) => Hints | null
}>

export interface Membership {
  readonly bus: Bus
  /** Whether the bus connects this node with every known server: then hints are rarely lost, and polls may be rare. */
  isLinked(): boolean
  /** Applies what a poll of the database has found. */
  meet(seen: Pick<SeenStatus, 'servers' | 'now' | 'askedAt' | 'answeredAt'>): Promise<void>
  /** The worker of this node and those of nodes on the bus. */
  workers(): readonly LiveWorker[]
  start(): Promise<void>
  stop(): Promise<void>
}

/** Milliseconds. A server that was not refreshed for this long is ignored; each server refreshes once an hour. */
export const SERVER_VALID_MS = 7_200_000
const SERVER_REFRESH_EVERY_MS = HOUR_MS

type MembershipDeps = Pick<Deps, 'db' | 'newId' | 'now' | 'keyring' | 'hints'>

/** Warns once per address. */
const createStrangerWarning = (log: Logger) => {
  const known = new Set<string | null>()
  return (from: string | null): void => {
    if (known.has(from)) return
    known.add(from)
    log.warn('A node holds another instance key and is not listened to.', {
      address: from ?? 'it connected to this one',
    })
  }
}

const toJson = (facts: WorkerFacts | null): string | null =>
  facts === null ? null : JSON.stringify(facts)

/** @param servers ids; null before they are known */
const joinsAll = (bus: Bus, servers: readonly string[] | null): boolean => {
  const joined = new Set(bus.peers().map(({ node }) => node.id))
  return servers?.every((server) => joined.has(server)) ?? false
}

/** Creates the membership of this node: its row in the table of nodes and its knowledge of the others. */
export const createMembership = (
  deps: MembershipDeps,
  { role, name, endpoint, worker, toClientAddress, hintsOf = () => null }: MembershipOptions,
): Membership => {
  const log = createLogger('bus')
  const id = deps.newId()
  const host = hostname()
  const address = endpoint?.address ?? null
  const clock = watchClock(log)
  /** By the monotonic clock, because the clock of the machine may be set back. */
  let refreshedAt = performance.now()
  /** Ids of the other servers at the last poll; null before the first. */
  let servers: readonly string[] | null = null

  const describe = (): NodeFacts => ({
    id,
    name,
    version: VERSION,
    serves: runsServer(role),
    schedules: runsScheduler(role),
    worker: worker?.() ?? null,
  })
  const hintsOfCell = (cell: string): Hints | null =>
    cell === HOME_CELL ? deps.hints : hintsOf(cell)
  const row = { id, role, name, host, version: VERSION, address }
  /** Null if the bus already shares the facts of the worker. */
  const workerJson = (): string | null =>
    runsServer(role) || isReached() ? null : toJson(worker?.() ?? null)

  const bus = createBus({
    key: deps.keyring.derivedKey('svc bus'),
    describe,
    now: deps.now,
    addressOf: ({ socket, headers }) =>
      toClientAddress(socket.remoteAddress ?? null, headers['x-forwarded-for']?.toString()),
    onHint: (hint, key) => deliverHint(hintsOfCell, hint, key),
    onJoined: (node) => log.debug('Joined a node.', { node: node.name, id: node.id }),
    onStranger: createStrangerWarning(log),
    onUnreached: (server, error) =>
      log.warn(
        'A server cannot be reached at its address, so its hints are lost. If it runs, set its SVC_NODE_URL.',
        { address: server, error: error?.message || error?.name },
      ),
  })

  endpoint?.listener.upgradeWith(new RegExp(`^${BUS_PATH}$`), bus.accept)

  const refreshEveryMs = (): number => {
    if (worker !== null && !runsServer(role) && !isReached()) return PING_LASTS_MS / 3
    return SERVER_REFRESH_EVERY_MS
  }

  const isReached = (): boolean => bus.peers().some(({ node }) => node.serves)
  const isLinked = (): boolean => (isReached() || runsServer(role)) && joinsAll(bus, servers)
  const meet: Membership['meet'] = async ({ servers: known, now, askedAt, answeredAt }) => {
    clock.compare({ askedAt, answeredAt, databaseAt: now })
    servers = known.map((server) => server.id).filter((server) => server !== id)
    bus.follow(serversToJoin({ id, host, address }, known))
    reserveNeighbors(known.filter((server) => server.host === host).map((server) => server.address))
    // after a jump of the database's clock, or when an older copy of it was restored
    const isUnlisted = address !== null && !known.some((server) => server.id === id)
    if (!isUnlisted && performance.now() - refreshedAt < refreshEveryMs()) return
    await refreshNode(deps, { ...row, workerJson: workerJson() })
    refreshedAt = performance.now()
  }

  return {
    bus,
    isLinked,
    meet,
    workers: () => {
      const own = worker === null ? [] : [{ node: describe(), heardAt: deps.now() }]
      return [...own, ...bus.peers()].flatMap(({ node, heardAt }) =>
        node.worker === null
          ? []
          : [
              {
                id: node.id,
                name: node.name,
                version: node.version,
                ...node.worker,
                lastPingAt: heardAt,
              },
            ],
      )
    },
    start: async () => {
      await registerNode(deps, { ...row, workerJson: null })
      const askedAt = deps.now()
      const { servers: known, now } = await listServers(deps.db, SERVER_VALID_MS)
      await meet({ servers: known, now, askedAt, answeredAt: deps.now() })
    },
    stop: async () => {
      await bus.stop()
      // if the database is unreachable, a later sweep removes the row
      await unregisterNode(deps, id).catch(() => undefined)
    },
  }
}
