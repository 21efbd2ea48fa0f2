/**
 * A node among the nodes of its instance: it enters the list, finds the servers, joins them by the bus, and leaves.
 * Looking around is a read; nothing is written while the bus reaches a server.
 */
import { hostname } from 'node:os'
import { type Bus, createBus } from '#bus/bus.ts'
import { BUS_PATH, type NodeFacts, type WorkerFacts } from '#bus/protocol.ts'
import { serversToJoin } from '#core/node-links.ts'
import type { ToClientAddress } from '#http/admission/client-address.ts'
import { createLogger } from '#log/logtape.ts'
import type { Deps } from '#service/deps.ts'
import { type LiveWorker, PING_LASTS_MS } from '#service/live-workers.ts'
import { deleteNode, insertNode, listServers, pingNode } from '#store/nodes.ts'
import { watchClock } from './clock-watch.ts'
import type { Listener } from './listen.ts'
import type { Role } from './roles.ts'
import { runsScheduler, runsServer } from './roles.ts'
import { VERSION } from './version.ts'

export type MembershipOptions = Readonly<{
  role: Role
  name: string
  /** Null: this node listens to no other. */
  door: Readonly<{ listener: Listener; address: string }> | null
  /** Null: this node runs no jobs. */
  worker: (() => WorkerFacts) | null
  toClientAddress: ToClientAddress
}>

export interface Membership {
  readonly bus: Bus
  /** This node's worker and those that the bus joins to it. */
  workers(): readonly LiveWorker[]
  start(): Promise<void>
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 10_000
/** A server that wrote no sign of life for so long is not looked for; each writes one an hour. */
const SERVER_LASTS_MS = 7_200_000
const SERVER_PINGS_EVERY_MS = 3_600_000

type MembershipDeps = Pick<Deps, 'db' | 'newId' | 'now' | 'keyring' | 'hints'>

export const createMembership = (
  deps: MembershipDeps,
  { role, name, door, worker, toClientAddress }: MembershipOptions,
): Membership => {
  const log = createLogger('bus')
  const id = deps.newId()
  const host = hostname()
  const address = door?.address ?? null
  const clock = watchClock(log)
  const strangers = new Set<string | null>()
  let lastPing = deps.now()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let isStopped = false

  const describe = (): NodeFacts => ({
    id,
    name,
    version: VERSION,
    serves: runsServer(role),
    schedules: runsScheduler(role),
    worker: worker?.() ?? null,
  })
  const row = { id, role, name, host, version: VERSION, address }
  /** What the bus tells is not written. */
  const workerJson = (): string | null =>
    worker === null || runsServer(role) || isReached() ? null : JSON.stringify(worker())

  const bus = createBus({
    key: deps.keyring.derivedKey('svc bus'),
    describe,
    now: deps.now,
    addressOf: ({ socket, headers }) =>
      toClientAddress(socket.remoteAddress ?? null, headers['x-forwarded-for']?.toString()),
    onHint: (hint, key) => deps.hints[hint].deliver(key),
    onJoined: (node) => log.debug('Joined a node.', { node: node.name, id: node.id }),
    onStranger: (from) => {
      if (strangers.has(from)) return
      strangers.add(from)
      log.warn('A node holds another instance key and is not listened to.', {
        address: from ?? 'it connected to this one',
      })
    },
  })

  const pingEveryMs = (): number => {
    if (worker !== null && !runsServer(role) && !isReached()) return PING_LASTS_MS / 3
    return SERVER_PINGS_EVERY_MS
  }

  const isReached = (): boolean => bus.peers().some(({ node }) => node.serves)
  const look = async (): Promise<void> => {
    const askedAt = deps.now()
    const { servers, now } = await listServers(deps.db, SERVER_LASTS_MS)
    clock.compare({ askedAt, answeredAt: deps.now(), databaseAt: now })
    bus.follow(serversToJoin({ id, host, address }, servers))
    if (deps.now() - lastPing < pingEveryMs()) return
    lastPing = deps.now()
    await deps.db.write([pingNode({ ...row, workerJson: workerJson() })], { retry: true })
  }
  const lookAgain = (): void => {
    timer = setTimeout(() => {
      // a database that is away is told of elsewhere
      looking = look()
        .catch(() => undefined)
        .finally(() => {
          if (!isStopped) lookAgain()
        })
    }, LOOK_EVERY_MS)
  }

  return {
    bus,
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
      door?.listener.upgradeWith(new RegExp(`^${BUS_PATH}$`), bus.accept)
      await deps.db.write(insertNode({ ...row, workerJson: null }), { retry: true })
      await look()
      lookAgain()
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await looking
      await bus.stop()
      // the database may be away: then the row is swept in time
      await deps.db.write([deleteNode(id)], { retry: true }).catch(() => undefined)
    },
  }
}
