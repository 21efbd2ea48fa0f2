/**
 * Handles the requests of a connection one after the other. node:http starts all that arrive together (pipelined), thousands
 * in one turn of the event loop, although it can send their responses only in order.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Waiting = Readonly<{ request: IncomingMessage; response: ServerResponse }>

/** While so many wait, no more is read from the connection. The part that is being read (64 KiB) may hold thousands more. */
const MANY = 64

/** Reads no more from the connection while many requests wait. The one in progress has arrived, because they follow it. */
const holdBack = (socket: Socket, waiting: readonly Waiting[]): void => {
  const hold = (): void => {
    if (waiting.length >= MANY) socket.pause()
    else socket.off('resume', hold)
  }
  // node:http resumes the connection after each request, and for each body that a handler reads
  socket.on('resume', hold)
  hold()
}

export const oneAtATime = (handle: RequestListener): RequestListener => {
  /** Contains the connections with a request in progress. */
  const connections = new WeakMap<Socket, Waiting[]>()
  const start = ({ request, response }: Waiting, waiting: readonly Waiting[]): void => {
    const { socket } = request
    response.once('close', () => {
      if (waiting.length === 0) connections.delete(socket)
      // other connections get their turn first
      else setImmediate(startNext, socket)
    })
    handle(request, response)
  }
  const startNext = (socket: Socket): void => {
    const waiting = connections.get(socket) ?? []
    const next = waiting.shift()
    if (next === undefined || !socket.writable) return void connections.delete(socket)
    if (waiting.length === MANY - 1) socket.resume()
    start(next, waiting)
  }
  return (request, response) => {
    const { socket } = request
    const waiting = connections.get(socket)
    if (waiting === undefined) {
      const none: Waiting[] = []
      connections.set(socket, none)
      return start({ request, response }, none)
    }
    waiting.push({ request, response })
    if (waiting.length === MANY) holdBack(socket, waiting)
  }
}
