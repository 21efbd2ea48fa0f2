/**
 * Parses what a connection sends in small parts, and spreads them over turns of the event loop. Parsers get 64 KiB at once, which
 * may hold ten thousand messages of a hostile peer. Pure: clock and turns come from the caller.
 */
import type { TurnBudget } from './turn-budget.ts'

/** Bytes. They hold 700 messages of six bytes, or 230 requests. */
const PART = 4_096

export type PacedSocket = Readonly<{
  destroyed: boolean
  destroy: () => unknown
  isPaused: () => boolean
  pause: () => unknown
  resume: () => unknown
  unshift: (rest: Uint8Array) => unknown
}>

export type PacedParser = Readonly<{
  parse: (part: Uint8Array) => void
  budget: TurnBudget
  /** Milliseconds of a monotonic clock. */
  now: () => number
  /** Whether `parse` takes no more of the connection, which then ends. @default never */
  isOver?: () => boolean
  /** Whether what the connection sends now counts against the budget. @default always */
  isPaced?: () => boolean
}>

/** Returns a function to call with all that is received, in place of `parse`. */
export const createPacedReader = (
  socket: PacedSocket,
  { parse, budget, now, isOver = () => false, isPaced = () => true }: PacedParser,
): ((received: Uint8Array) => void) => {
  let isHeld = false
  const hold = (rest: Uint8Array, hadPart: boolean): void => {
    socket.pause()
    socket.unshift(rest)
    if (isHeld) return
    isHeld = true
    const resume = (): void => {
      isHeld = false
      socket.resume()
    }
    budget.wait(resume, hadPart)
  }
  /** Others may have resumed a connection that waits. */
  const mustWait = (): boolean => isPaced() && (isHeld || budget.isSpent())
  const parsePart = (part: Uint8Array): void => {
    const wasPaced = isPaced()
    const before = now()
    parse(part)
    if (wasPaced || isPaced()) budget.spend(now() - before)
  }
  return (received) => {
    for (let at = 0; at < received.length; at += PART) {
      if (socket.destroyed) return
      if (at > 0 && isOver()) return void socket.destroy()
      if (socket.isPaused()) return void socket.unshift(received.subarray(at))
      if (mustWait()) return void hold(received.subarray(at), at > 0)
      parsePart(received.subarray(at, at + PART))
    }
  }
}
