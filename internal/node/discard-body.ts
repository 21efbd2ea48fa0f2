/**
 * Reads and discards what is left of a request's body after its answer was sent. A client that writes its whole body before
 * it reads would else find the connection reset (EPIPE) instead of the answer, for example 413. Bounded in bytes and time;
 * nginx calls the same `lingering_close`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

export type DiscardLimits = Readonly<{
  /** Bytes, and milliseconds from the answer; beyond either the connection is closed. */
  maxBytes: number
  maxMs: number
}>

const DEFAULTS: DiscardLimits = { maxBytes: 268_435_456, maxMs: 30_000 }

/** For each request of a server, when it comes in. */
export const discardRest = (
  request: IncomingMessage,
  response: ServerResponse,
  limits: DiscardLimits = DEFAULTS,
): void => {
  response.once('finish', () => {
    if (!request.complete && !request.destroyed) discard(request, limits)
  })
}

const discard = (request: IncomingMessage, { maxBytes, maxMs }: DiscardLimits): void => {
  const { socket } = request
  let bytes = 0
  const timer = setTimeout(() => socket.destroySoon(), maxMs)
  timer.unref()
  // whatever read the body so far pauses it when its own buffer is full
  request.removeAllListeners('data')
  request.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    if (bytes > maxBytes) socket.destroySoon()
  })
  request.once('close', () => clearTimeout(timer))
  request.once('end', () => clearTimeout(timer))
  request.resume()
}
