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

type Seen = Readonly<{ left: number; since: number }>

/** Node counts a write as sent when all of it is. Its handle has the bytes of it that the system has not taken yet. */
type Connection = Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }

/** Changes while the client reads, also within a write of many MB. What is added while a write waits does not change it. */
const leftOf = ({ bytesWritten, writableLength, _handle }: Connection): number =>
  writableLength - bytesWritten + (_handle?.writeQueueSize ?? 0)

export const watchReaders = ({ readMs, checkEveryMs }: ReaderPatience): ReaderPace => {
  const open = new Map<ServerResponse, Seen>()
  /** In the order in which they stalled. */
  const stalled = new Set<ServerResponse>()

  const check = (response: ServerResponse, { left, since }: Seen): void => {
    const { socket } = response.req
    const now = performance.now()
    if (socket.writableLength === 0 || leftOf(socket) !== left) {
      stalled.delete(response)
      open.set(response, { left: leftOf(socket), since: now })
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
      open.set(response, { left: leftOf(response.req.socket), since: performance.now() })
      response.once('close', () => {
        open.delete(response)
        stalled.delete(response)
      })
    },
    findStalled: () => stalled.values().next().value?.req.socket,
    stop: () => clearInterval(checking),
  }
}
