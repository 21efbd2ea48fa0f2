/**
 * Sends hints between processes over WebSocket. Servers listen on their own port. Every other node connects to all of them,
 * and a server connects to the servers that started before it, so that each pair of nodes has one connection.
 *
 * It guarantees: a peer without the instance key can neither read nor send anything; a silent node is disconnected; a lost
 * connection is opened again; a queued job notifies no more workers than can take it (handout.ts).
 * It leaves to others: the work that hints speed up, which polling also finds, and the list of servers.
 * It fails silently: a lost hint is not reported. A server that cannot be joined is, once until it is joined.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { createFrameReader } from '#core/fairness/read-frames.ts'
import { callerNetworkOf } from '#core/network/caller-network.ts'
import { createHandout } from './handout.ts'
import { createHintBatch, type Hints } from './hint-batch.ts'
import { type Followed, keepConnected } from './keep-connected.ts'
import { createLink, type Link, type Peer, type QueuedTags } from './link.ts'
import {
  BUS_PATH,
  type BusMessage,
  HINT_KINDS,
  type HintKind,
  MAX_MESSAGE_BYTES,
  type NodeFacts,
  PASSED_ON,
} from './protocol.ts'
import { createStrangers } from './strangers.ts'
import { createThrottle } from './throttle.ts'

export type BusOptions = Readonly<{
  /** Derived from the instance key, for the bus only. */
  key: Uint8Array
  describe: () => NodeFacts
  now: () => number
  onHint: (kind: HintKind, key: string) => void
  onJoined: (node: NodeFacts) => void
  /** Called when a peer has another instance key. `address` is null for a peer that connected to this node. */
  onStranger: (address: string | null) => void
  /** Called when a server could not be joined at its address for about half a minute. `error` is null if it only hung up. */
  onUnreached: (address: string, error: Error | null) => void
  /** Returns the network address of a connecting peer, or null if it is unknown. @default the socket's */
  addressOf?: (request: IncomingMessage) => string | null
}>

export interface Bus {
  send(kind: HintKind, key: string): void
  /** Returns the connected nodes. */
  peers(): readonly Peer[]
  /** Connects to these servers, by address, and disconnects from all others. */
  follow(addresses: readonly string[]): void
  /** Accepts a connection that another node opens. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void
  stop(): Promise<void>
}

/** It is module state because the event loop belongs to the process. */
const readFrames = createFrameReader(() => performance.now(), setImmediate)

/** Milliseconds between two `alive` messages. */
const ALIVE_EVERY_MS = 5_000
/** Limits of connections that have not yet proved the key: in total, and from one network. */
const STRANGER_LIMITS = { total: 100, perNetwork: 8 } as const

const toSocketUrl = (address: string): string =>
  `${address.replace(/^http/, 'ws').replace(/\/$/, '')}${BUS_PATH}`

const refuse = (socket: Duplex): void => {
  const answer = 'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n'
  socket.end(answer, () => socket.destroy())
}

type ReceivedMessage = Extract<BusMessage, { t: 'hints' }>
type ReceivedHints = ReceivedMessage['hints']

const deliver = (hints: ReceivedHints, onHint: BusOptions['onHint']): void => {
  for (const kind of HINT_KINDS) {
    if (kind !== 'jobQueued') for (const key of hints[kind] ?? []) onHint(kind, key)
  }
}

/** Counts the jobs of each tag. */
const countTags = (tags: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return counts
}

/** Limit of jobs in one notice. A worker never has room for more, so larger numbers make no difference. */
const MAX_JOBS_HINTED = 256
const NO_HINTS: Hints = new Map()
const PASSED_ON_HINT: Hints = new Map([['written', new Map([[PASSED_ON, 1]])]])
/** Milliseconds. Schedulers poll no more often. */
const PASS_ON_EVERY_MS = 1_000

/** On a server, passes on to the schedulers that another node has written, because schedulers connect only to servers. */
const createPassOn = (links: ReadonlySet<Link>, { describe }: BusOptions) => {
  const throttle = createThrottle(PASS_ON_EVERY_MS, () => {
    for (const link of links) if (link.peer()?.node.schedules === true) link.send(PASSED_ON_HINT)
  })
  return {
    stop: throttle.stop,
    hear: (keys: readonly string[]): void => {
      if (describe().serves && keys.some((key) => key !== PASSED_ON)) throttle.want()
    },
  }
}

/** Sends the hints of each turn of the event loop, and handles those that arrive. */
const createHintFlow = (links: ReadonlySet<Link>, options: BusOptions) => {
  const handout = createHandout({
    links: () => links,
    describe: options.describe,
    now: options.now,
  })
  const passOn = createPassOn(links, options)
  const batch = createHintBatch((hints) => {
    const queued = new Map<Link, QueuedTags>()
    for (const [tag, jobs] of hints.get('jobQueued') ?? []) {
      const { links: hinted, isTaken } = handout.ofOwn(tag, jobs)
      const tags = Array.from({ length: Math.min(jobs, MAX_JOBS_HINTED) }, () => tag)
      for (const link of hinted) {
        const before = queued.get(link) ?? { tags: [], taken: [] }
        const taken = isTaken ? [...before.taken, tag] : before.taken
        queued.set(link, { tags: [...before.tags, ...tags], taken })
      }
    }
    for (const link of links) link.send(hints, queued.get(link))
  })
  const receive = (from: Link, { hints, taken }: ReceivedMessage): void => {
    for (const [tag, jobs] of countTags(hints.jobQueued ?? [])) {
      const isTaken = taken?.includes(tag) ?? false
      const { links: hinted, isOwn } = handout.ofOther(from, { tag, jobs, isTaken })
      if (isOwn) options.onHint('jobQueued', tag)
      for (const link of hinted) link.send(NO_HINTS, { tags: [tag], taken: [] })
    }
    passOn.hear(hints.written ?? [])
    deliver(hints, options.onHint)
  }
  return { batch, receive, stop: passOn.stop }
}

const socketAddress = ({ socket }: IncomingMessage): string | null => socket.remoteAddress ?? null

/** Creates the bus of this node. It has no connections until `follow` or `accept` is called. */
export const createBus = (options: BusOptions): Bus => {
  const links = new Set<Link>()
  const followed = new Map<string, Followed>()
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES })
  const strangers = createStrangers<WebSocket>(STRANGER_LIMITS)
  const { addressOf = socketAddress } = options
  let isStopped = false

  const { batch, receive, stop: stopFlow } = createHintFlow(links, options)
  const aliveTimer = setInterval(() => {
    for (const link of links) link.sendAlive()
  }, ALIVE_EVERY_MS)
  aliveTimer.unref()

  const open = (
    socket: WebSocket,
    side: 'client' | 'server',
    more: Readonly<{ address: string | null; onClosed: (wasJoined: boolean) => void }>,
  ): Link => {
    const link: Link = createLink({
      socket,
      side,
      key: options.key,
      describe: options.describe,
      now: options.now,
      onJoined: (node) => {
        strangers.leave(socket)
        options.onJoined(node)
      },
      onStranger: () => options.onStranger(more.address),
      onHints: (message) => receive(link, message),
      onClosed: () => {
        links.delete(link)
        more.onClosed(link.peer() !== null)
      },
    })
    links.add(link)
    return link
  }

  const connect = (
    address: string,
    onClosed: (wasJoined: boolean, error: Error | null) => void,
  ): Link => {
    let failure: Error | null = null
    const socket = new WebSocket(toSocketUrl(address), {
      maxPayload: MAX_MESSAGE_BYTES,
      handshakeTimeout: 5_000,
      followRedirects: false,
    })
    socket.on('error', (error) => {
      failure = error
    })
    return open(socket, 'client', {
      address,
      onClosed: (wasJoined) => onClosed(wasJoined, failure),
    })
  }

  return {
    send: (kind, key) => {
      if (links.size > 0) batch.add(kind, key)
    },
    peers: () => [...links].map((link) => link.peer()).filter((peer) => peer !== null),
    follow: (addresses) => {
      if (isStopped) return
      for (const [address, { stop }] of followed) {
        if (addresses.includes(address)) continue
        stop()
        followed.delete(address)
      }
      for (const address of addresses) {
        if (followed.has(address)) continue
        followed.set(
          address,
          keepConnected(
            (onClosed) => connect(address, onClosed),
            (error) => options.onUnreached(address, error),
          ),
        )
      }
    },
    accept: (request, socket, head) => {
      if (isStopped) {
        refuse(socket)
        return
      }
      server.handleUpgrade(request, socket, head, (client) => {
        readFrames(socket)
        strangers.enter(callerNetworkOf(addressOf(request)), client)
        open(client, 'server', { address: null, onClosed: () => strangers.leave(client) })
      })
    },
    stop: async () => {
      isStopped = true
      clearInterval(aliveTimer)
      stopFlow()
      for (const each of [...followed.values()]) each.stop()
      for (const link of links) link.close()
      server.close()
    },
  }
}
