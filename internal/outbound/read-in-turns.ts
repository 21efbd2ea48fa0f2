/**
 * Reads responses of servers that callers name in small parts, and spreads the parts over turns of the event loop. node:http
 * reads 64 KiB at once: thousands of interim responses (1xx), or of chunks with one byte, which take all the time of a turn if
 * several servers send them.
 */
import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { createTurnBudget } from '#core/fairness/turn-budget.ts'

/** Bytes. They hold 150 interim responses or 700 chunks. */
const PART = 4_096
/** Milliseconds of a turn for the parts of all connections. */
const TURN_MS = 10
/** Interim responses before a response, as many as servers send. */
const MOST_INTERIM = 10

/** It is module state because the event loop belongs to the process. */
const turns = createTurnBudget({ turnMs: TURN_MS, nextTurn: setImmediate })

const readSocket = (socket: Socket): void => {
  // the function that parses the response; other runtimes than Node have none
  const [parse] = socket.listeners('data')
  if (parse === undefined) return
  let isHeld = false
  const hold = (rest: Buffer, hadPart: boolean): void => {
    socket.pause()
    socket.unshift(rest)
    if (isHeld) return
    isHeld = true
    turns.wait(() => {
      isHeld = false
      socket.resume()
    }, hadPart)
  }
  const read = (received: Buffer): void => {
    for (let at = 0; at < received.length; at += PART) {
      if (socket.destroyed) return
      // the response has ended, so what follows belongs to none
      if (at > 0 && !socket.rawListeners('data').includes(read)) return void socket.destroy()
      if (at > 0 && socket.isPaused()) return void socket.unshift(received.subarray(at))
      // a reader of the response may have resumed a connection that waits
      if (isHeld || turns.isSpent()) return void hold(received.subarray(at), at > 0)
      const before = performance.now()
      parse.call(socket, received.subarray(at, at + PART))
      turns.spend(performance.now() - before)
    }
  }
  socket.removeAllListeners('data')
  // node:http removes `parse` at the end of the response, and this removes `read`
  socket.on('data', Object.assign(read, { listener: parse }))
}

/** Call it for a request before its response. A server that sends interim responses without end makes it fail. */
export const readInTurns = (request: ClientRequest): void => {
  request.once('socket', readSocket)
  let interim = 0
  request.on('information', () => {
    interim += 1
    if (interim > MOST_INTERIM) request.destroy(new Error('The server sends no response.'))
  })
}
