/**
 * Cuts off clients that do not read their responses. Each holds a connection, and keeps a response in memory, which may have
 * tens of MB.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type ReaderPatience = Readonly<{
  /** Milliseconds for which a client may read nothing of what waits for it. */
  readMs: number
  checkEveryMs: number
}>

export type ReaderPace = Readonly<{
  watch: (response: ServerResponse) => void
  /** Returns the connection whose client has read nothing for the longest time, if it has not since the last check. */
  findStalled: () => Socket | undefined
  stop: () => void
}>

type Seen = Readonly<{ sent: number; since: number }>

const sentBy = ({ bytesWritten, writableLength }: Socket): number => bytesWritten - writableLength

export const watchReaders = ({ readMs, checkEveryMs }: ReaderPatience): ReaderPace => {
  const open = new Map<ServerResponse, Seen>()
  /** In the order in which they stalled. */
  const stalled = new Set<ServerResponse>()

  const check = (response: ServerResponse, { sent, since }: Seen): void => {
    const { socket } = response.req
    const now = performance.now()
    if (socket.writableLength === 0 || sentBy(socket) !== sent) {
      stalled.delete(response)
      open.set(response, { sent: sentBy(socket), since: now })
      return
    }
    stalled.add(response)
    if (now - since >= readMs) socket.destroy()
  }
  const checking = setInterval(() => {
    for (const [response, seen] of open) check(response, seen)
  }, checkEveryMs)
  checking.unref()

  return {
    watch: (response) => {
      open.set(response, { sent: sentBy(response.req.socket), since: performance.now() })
      response.once('close', () => {
        open.delete(response)
        stalled.delete(response)
      })
    },
    findStalled: () => stalled.values().next().value?.req.socket,
    stop: () => clearInterval(checking),
  }
}
