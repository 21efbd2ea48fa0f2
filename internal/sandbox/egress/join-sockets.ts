/** Copies bytes between a guest and a server. */
import type { Socket } from 'node:net'

/** Milliseconds for which a guest may go on sending to a connection that has nothing more to say. */
const LINGER_MS = 30_000

/**
 * Milliseconds without a byte for which a guest that sends nothing more may wait for its server. It may have closed the connection,
 * as after a timeout of its own: a server that does not respond, and keeps its side open, would then hold one of its connections
 * for ever.
 */
export const HALF_OPEN_MS = 60_000

const ignore = (): void => undefined

/** Ends the connection of a guest once the guest has received what was written, and ignores what it still sends. */
export const endSoon = (inner: Socket): void => {
  const discard = (): void => {
    const timer = setTimeout(() => inner.destroy(), LINGER_MS).unref()
    inner.once('close', () => clearTimeout(timer))
    inner.resume()
  }
  inner.end()
  if (inner.writableFinished) discard()
  else inner.once('finish', discard)
}

/**
 * Lets each of two connections end with the other. A guest still receives what its server has sent before it ended, and takes as
 * long for it as it likes. A server keeps no connection beyond that of the guest, because only those of guests are counted.
 */
export const tieEnds = (inner: Socket, outer: Socket, halfOpenMs: number): void => {
  const wait = (): void => void inner.setTimeout(halfOpenMs, () => inner.destroy())
  if (inner.readableEnded) wait()
  else inner.once('end', wait)
  for (const socket of [inner, outer]) socket.on('error', ignore)
  inner.on('close', () => outer.destroy())
  outer.on('close', () => {
    if (inner.writableEnded) endSoon(inner)
    else inner.destroy()
  })
  // it was closed before it could be tied
  if (inner.destroyed) outer.destroy()
  if (outer.destroyed) inner.destroy()
}

/** Copies bytes both ways. */
export const joinSockets = (inner: Socket, outer: Socket, halfOpenMs: number): void => {
  tieEnds(inner, outer, halfOpenMs)
  inner.pipe(outer)
  outer.pipe(inner)
}
