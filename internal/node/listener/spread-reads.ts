/**
 * Spreads what many connections have sent over turns of the event loop. node:http reads 64 KiB of each in one turn, and creates
 * thousands of requests from each part, if they are small and sent without waiting for responses (pipelined).
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Requests in addition to the first of a connection, which one turn reads in a few milliseconds. One part may hold more. */
const MOST = 512

/** Returns a function to call for each request that arrives while its connection has another one in progress. */
export const spreadReads = (server: Pick<Server, 'on'>): ((socket: Socket) => void) => {
  /** In the order in which they are read again: one that had many requests comes last. */
  const open = new Set<Socket>()
  const held = new Set<Socket>()
  let arrived = 0

  const hold = (reading: Socket): void => {
    open.delete(reading)
    open.add(reading)
    for (const socket of open) {
      // node:http has paused those whose requests or bodies wait
      if (socket.isPaused()) continue
      socket.pause()
      held.add(socket)
    }
  }
  const release = (): void => {
    arrived = 0
    for (const socket of held) socket.resume()
    held.clear()
  }

  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      held.delete(socket)
    })
  })
  return (socket) => {
    arrived += 1
    // the turn handles what other connections have sent before it runs this
    if (arrived === 1) setImmediate(release)
    if (arrived === MOST) hold(socket)
  }
}
