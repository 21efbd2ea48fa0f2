/**
 * Reads responses of servers that callers name in small parts, and spreads the parts over turns of the event loop. node:http
 * reads 64 KiB at once: thousands of interim responses (1xx), or of chunks with one byte, which take all the time of a turn if
 * several servers send them.
 */
import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { createPacedReader } from '#core/fairness/paced-reader.ts'
import { createTurnBudget } from '#core/fairness/turn-budget.ts'

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
  const read = createPacedReader(socket, {
    parse: (part) => void parse.call(socket, part),
    budget: turns,
    now: () => performance.now(),
    // the response has ended, so what follows belongs to none
    isOver: () => !socket.rawListeners('data').includes(read),
  })
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
