/**
 * Limits the connections of clients, which could otherwise take all file descriptors of the process: then jobs cannot start
 * and health checks fail. At the limit a new connection displaces one that the server owes no response, or whose client does not
 * read it.
 */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import { v7 } from 'uuid'
import { endWithError, type RawError } from '#http/raw-error.ts'

/** The most that jobs, files, the database and connections to other hosts may need. */
const MOST_RESERVED = 4_096
/** Connections beyond the limit while all others wait for responses. They get health checks or errors. */
const SPARE = 32
const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/metrics'])

const FULL: RawError = {
  status: 503,
  code: 'unavailable',
  message: 'This node has too many open connections. Try again later.',
  headers: { 'retry-after': '2' },
}

/** @param limits the text of /proc/self/limits @returns how many connections leave enough file descriptors */
export const connectionsWithin = (limits: string): number => {
  const [, text] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  if (text === undefined) return Number.POSITIVE_INFINITY
  const descriptors = Number(text)
  return descriptors - Math.min(Math.ceil(descriptors / 2), MOST_RESERVED)
}

/** Infinity on a system that does not state its limit of file descriptors. */
export const findMostConnections = (): number => {
  try {
    return connectionsWithin(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    // only Linux has the file
    return Number.POSITIVE_INFINITY
  }
}

const isHealthCheck = ({ url }: IncomingMessage): boolean => HEALTH.has(url?.split('?')[0] ?? '')

export type Room = Readonly<{
  most: number
  /** Returns a connection whose client does not read its response. */
  findStalled: () => Socket | undefined
}>

/** Returns a listener that handles requests with `handle`, or refuses those beyond `most` connections. */
export const limitConnections = (
  server: Pick<Server, 'on'>,
  { most, findStalled }: Room,
  handle: RequestListener,
): RequestListener => {
  const open = new Set<Socket>()
  /** Connections without a request; the one that is idle longest is first. */
  const idle = new Set<Socket>()
  const requests = new Map<Socket, IncomingMessage>()

  /** The connection whose request has sent least. Slow senders are the cheapest attack. */
  const findSlowest = (): Socket | undefined => {
    let slowest: Socket | undefined
    for (const [socket, request] of requests) {
      if (request.complete) continue
      if (slowest === undefined || socket.bytesRead < slowest.bytesRead) slowest = socket
    }
    return slowest
  }
  /** Ends one connection that waits for no response, or does not read it. */
  const makeRoom = (): void => {
    const [longestIdle] = idle
    const ended = longestIdle ?? findSlowest() ?? findStalled()
    if (ended === undefined) return
    forget(ended)
    ended.destroy()
  }
  const forget = (socket: Socket): void => {
    open.delete(socket)
    idle.delete(socket)
    requests.delete(socket)
  }

  server.on('connection', (socket) => {
    if (open.size >= most) makeRoom()
    if (open.size >= most + SPARE) return void socket.destroy()
    open.add(socket)
    idle.add(socket)
    socket.once('close', () => forget(socket))
  })
  server.on('upgrade', ({ socket }) => void idle.delete(socket))
  return (request, response) => {
    const { socket } = request
    idle.delete(socket)
    if (open.size > most && !isHealthCheck(request)) {
      makeRoom()
      if (open.size > most) return endWithError(socket, FULL, v7())
    }
    requests.set(socket, request)
    response.once('close', () => {
      requests.delete(socket)
      if (open.has(socket)) idle.add(socket)
    })
    handle(request, response)
  }
}
