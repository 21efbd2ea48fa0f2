/**
 * GET /v2/certificates/session/{certId}/ws as a WebSocket. Each response of the long-poll route becomes a JSON
 * message, and the connection closes after the last one.
 *
 * It guarantees: the handshake requires the same admission as that route; no certificate is taken for a receiver that does
 * not answer a ping or whose key was revoked meanwhile; a receiver that stops answering is dropped; neither one
 * key nor one workspace can occupy the server with connections.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { AppError } from '#core/error.ts'
import { createFrameReader } from '#core/fairness/read-frames.ts'
import { createTally } from '#core/fairness/tally.ts'
import { limit } from '#core/limit.ts'
import { callerNetworkOf } from '#core/network/caller-network.ts'
import type { Logger } from '#log/logger.ts'
import {
  type ReceiveDeps,
  type ReceiveRequest,
  receiveCertificate,
} from '#service/relay/receive-certificate.ts'
import { lookAtOwnSession } from '#service/relay/relay-session.ts'
import { type AdmitDeps, identifyByApiKey } from '../admission/admit.ts'
import type { ToClientAddress } from '../admission/client-address.ts'
import { type CountConnection, requireConnection } from '../admission/connection-owner.ts'
import { type CredentialWatch, createCredentialWatch } from '../admission/credential-watch.ts'
import type { RateLimiter } from '../admission/rate-limit.ts'
import { toWireError } from '../error.ts'
import { workspaceOfKey } from '../key-workspace.ts'
import { endWithError } from '../raw-error.ts'
import { toSessionId } from '../row-id.ts'
import { toRelayMessage } from './relay-answer.ts'

export const RELAY_SOCKET_PATH = /^\/v2\/certificates\/session\/([^/]+)\/ws$/

export type RelaySocketDeps = ReceiveDeps &
  AdmitDeps &
  Readonly<{ log: Logger; rateLimit: RateLimiter; toClientAddress: ToClientAddress }>

export interface RelaySockets {
  /** Accepts a connection whose path matches RELAY_SOCKET_PATH. */
  accept(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    countConnection?: CountConnection,
  ): void
  /** Closes all connections with the code that makes clients connect to another server. */
  close(): void
}

/** It is module state because the event loop belongs to the process. */
const readFrames = createFrameReader(() => performance.now(), setImmediate)

const MOST_SOCKETS = limit(
  'relay.sockets',
  2_000,
  'items',
  'Open WebSockets of an API key on one server. More: 429.',
)
/** Fewer than the connections of a server, so that the keys of one workspace together leave some to others. */
const MOST_OF_WORKSPACE = limit(
  'relay.workspace-sockets',
  3_000,
  'items',
  'Open WebSockets of all API keys of a workspace on one server. More: 429.',
)
const RETRY_AFTER_S = 10

/** Small, because receivers send no messages. */
const MAX_MESSAGE_BYTES = 1_024
const PING_EVERY_MS = 15_000
const PONG_WITHIN_MS = 5_000
const LOOK_FOR_MS = 30_000
const CLOSE_WITHIN_MS = 2_000

const DONE = 1000
const LEAVING = 1001
const REVOKED = 1008
const TROUBLE = 1011
/** Time until a connection whose key has ended is cut. */
const REVOKED_WITHIN_MS = 500

type Own = Pick<ReceiveRequest, 'id' | 'keyId'> & Readonly<{ ws: string }>

/** Admits as the route does (http/app.ts). @throws {AppError} unauthenticated, rate_limited, not_found */
const admitReceiver = async (deps: RelaySocketDeps, request: IncomingMessage): Promise<Own> => {
  const { authorization } = request.headers
  try {
    const principal = await identifyByApiKey(deps, authorization)
    const { credentialId: keyId } = principal
    deps.rateLimit('other', keyId)
    const [path = ''] = (request.url ?? '').split('?')
    const own = {
      id: toSessionId(RELAY_SOCKET_PATH.exec(path)?.[1] ?? ''),
      keyId,
      ws: workspaceOfKey(principal),
    }
    await lookAtOwnSession(deps, own)
    return own
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unauthenticated') {
      const forwarded = request.headers['x-forwarded-for']
      const peer = request.socket.remoteAddress ?? null
      const address = deps.toClientAddress(peer, forwarded?.toString())
      deps.rateLimit('anonymous', callerNetworkOf(address))
    }
    throw error
  }
}

/** Sends an HTTP error in place of the handshake. */
const refuse = (deps: RelaySocketDeps, socket: Duplex, error: unknown): void => {
  const wire = toWireError(error)
  const requestId = deps.newId()
  if (wire.isOurs) deps.log.error('A WebSocket was not accepted.', { request_id: requestId, error })
  endWithError(socket, wire, requestId)
}

/** Pings the receiver. The connection of a phone out of reach stays open for minutes, so only a pong proves that it is there. */
const isThere = (socket: WebSocket): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => {
      socket.terminate()
      resolve(false)
    }, PONG_WITHIN_MS)
    socket.once('pong', () => {
      clearTimeout(timer)
      resolve(socket.readyState === socket.OPEN)
    })
    socket.ping()
  })

/** Drops a receiver that does not answer a ping before the next one. */
const keepAlive = (socket: WebSocket): AbortSignal => {
  const gone = new AbortController()
  let hasAnswered = true
  const heartbeat = setInterval(() => {
    if (!hasAnswered) socket.terminate()
    hasAnswered = false
    socket.ping()
  }, PING_EVERY_MS)
  socket.on('pong', () => {
    hasAnswered = true
  })
  socket.on('close', () => {
    clearInterval(heartbeat)
    gone.abort()
  })
  // a broken connection also emits its end, which is handled
  socket.on('error', () => undefined)
  return gone.signal
}

type Receiver = Readonly<{ own: Own; authorization: string | undefined }>

/** Ends a connection within 2 s of its key, whether or not the peer answers the close. */
const closeWithKey = (
  deps: RelaySocketDeps & Readonly<{ credentials: CredentialWatch }>,
  socket: WebSocket,
  { own, authorization, gone }: Receiver & Readonly<{ gone: AbortSignal }>,
): void => {
  const watched = deps.credentials.watch(own.keyId, () => identifyByApiKey(deps, authorization))
  socket.on('close', watched.stop)
  const end = (): void => {
    socket.close(REVOKED, 'the API key was revoked')
    setTimeout(() => socket.terminate(), REVOKED_WITHIN_MS).unref()
  }
  // the signal outlives the connection while others of the key are open
  watched.signal.addEventListener('abort', end, { signal: gone })
}

const follow = async (
  deps: RelaySocketDeps & Readonly<{ credentials: CredentialWatch }>,
  socket: WebSocket,
  { own, authorization }: Receiver,
): Promise<void> => {
  const signal = keepAlive(socket)
  closeWithKey(deps, socket, { own, authorization, gone: signal })
  const mayTake = async (): Promise<boolean> => {
    // the key may have been revoked since the handshake
    await identifyByApiKey(deps, authorization)
    return isThere(socket)
  }
  const request = { ...own, signal, mayTake }
  let received = await receiveCertificate(deps, { ...request, waitMs: 0 })
  socket.send(JSON.stringify(toRelayMessage(received)))
  while (received.kind === 'waiting' && !signal.aborted) {
    received = await receiveCertificate(deps, { ...request, waitMs: LOOK_FOR_MS })
    if (received.kind !== 'waiting') socket.send(JSON.stringify(toRelayMessage(received)))
  }
  socket.close(DONE, 'that was all')
}

const tooManySockets = (owner: 'API key' | 'workspace', most: number): AppError =>
  new AppError(
    'rate_limited',
    `This ${owner} has ${most} open WebSockets on this server. Close some, or poll.`,
    { code: 'too_many_sockets', retryAfterS: RETRY_AFTER_S },
  )

type MostSockets = Readonly<{ ofKey: number; ofWorkspace: number }>

/** Counts open connections by key and by workspace. */
const createOpenSockets = ({ ofKey, ofWorkspace }: MostSockets) => {
  const keys = createTally()
  const workspaces = createTally()
  return {
    /** @throws {AppError} rate_limited `too_many_sockets` */
    requireRoom: ({ keyId, ws }: Own): void => {
      if (keys.of(keyId) >= ofKey) throw tooManySockets('API key', ofKey)
      if (workspaces.of(ws) >= ofWorkspace) throw tooManySockets('workspace', ofWorkspace)
    },
    add: ({ keyId, ws }: Own, sockets: 1 | -1): void => {
      keys.add(keyId, sockets)
      workspaces.add(ws, sockets)
    },
  }
}

/** @param most open connections: further ones are refused */
export const createRelaySockets = (
  given: RelaySocketDeps,
  most: MostSockets = { ofKey: MOST_SOCKETS, ofWorkspace: MOST_OF_WORKSPACE },
): RelaySockets => {
  const deps = { ...given, credentials: createCredentialWatch() }
  const open = createOpenSockets(most)
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES })
  // `ws` would answer an invalid handshake without the body and the headers that all errors have
  server.on('wsClientError', ({ message }, socket) =>
    refuse(
      deps,
      socket,
      new AppError('upgrade_required', `Connect to this path as a WebSocket. ${message}.`),
    ),
  )
  const answer = async (
    ...[request, socket, head, countConnection]: Parameters<RelaySockets['accept']>
  ): Promise<void> => {
    const own = await admitReceiver(deps, request)
    open.requireRoom(own)
    requireConnection(countConnection, { name: own.ws, isKnown: true })
    // the handshake is synchronous, so no other connection is counted in between
    server.handleUpgrade(request, socket, head, (client) => {
      readFrames(socket)
      open.add(own, 1)
      client.on('close', () => open.add(own, -1))
      const { authorization } = request.headers
      follow(deps, client, { own, authorization }).catch((error: unknown) => {
        if (toWireError(error).isOurs) deps.log.error('A WebSocket failed.', { error })
        client.close(TROUBLE, 'connect again')
      })
    })
  }
  return {
    accept: (request, socket, head, countConnection) => {
      answer(request, socket, head, countConnection).catch((error: unknown) =>
        refuse(deps, socket, error),
      )
    },
    close: () => {
      for (const client of server.clients) {
        client.close(LEAVING, 'the node stops')
        setTimeout(() => client.terminate(), CLOSE_WITHIN_MS).unref()
      }
      server.close()
    },
  }
}
