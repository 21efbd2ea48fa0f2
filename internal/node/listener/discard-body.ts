/**
 * Reads and discards the rest of a request's body after the response was sent. A client that writes its whole body
 * before it reads would otherwise get a connection reset (EPIPE) instead of the response, for example 413. Bytes and
 * time are limited; nginx calls this `lingering_close`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

export type DiscardLimits = Readonly<{
  /** The limits in bytes, and in milliseconds from the response; beyond either the connection is closed. */
  maxBytes: number
  maxMs: number
}>

const DEFAULTS: DiscardLimits = { maxBytes: 268_435_456, maxMs: 30_000 }

/** Call it for each request when it arrives. */
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
  // earlier readers of the body would pause the stream when their own buffers are full
  request.removeAllListeners('data')
  request.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    if (bytes > maxBytes) socket.destroySoon()
  })
  request.once('close', () => clearTimeout(timer))
  request.once('end', () => clearTimeout(timer))
  request.resume()
}
