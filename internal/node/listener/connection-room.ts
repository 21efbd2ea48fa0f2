/**
 * Limits the connections of clients, which could otherwise take all file descriptors of the process: then jobs cannot start
 * and health checks fail. At the limit a new connection displaces one that the server owes no response, or whose client does not
 * read it. If there is none, a request displaces that of the caller who has most, unless its own caller has as many.
 */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import { createGroups } from '#core/fairness/groups.ts'
import { callerNetworkOf } from '#core/network/caller-network.ts'
import type { Caller } from '#http/admission/connection-owner.ts'

/** The most that jobs, files, the database and connections to other hosts may need. */
const MOST_RESERVED = 4_096
/** Connections beyond the limit while all others wait for responses, until it is known whose they are. */
const SPARE = 32

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

export type Room = Readonly<{
  most: number
  /** Returns a connection whose client does not read its response. */
  findStalled: () => Socket | undefined
}>

export type ConnectionRoom = Readonly<{
  handle: RequestListener
  /**
   * Counts a connection for the caller of its request until the response was sent, or the connection has ended.
   * @returns whether the request may go on; otherwise it must be refused
   */
  countFor: (socket: Socket, caller: Caller) => boolean
}>

const keyOf = ({ name, isKnown }: Caller): string => `${isKnown ? 'workspace' : 'network'} ${name}`

/** @param handle handles the requests */
export const limitConnections = (
  server: Pick<Server, 'on'>,
  { most, findStalled }: Room,
  handle: RequestListener,
): ConnectionRoom => {
  /** The network of each connection's peer. */
  const open = new Map<Socket, string>()
  /** Connections without a request by the network of the peer; the one that is idle longest is first. */
  const idle = createGroups<Socket>()
  /** Connections with a request by its caller; the longest request is first. */
  const busy = createGroups<Socket>()
  /** The requests of callers without a credential. */
  const unknown = new Map<Socket, IncomingMessage>()

  const forget = (socket: Socket): void => {
    open.delete(socket)
    idle.leave(socket)
    busy.leave(socket)
    unknown.delete(socket)
  }
  const displace = (socket: Socket): void => {
    forget(socket)
    socket.destroy()
  }
  const busyBeside = (socket: Socket): number => busy.sizeOf(busy.ownerOf(socket) ?? '')
  /**
   * The connection whose request has sent least, of the network with most requests. Slow senders without a credential are the
   * cheapest attack.
   */
  const findSlowest = (beside: Socket | null): Socket | undefined => {
    let slowest: Socket | undefined
    let others = 0
    for (const [socket, request] of unknown) {
      if (request.complete || socket === beside) continue
      const own = busyBeside(socket)
      if (own < others) continue
      if (own === others && slowest !== undefined && socket.bytesRead >= slowest.bytesRead) continue
      slowest = socket
      others = own
    }
    return slowest
  }
  /** Ends connections that wait for no response, or do not read it, until there are `count` at most; never the newcomer. */
  const makeRoom = (count: number, newcomer: Socket | null): void => {
    while (open.size > count) {
      const ended = idle.largest()?.first ?? findSlowest(newcomer) ?? findStalled()
      if (ended === undefined) return
      displace(ended)
    }
  }
  /** Ends the longest request of the caller who has most. @returns false if no caller has more than this one */
  const takeFromLargest = (key: string): boolean => {
    const largest = busy.largest()
    if (largest === null || largest.size <= busy.sizeOf(key)) return false
    displace(largest.first)
    return true
  }

  server.on('connection', (socket) => {
    makeRoom(most - 1, null)
    if (open.size >= most + SPARE) return void socket.destroy()
    const network = callerNetworkOf(socket.remoteAddress ?? null)
    open.set(socket, network)
    idle.join(network, socket)
    socket.once('close', () => forget(socket))
  })
  server.on('upgrade', ({ socket }) => idle.leave(socket))
  return {
    handle: (request, response) => {
      const { socket } = request
      const network = open.get(socket)
      idle.leave(socket)
      if (network !== undefined) {
        busy.join(keyOf({ name: network, isKnown: false }), socket)
        unknown.set(socket, request)
      }
      response.once('close', () => {
        busy.leave(socket)
        unknown.delete(socket)
        if (network !== undefined && open.has(socket)) idle.join(network, socket)
      })
      handle(request, response)
    },
    countFor: (socket, caller) => {
      // it may have been displaced meanwhile
      if (!open.has(socket)) return true
      const key = keyOf(caller)
      busy.join(key, socket)
      if (caller.isKnown) unknown.delete(socket)
      makeRoom(most, socket)
      return open.size <= most || takeFromLargest(key)
    },
  }
}
