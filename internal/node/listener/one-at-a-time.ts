/**
 * Handles the requests of a connection one after the other. node:http starts all that arrive together (pipelined), thousands
 * in one turn of the event loop, although it can send their responses only in order.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { readInParts } from './read-in-parts.ts'
import { spreadReads } from './spread-reads.ts'

type Waiting = Readonly<{ request: IncomingMessage; response: ServerResponse }>

/** While so many wait, no more is read from the connection. The part that is being read may hold a few hundred more. */
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

export const oneAtATime = (
  server: Pick<Server, 'on'>,
  handle: RequestListener,
): RequestListener => {
  const noteWaiting = spreadReads(server)
  /** Connections whose next request may begin. One begins in each turn of the event loop, so that others have theirs in between. */
  const ready: Socket[] = []
  const startOne = (): void => {
    const socket = ready.shift()
    if (ready.length > 0) setImmediate(startOne)
    if (socket !== undefined) startNext(socket)
  }
  const awaitTurn = (socket: Socket): void => {
    ready.push(socket)
    if (ready.length === 1) setImmediate(startOne)
  }
  /** Contains the connections with a request in progress. */
  const connections = new WeakMap<Socket, Waiting[]>()
  readInParts(server, (socket) => (connections.get(socket)?.length ?? 0) >= MANY)
  const start = ({ request, response }: Waiting, waiting: readonly Waiting[]): void => {
    const { socket } = request
    response.once('close', () => {
      if (waiting.length === 0) connections.delete(socket)
      else awaitTurn(socket)
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
    noteWaiting(socket)
    if (waiting.length === MANY) holdBack(socket, waiting)
  }
}
