/**
 * Membership of a node in its instance: it registers itself, finds the servers, joins them by the bus, and leaves. Polling
 * is a read; nothing is written while the bus reaches a server.
 */
import { hostname } from 'node:os'
import { type Bus, createBus } from '#bus/bus.ts'
import { BUS_PATH, type NodeFacts, type WorkerFacts } from '#bus/protocol.ts'
import { serversToJoin } from '#core/node-links.ts'
import type { ToClientAddress } from '#http/admission/client-address.ts'
import type { Logger } from '#log/logger.ts'
import { createLogger } from '#log/logtape.ts'
import type { Deps } from '#service/deps.ts'
import { type LiveWorker, PING_LASTS_MS } from '#service/live-workers.ts'
import { refreshNode, registerNode, unregisterNode } from '#service/register-node.ts'
import { listServers } from '#store/nodes.ts'
import { watchClock } from './clock-watch.ts'
import type { Listener } from './listen.ts'
import type { Role } from './roles.ts'
import { runsScheduler, runsServer } from './roles.ts'
import { VERSION } from './version.ts'

export type MembershipOptions = Readonly<{
  role: Role
  name: string
  /** Where other nodes join this one; null: nowhere. */
  endpoint: Readonly<{ listener: Listener; address: string }> | null
  /** Null if this node runs no jobs; the function returns null while it takes no more. */
  worker: (() => WorkerFacts | null) | null
  toClientAddress: ToClientAddress
}>

export interface Membership {
  readonly bus: Bus
  /** Whether the bus joins this node with every server that is known: then no hint is missed as a rule. */
  isLinked(): boolean
  /** The worker of this node and those of nodes on the bus. */
  workers(): readonly LiveWorker[]
  start(): Promise<void>
  stop(): Promise<void>
}

const POLL_EVERY_MS = 10_000
/** While the bus joins all servers that are known. */
const POLL_LINKED_EVERY_MS = 30_000
/** A server that was not refreshed for this long is ignored; each server refreshes once an hour. */
const SERVER_VALID_MS = 7_200_000
const SERVER_REFRESH_EVERY_MS = 3_600_000

type MembershipDeps = Pick<Deps, 'db' | 'newId' | 'now' | 'keyring' | 'hints'>

/** Warns once of each address. */
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

/** @param servers ids; null: they are not known yet */
const joinsAll = (bus: Bus, servers: readonly string[] | null): boolean => {
  const joined = new Set(bus.peers().map(({ node }) => node.id))
  return servers?.every((server) => joined.has(server)) ?? false
}

/** Creates the membership of this node: its row in the table of nodes and its knowledge of the others. */
export const createMembership = (
  deps: MembershipDeps,
  { role, name, endpoint, worker, toClientAddress }: MembershipOptions,
): Membership => {
  const log = createLogger('bus')
  const id = deps.newId()
  const host = hostname()
  const address = endpoint?.address ?? null
  const clock = watchClock(log)
  let refreshedAt = deps.now()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> = Promise.resolve()
  let isStopped = false
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
  const row = { id, role, name, host, version: VERSION, address }
  /** A worker that the bus reaches is not written. */
  const workerJson = (): string | null =>
    runsServer(role) || isReached() ? null : toJson(worker?.() ?? null)

  const bus = createBus({
    key: deps.keyring.derivedKey('svc bus'),
    describe,
    now: deps.now,
    addressOf: ({ socket, headers }) =>
      toClientAddress(socket.remoteAddress ?? null, headers['x-forwarded-for']?.toString()),
    onHint: (hint, key) => deps.hints[hint].deliver(key),
    onJoined: (node) => log.debug('Joined a node.', { node: node.name, id: node.id }),
    onStranger: createStrangerWarning(log),
  })

  const refreshEveryMs = (): number => {
    if (worker !== null && !runsServer(role) && !isReached()) return PING_LASTS_MS / 3
    return SERVER_REFRESH_EVERY_MS
  }

  const isReached = (): boolean => bus.peers().some(({ node }) => node.serves)
  const isLinked = (): boolean => (isReached() || runsServer(role)) && joinsAll(bus, servers)
  const poll = async (): Promise<void> => {
    const askedAt = deps.now()
    const { servers: known, now } = await listServers(deps.db, SERVER_VALID_MS)
    clock.compare({ askedAt, answeredAt: deps.now(), databaseAt: now })
    servers = known.map((server) => server.id).filter((server) => server !== id)
    bus.follow(serversToJoin({ id, host, address }, known))
    if (deps.now() - refreshedAt < refreshEveryMs()) return
    refreshedAt = deps.now()
    await refreshNode(deps, { ...row, workerJson: workerJson() })
  }
  /** Sleeps in short pieces, so that other servers are found soon after a lost link. */
  const pollLater = (sleptMs = 0): void => {
    timer = setTimeout(() => {
      const slept = sleptMs + POLL_EVERY_MS
      if (isLinked() && slept < POLL_LINKED_EVERY_MS) return pollLater(slept)
      // store/database-condition.ts reports a database that is away
      polling = poll()
        .catch(() => undefined)
        .finally(() => {
          if (!isStopped) pollLater()
        })
    }, POLL_EVERY_MS)
  }

  return {
    bus,
    isLinked,
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
      endpoint?.listener.upgradeWith(new RegExp(`^${BUS_PATH}$`), bus.accept)
      await registerNode(deps, { ...row, workerJson: null })
      await poll()
      pollLater()
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await polling
      await bus.stop()
      // the database may be away: then a sweep removes the row
      await unregisterNode(deps, id).catch(() => undefined)
    },
  }
}
