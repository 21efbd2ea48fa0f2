/**
 * Reads what a connection sends in small parts. node:http reads 64 KiB at once, which may hold thousands of small requests
 * (pipelined). It would create all of them in one turn of the event loop, although svc has paused the connection meanwhile.
 * They may also hold ten thousand chunks of a body. Bodies in chunks share a part of each turn.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { createPacedReader } from '#core/fairness/paced-reader.ts'
import { createTurnBudget } from '#core/fairness/turn-budget.ts'

/** Milliseconds of a turn for parsing bodies in chunks. Their readers take several times as long for very small chunks. */
const CHUNKS_MS = 3

/** It is module state because the event loop belongs to the process. */
const turns = createTurnBudget({ turnMs: CHUNKS_MS, nextTurn: setImmediate })

/** node:http pauses a connection whose client does not read its responses, accepts nothing meanwhile, and resumes it itself. */
type Connection = Socket & { readonly _paused?: boolean }

const isPaused = (socket: Connection): boolean => socket.isPaused() || socket._paused === true

/**
 * A paused connection keeps the rest of what has arrived, until it is resumed.
 * @param isFull whether a connection has to be paused. node:http resumes it after each request.
 */
export const readInParts = (
  server: Pick<Server, 'on'>,
  isFull: (socket: Socket) => boolean,
): void => {
  /** The requests whose bodies come in chunks. */
  const chunked = new WeakMap<Socket, IncomingMessage>()
  server.on('request', (request) => {
    if (request.headers['transfer-encoding'] !== undefined) chunked.set(request.socket, request)
  })
  server.on('connection', (socket) => {
    // the function that parses requests; other runtimes than Node have none
    const [parse] = socket.listeners('data')
    if (parse === undefined) return
    const pause = (): void => void socket.pause()
    const connection = {
      get destroyed() {
        return socket.destroyed
      },
      destroy: () => socket.destroy(),
      isPaused: () => isPaused(socket) || isFull(socket),
      pause,
      resume: () => {
        if (!isFull(socket)) socket.resume()
      },
      unshift: (rest: Uint8Array) => {
        pause()
        socket.unshift(rest)
      },
    }
    const read = createPacedReader(connection, {
      parse: (part) => void parse.call(socket, part),
      budget: turns,
      now: () => performance.now(),
      // it is no longer read as HTTP; its client sends nothing before the upgrade is answered
      isOver: () => !socket.rawListeners('data').includes(read),
      isPaced: () => chunked.get(socket)?.complete === false,
    })
    socket.removeAllListeners('data')
    // node:http removes `parse` when the connection is upgraded, and this removes `read`
    socket.on('data', Object.assign(read, { listener: parse }))
  })
}
