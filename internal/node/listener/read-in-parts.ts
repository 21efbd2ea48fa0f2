/**
 * Reads what a connection sends in small parts. node:http reads 64 KiB at once, which may hold thousands of small requests
 * (pipelined). It would create all of them in one turn of the event loop, although svc has paused the connection meanwhile.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes. They hold 230 requests at most. */
const PART = 4_096

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
  server.on('connection', (socket) => {
    // the function that parses requests; other runtimes than Node have none
    const [parse] = socket.listeners('data')
    if (parse === undefined) return
    const read = (received: Buffer): void => {
      for (let at = 0; at < received.length; at += PART) {
        // it is no longer read as HTTP; its client sends nothing before the upgrade is answered
        if (at > 0 && !socket.rawListeners('data').includes(read)) return void socket.destroy()
        if (isPaused(socket) || isFull(socket)) {
          socket.pause()
          return void socket.unshift(received.subarray(at))
        }
        parse.call(socket, received.subarray(at, at + PART))
      }
    }
    socket.removeAllListeners('data')
    // node:http removes `parse` when the connection is upgraded, and this removes `read`
    socket.on('data', Object.assign(read, { listener: parse }))
  })
}
