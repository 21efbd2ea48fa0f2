/** Repeats requests of a command that waits, while the server restarts or is busy [functions 15.12]. */
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError, type ErrorKind } from '#core/error.ts'

/** Milliseconds. */
const LONGEST_OUTAGE_MS = 60_000
export const OUTAGE_PAUSE_MS = 1_000

const PASSING: readonly ErrorKind[] = ['unavailable', 'rate_limited']

export type Pause = (ms: number) => Promise<unknown>

let announcedAt = Number.NEGATIVE_INFINITY

/** Replaces a line of progress, if there is one. A command may wait by several calls at once, which announce an outage once. */
const announce = (text: string): void => {
  if (performance.now() - announcedAt < LONGEST_OUTAGE_MS) return
  announcedAt = performance.now()
  process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[K' : ''}${text}\n`)
}

/**
 * Calls until it succeeds, for a minute at most, and states once on standard error that it does. The call must be one that may
 * be repeated.
 * @throws {AppError} it was refused, or the minute is over
 */
export const outlast = async <T>(
  call: () => Promise<T>,
  wait: Pause = pause,
  state: (text: string) => void = announce,
): Promise<T> => {
  const until = performance.now() + LONGEST_OUTAGE_MS
  for (let tries = 1; ; tries += 1) {
    try {
      return await call()
    } catch (error) {
      const mayPass = error instanceof AppError && PASSING.includes(error.kind)
      if (!mayPass || performance.now() > until) throw error
      if (tries === 1) state(`${error.message} Trying again for up to a minute.`)
    }
    await wait(OUTAGE_PAUSE_MS)
  }
}
