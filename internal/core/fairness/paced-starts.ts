/**
 * Spreads starts that block the event loop, such as those of processes, so that they take at most a share of its time. While one
 * waits, it is in progress for its caller, whose limits refuse more of them.
 */
import { createGate } from './gate.ts'

export type PacedStartsOptions = Readonly<{
  /** Between 0 and 1. */
  share: number
  /** Milliseconds. */
  now: () => number
  pause: (ms: number) => Promise<unknown>
}>

/** Runs the part of a task before its first `await` when the starts before have used no more than their share. */
export type PacedStarts = <T>(start: () => Promise<T>) => Promise<T>

export const createPacedStarts = ({ share, now, pause }: PacedStartsOptions): PacedStarts => {
  const oneAtATime = createGate(1)
  let endedAt = 0
  let restMs = 0
  return async (start) => {
    const { going } = await oneAtATime(async () => {
      // a clock that goes back makes no start wait longer
      const leftMs = restMs - Math.max(0, now() - endedAt)
      if (leftMs > 0) await pause(leftMs)
      const startedAt = now()
      const task = { going: start() }
      endedAt = now()
      restMs = (endedAt - startedAt) * (1 / share - 1)
      return task
    })
    return going
  }
}
