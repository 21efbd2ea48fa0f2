/** The listening socket. It opens before the database is reachable, and answers 503 until then [wire 9.5]. */
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  getRequestListener,
  type Http2Bindings,
  type HttpBindings,
  RequestError,
} from '@hono/node-server'
import type { CountConnection } from '#http/admission/connection-owner.ts'
import type { Env } from '#http/received.ts'
import { keepPace } from './body-pace.ts'
import { type ConnectionRoom, findMostConnections, limitConnections } from './connection-room.ts'
import { discardRest } from './discard-body.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { watchReaders } from './reader-pace.ts'
import { answerUnread, answerUnreadable } from './unreadable-requests.ts'

type Bindings = Env['Bindings']

export type Handler = (request: Request, bindings: Bindings) => Response | Promise<Response>

/** Takes over a connection that requests the upgrade to a WebSocket. */
export type Upgrade = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  countConnection: CountConnection,
) => void

export interface Listener {
  readonly url: string
  readonly host: string
  readonly port: number
  /** Replaces the current handler. */
  answerWith(handler: Handler): void
  /** Adds a handler for WebSockets whose path matches; other upgrades are ignored, and their requests are answered. */
  upgradeWith(path: RegExp, upgrade: Upgrade): void
  /** Takes no new connections, waits 5 s at most for open requests, then cuts the remaining ones (streams). */
  stop(): Promise<void>
}

/** Only HTTP/1 is served, so HTTP/2 requests never occur. */
const toBindings = (
  { incoming, outgoing }: HttpBindings | Http2Bindings,
  countFor: ConnectionRoom['countFor'],
): Bindings =>
  incoming instanceof IncomingMessage && outgoing instanceof ServerResponse
    ? { incoming, outgoing, countConnection: (caller) => countFor(incoming.socket, caller) }
    : {}

/** node:http would refuse it itself, without the body of errors. */
const isWithoutHost = ({ incoming }: HttpBindings | Http2Bindings): boolean =>
  incoming.httpVersion === '1.1' && incoming.headers.host === undefined

/**
 * Whether the body has a coding besides chunks, which nothing here decodes, or chunks in HTTP/1.0, which has none. node:http reads
 * both as chunks, but a proxy in front may have read another body (RFC 9112, 6.1).
 */
const hasOtherCoding = ({ incoming }: HttpBindings | Http2Bindings): boolean => {
  const coding = incoming.headers['transfer-encoding']
  if (coding === undefined) return false
  return coding.trim().toLowerCase() !== 'chunked' || incoming.httpVersion !== '1.1'
}

export type Patience = Readonly<{
  /** Milliseconds until a connection must have sent its headers. */
  headersMs: number
  /** Milliseconds for which the body may arrive at any pace; after that, the average must reach `bodyBytesPerS`. */
  requestMs: number
  /** The minimum average pace after `requestMs`. */
  bodyBytesPerS: number
  /** Milliseconds until the whole request must have arrived, at any pace. */
  wholeMs: number
  /** Milliseconds for which a client may read nothing of its response. */
  readMs: number
  checkEveryMs: number
}>

/** A client that sends very slowly, or does not read, must not hold a connection for ever. */
const PATIENCE: Patience = {
  headersMs: 10_000,
  requestMs: 60_000,
  bodyBytesPerS: 32_768,
  wholeMs: 1_800_000,
  readMs: 60_000,
  checkEveryMs: 5_000,
}
/**
 * Milliseconds for which a connection stays open between two requests. Most proxies keep theirs for 60 s, and answer 502 to a
 * request that they send while the server closes the connection.
 */
const IDLE_MS = 72_000
/** Milliseconds. Streams never end by themselves; other requests take less time than this. */
const CUT_AFTER_MS = 5_000
const MAX_HEADER_BYTES = 16_384
/**
 * Connections that the kernel queues until this process takes them; the kernel limits it to its own setting, usually this number.
 * It drops further ones silently, whose clients try again after 1, 3, 7 and 15 s. The default of Node is 511.
 */
const MOST_QUEUED = 4_096
/** Turns of the event loop, enough for a full queue. */
const MAX_TURNS = 2 * MOST_QUEUED

const shownHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

export type ListenAt = Readonly<{
  host: string
  port: number
  /** The number of connections. @default what the limit of file descriptors allows */
  most?: number
  /** The flag and the setting that choose the port. @default those of a server */
  portSetting?: string
}>

/** @throws {Error} the port is taken; the message names the remedy */
export const listen = async (
  { host, port, most = findMostConnections(), portSetting = '--port (SVC_PORT)' }: ListenAt,
  first: Handler,
  patience: Patience = PATIENCE,
): Promise<Listener> => {
  let current = first
  const upgrades: Readonly<{ path: RegExp; upgrade: Upgrade }>[] = []
  const findUpgrade = ({ method, url, headers }: IncomingMessage): Upgrade | undefined => {
    // requests of other methods are answered over HTTP, with the methods that the path takes
    if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return undefined
    const path = url?.split('?')[0] ?? ''
    return upgrades.find((one) => one.path.test(path))?.upgrade
  }
  const onRequest = getRequestListener(
    (request, bindings) =>
      isWithoutHost(bindings) || hasOtherCoding(bindings)
        ? answerUnread({ isMalformed: true })
        : current(request, toBindings(bindings, room.countFor)),
    {
      errorHandler: (error) => answerUnread({ isMalformed: error instanceof RequestError }),
      // requests of HTTP/1.0, such as the health checks of HAProxy, need no Host
      hostname: 'localhost',
      // the adapter's own clean-up waits only half a second for a slow client; see discard-body.ts
      autoCleanupIncoming: false,
    },
  )
  const server = createServer({
    headersTimeout: patience.headersMs,
    requestTimeout: patience.wholeMs,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: patience.checkEveryMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
    // a second Host makes the address of the request invalid; a proxy in front may have read either
    joinDuplicateHeaders: true,
    // clients of HTTP/2, such as Java's, offer an upgrade with each request, which is answered over HTTP/1
    shouldUpgradeCallback: (request: IncomingMessage) => findUpgrade(request) !== undefined,
  })
  const unreadable = answerUnreadable(server, patience.headersMs)
  // node:http would refuse it without the body of errors; RFC 9110 (10.1.1) lets a server ignore what it does not know
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  const { requestMs: graceMs, bodyBytesPerS: bytesPerS, readMs, checkEveryMs } = patience
  const pace = keepPace({ graceMs, bytesPerS, checkEveryMs })
  const readers = watchReaders({ readMs, checkEveryMs })
  const { findStalled } = readers
  const room = limitConnections(server, { most, findStalled }, (request, response) => {
    unreadable.watch(request, response)
    pace.watch(request)
    readers.watch(response)
    discardRest(request, response)
    void onRequest(request, response)
  })
  server.on('request', oneAtATime(server, room.handle))
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined)
    const upgrade = findUpgrade(request)
    if (upgrade !== undefined) {
      return upgrade(request, socket, head, (caller) => room.countFor(request.socket, caller))
    }
    // other runtimes than Node report every upgrade
    const answer = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n'
    socket.end(answer, () => socket.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, { host, port, portSetting })))
    server.listen({ port, host, backlog: MOST_QUEUED }, () => resolve())
  })
  let taken = 0
  server.on('connection', () => {
    taken += 1
  })
  /**
   * The kernel has accepted connections that this process has not seen yet; closing the socket now would reset them.
   * libuv takes one of them per turn of the event loop.
   */
  const takeWaiting = async (): Promise<void> => {
    let quietTurns = 0
    for (let turn = 0; turn < MAX_TURNS && quietTurns < 2; turn += 1) {
      const before = taken
      await nextTurn()
      quietTurns = taken === before ? quietTurns + 1 : 0
    }
  }
  const address = server.address()
  const actual = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${shownHost(host)}:${actual}`,
    host,
    port: actual,
    upgradeWith: (path, upgrade) => void upgrades.push({ path, upgrade }),
    answerWith: (handler) => {
      current = handler
    },
    stop: async () => {
      await takeWaiting()
      await new Promise<void>((resolve) => {
        const cut = setTimeout(() => {
          server.closeAllConnections()
        }, CUT_AFTER_MS)
        server.close(() => {
          pace.stop()
          readers.stop()
          clearTimeout(cut)
          resolve()
        })
        server.closeIdleConnections()
      })
    },
  }
}

const SENTENCES: Readonly<Record<string, (at: Required<Omit<ListenAt, 'most'>>) => string>> = {
  EADDRINUSE: ({ port, portSetting }) =>
    `Port ${port} is taken. Stop what uses it, or choose another with ${portSetting}.`,
  EACCES: ({ port, portSetting }) =>
    `This user may not listen on port ${port}. Choose one above 1023 with ${portSetting}.`,
  EADDRNOTAVAIL: ({ host }) =>
    `This machine has no address ${host}. Choose another with --host (SVC_HOST); 0.0.0.0 takes all.`,
  ENOTFOUND: ({ host }) =>
    `No machine is called ${host}. Choose another with --host (SVC_HOST); 0.0.0.0 takes all.`,
}

const explain = (error: Error, at: Required<Omit<ListenAt, 'most'>>): Error => {
  const code = 'code' in error ? String(error.code) : ''
  const sentence = SENTENCES[code]?.(at)
  return sentence === undefined ? error : new Error(sentence, { cause: error })
}
