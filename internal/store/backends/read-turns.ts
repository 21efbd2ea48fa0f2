/**
 * Shares the event loop among reads of a file, which block it: one page of a list takes up to 40 ms. Reads that begin in one
 * turn of the loop run at once until they and what follows them have used up a slice of time. The others wait for later turns.
 * The owner that had the least time is served first, so that one owner with many reads delays a read of another by one of its
 * reads. During a transaction no read begins: those that came meanwhile would otherwise all run in one turn after it.
 */
// not the global one: a test that fakes the global timers would stop all reads
import { setImmediate } from 'node:timers'
import { countWaitingReads } from '../read-owner.ts'

/** Milliseconds of one turn of the event loop. */
const SLICE_MS = 10

/** Runs `read` in its turn. @throws what `read` throws */
export type ReadTurns = <T>(owner: string, read: () => Promise<T>) => Promise<T>

type Owner = { usedMs: number; readonly reads: (() => Promise<void>)[] }

const nextIteration = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** @param pending returns what a read must wait for, or null. If it rejects, all reads begin, and each reports its error. */
export const createReadTurns = (pending: () => Promise<unknown> | null = () => null): ReadTurns => {
  /** Owners whose reads wait, in the order in which they came. */
  const waiting = new Map<string, Owner>()
  let isSliceOpen = false
  let until = 0
  let isServing = false

  const hasTime = (): boolean => {
    if (isSliceOpen) return performance.now() < until
    isSliceOpen = true
    until = performance.now() + SLICE_MS
    setImmediate(() => {
      isSliceOpen = false
    })
    return true
  }
  const leastServed = (): readonly [name: string, Owner] | null => {
    let found: readonly [string, Owner] | null = null
    // of those with equal time the last one, because a newcomer begins with the least time of all
    for (const each of waiting)
      if (each[1].usedMs <= (found?.[1].usedMs ?? each[1].usedMs)) found = each
    return found
  }
  const beginAll = (): void => {
    for (const { reads } of waiting.values()) for (const read of reads) void read()
    waiting.clear()
  }
  const untilTurn = async (): Promise<void> => {
    for (;;) {
      while (!hasTime()) await nextIteration()
      const wait = pending()
      if (wait === null) return
      try {
        await wait
      } catch {
        // each read reports it to its caller
        return beginAll()
      }
    }
  }
  const serve = async (): Promise<void> => {
    if (isServing) return
    isServing = true
    for (;;) {
      await untilTurn()
      const next = leastServed()
      if (next === null) break
      const [name, owner] = next
      const begin = performance.now()
      // a read that waits, for example for another process, keeps back no others
      await Promise.race([owner.reads.shift()?.(), nextIteration()])
      owner.usedMs += performance.now() - begin
      if (owner.reads.length === 0) waiting.delete(name)
    }
    isServing = false
  }

  return <T>(name: string, read: () => Promise<T>): Promise<T> => {
    if (!isServing && hasTime() && pending() === null) return read()
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const owner = waiting.get(name) ?? { usedMs: leastServed()?.[1].usedMs ?? 0, reads: [] }
    waiting.set(name, owner)
    countWaitingReads(name, 1)
    owner.reads.push(() => {
      countWaitingReads(name, -1)
      return read().then(resolve, reject)
    })
    void serve()
    return promise
  }
}
