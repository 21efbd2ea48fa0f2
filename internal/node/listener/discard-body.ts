/**
 * Reads and discards the rest of a request's body after the response was sent. A client that writes its whole body
 * before it reads would otherwise get a connection reset (EPIPE) instead of the response, for example 413. Bytes and
 * time are limited; nginx calls this `lingering_close`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** The limits in bytes, and in milliseconds from the response; beyond either the connection is closed. */
const [MAX_BYTES, MAX_MS] = [268_435_456, 30_000]

/** Call it for each request when it arrives. */
export const discardRest = (request: IncomingMessage, response: ServerResponse): void => {
  response.once('finish', () => {
    if (!request.complete && !request.destroyed) discard(request)
  })
}

const discard = (request: IncomingMessage): void => {
  const { socket } = request
  let bytes = 0
  const timer = setTimeout(() => socket.destroySoon(), MAX_MS)
  timer.unref()
  // earlier readers of the body would pause the stream when their own buffers are full
  request.removeAllListeners('data')
  request.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    if (bytes > MAX_BYTES) socket.destroySoon()
  })
  request.once('close', () => clearTimeout(timer))
  request.once('end', () => clearTimeout(timer))
  request.resume()
}
