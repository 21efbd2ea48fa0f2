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
  const { socket } = request
  const closeSoon = socket.destroySoon
  const isUnread = (): boolean => !request.complete && !request.destroyed
  let isLast = false
  // node:http itself closes a connection that ends with this response, before it calls the second listener
  response.prependOnceListener('finish', () => {
    if (!isUnread()) return
    socket.destroySoon = () => {
      isLast = true
      socket.end()
    }
  })
  response.once('finish', () => {
    socket.destroySoon = closeSoon
    if (isUnread()) discard(request, isLast)
  })
}

const discard = (request: IncomingMessage, isLast: boolean): void => {
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
  request.once('end', () => {
    clearTimeout(timer)
    if (isLast) socket.destroySoon()
  })
  request.resume()
}
