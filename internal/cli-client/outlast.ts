/** Repeats requests of a command that waits, while the server restarts or is busy [functions 15.12]. */
import { setTimeout as pause } from 'node:timers/promises'
import { AppError, type ErrorKind } from '#core/error.ts'

/** Milliseconds. */
const LONGEST_OUTAGE_MS = 60_000
export const OUTAGE_PAUSE_MS = 1_000

const PASSING: readonly ErrorKind[] = ['unavailable', 'rate_limited']

export type Pause = (ms: number) => Promise<unknown>

/** Calls until it succeeds, for a minute at most. The call must be one that may be repeated. @throws {AppError} it was refused, or the minute is over */
export const outlast = async <T>(call: () => Promise<T>, wait: Pause = pause): Promise<T> => {
  const until = performance.now() + LONGEST_OUTAGE_MS
  for (;;) {
    try {
      return await call()
    } catch (error) {
      const mayPass = error instanceof AppError && PASSING.includes(error.kind)
      if (!mayPass || performance.now() > until) throw error
    }
    await wait(OUTAGE_PAUSE_MS)
  }
}
