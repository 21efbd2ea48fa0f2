/** Runs one task at a time. Owners take turns, so that one owner with many tasks does not keep out the others. */
import { createFairQueue } from './queue.ts'

/** Runs `act` when its owner's turn has come. @throws what `act` throws */
export type FairTurns = <T>(owner: string, act: () => Promise<T>) => Promise<T>

export const createFairTurns = (): FairTurns => {
  const waiting = createFairQueue<() => Promise<void>>({
    perCaller: Number.POSITIVE_INFINITY,
    total: Number.POSITIVE_INFINITY,
  })
  let isRunning = false
  const runWaiting = async (): Promise<void> => {
    if (isRunning) return
    isRunning = true
    for (let next = waiting.take(); next !== null; next = waiting.take()) await next()
    isRunning = false
  }
  return <T>(owner: string, act: () => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    waiting.offer(owner, async () => {
      try {
        resolve(await act())
      } catch (error) {
        reject(error)
      }
    })
    void runWaiting()
    return promise
  }
}
