/**
 * Chooses the transport to one sqld or Turso. `ws:` and `wss:` keep streams over WebSockets. So does `http:`, because sqld
 * serves both at one address; calls use HTTP if the endpoint accepts only HTTP, or if they are large. `https:` and `libsql:`
 * use HTTP.
 */
import { parseLibsqlUrl } from '@libsql/hrana-client'
import { sizeOfValues } from '../batch.ts'
import type { Statement } from '../database.ts'
import { openKeptStream } from './kept-stream.ts'
import type { RemoteConnection, RemoteConnectionOptions } from './remote-connection.ts'
import { isRefusedHandshake, toRemoteError } from './remote-database-error.ts'
import { openHttpConnection } from './remote-http-connection.ts'
import { createStreamPool } from './stream-pool.ts'

/** Milliseconds for which calls use HTTP after a refused handshake. Then another handshake is tried. */
const HTTP_FOR_MS = 60_000

const openStreams = (options: RemoteConnectionOptions): RemoteConnection =>
  createStreamPool({ open: () => openKeptStream(options) })

/**
 * Limit for calls over a stream. sqld closes a connection whose frame is larger than 16 MiB, and a WebSocket client sends a
 * call as one frame, in which a character of text takes up to 6 bytes and 3 bytes of a blob take 4.
 */
const MAX_STREAMED = 2 * 1_024 * 1_024

const isLarge = (statements: readonly Statement[]): boolean =>
  sizeOfValues(statements) > MAX_STREAMED

/** Uses streams, and HTTP, which has no frames, for calls that are too large for them. */
const openSized = (streams: RemoteConnection, http: RemoteConnection): RemoteConnection => ({
  execute: (statement) => (isLarge([statement]) ? http : streams).execute(statement),
  batch: (statements) => (isLarge(statements) ? http : streams).batch(statements),
  latencyMs: streams.latencyMs,
  keepsOrder: streams.keepsOrder,
  isLarge,
  renew: () => {
    streams.renew()
    http.renew()
  },
  close: () => {
    streams.close()
    http.close()
  },
})

/** Uses streams, and HTTP while their handshake is refused. A refused handshake has sent no statement. */
const openEither = (streams: RemoteConnection, http: RemoteConnection): RemoteConnection => {
  let httpUntil = 0
  const call = async <T>(work: (connection: RemoteConnection) => Promise<T>): Promise<T> => {
    if (performance.now() < httpUntil) return work(http)
    try {
      return await work(streams)
    } catch (error) {
      if (!isRefusedHandshake(error)) throw error
      httpUntil = performance.now() + HTTP_FOR_MS
      return work(http)
    }
  }
  return {
    execute: (statement) => call((connection) => connection.execute(statement)),
    batch: (statements) => call((connection) => connection.batch(statements)),
    latencyMs: streams.latencyMs,
    keepsOrder: () => performance.now() >= httpUntil && streams.keepsOrder(),
    isLarge: streams.isLarge,
    renew: () => {
      streams.renew()
      http.renew()
    },
    close: () => {
      streams.close()
      http.close()
    },
  }
}

const parse = (options: RemoteConnectionOptions) => {
  try {
    const { authToken = options.authToken, ...urls } = parseLibsqlUrl(options.url)
    return { more: authToken === undefined ? {} : { authToken }, ...urls }
  } catch (error) {
    throw toRemoteError(error)
  }
}

/** @throws {DatabaseError} the address is invalid. It does not connect to the server yet. */
export const openRemoteConnection = (options: RemoteConnectionOptions): RemoteConnection => {
  const { more, hranaWsUrl, hranaHttpUrl } = parse(options)
  const { timeoutMs, makeDurable } = options
  const opening = { timeoutMs, ...(makeDurable === undefined ? {} : { makeDurable }) }
  if (hranaHttpUrl === undefined && hranaWsUrl !== undefined) {
    const url = hranaWsUrl.replace(/^ws/, 'http')
    const streams = openStreams({ ...more, ...opening, url: hranaWsUrl })
    return openSized(streams, openHttpConnection({ ...more, timeoutMs, url }))
  }
  const http = openHttpConnection(options)
  if (hranaHttpUrl === undefined || !hranaHttpUrl.startsWith('http:')) return http
  const url = hranaHttpUrl.replace(/^http:/, 'ws:')
  return openEither(openSized(openStreams({ ...more, ...opening, url }), http), http)
}
