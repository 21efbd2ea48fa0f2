/**
 * Reads the head of a request or response, and leaves the rest to the next reader of the connection. node:http would also read what
 * follows: a guest or a server that sends a body in chunks of one byte, or interim responses without end, would then take
 * all the time of the event loop.
 */
import type { Socket } from 'node:net'

/** Bytes; node:http takes 16 KiB. */
const MAX_HEAD = 65_536
const END = '\r\n\r\n'

/**
 * Returns the head with the empty line at its end, a character for each byte. The connection is paused then.
 * @returns null if the connection ended before, or the head is too long
 */
export const readHead = (socket: Socket): Promise<string | null> =>
  new Promise((resolve) => {
    let received: Buffer = Buffer.alloc(0)
    const finish = (head: string | null): void => {
      socket.off('data', take).off('end', give).off('close', give)
      socket.pause()
      resolve(head)
    }
    const give = (): void => finish(null)
    const take = (bytes: Buffer): void => {
      const from = Math.max(0, received.length - END.length)
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
      const end = received.indexOf(END, from, 'latin1')
      if (end < 0) {
        if (received.length > MAX_HEAD) give()
        return
      }
      const head = received.toString('latin1', 0, end + END.length)
      const rest = received.subarray(end + END.length)
      finish(head.length > MAX_HEAD ? null : head)
      if (rest.length > 0) socket.unshift(rest)
    }
    socket.on('data', take).on('end', give).on('close', give)
    // a connection that was paused, and one that has ended already, report nothing by themselves
    if (socket.destroyed || socket.readableEnded) give()
    else socket.resume()
  })
