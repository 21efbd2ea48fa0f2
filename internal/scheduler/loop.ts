/**
 * Runs the duties of the scheduler role, each on its own clock. A duty is idempotent and safe on several nodes at once;
 * one that fails is logged and tried again at its next turn.
 */
import type { Logger } from '#log/logger.ts'

export type Duty = Readonly<{
  name: string
  /** From the end of a turn to the next. */
  everyMs: number
  /**
   * One turn; tests call it directly. A long one ends soon after `signal` is aborted.
   * @returns milliseconds after which the next turn is wanted, when that is sooner than `everyMs`
   */
  runOnce: (signal: AbortSignal) => Promise<number | undefined>
  /** Calls back when a turn is wanted at once. @returns a function that ends it */
  onWanted?: (want: () => void) => () => void
}>

export interface Scheduler {
  start(): Promise<void>
  stop(): Promise<void>
}

type Clockwork = Readonly<{ start: () => void; stop: () => Promise<void> }>

const createClockwork = (log: Logger, duty: Duty): Clockwork => {
  const stopping = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let underWay: Promise<void> | null = null
  let isWanted = false
  let stopListening = (): void => undefined

  const turn = async (): Promise<void> => {
    let waitMs = duty.everyMs
    try {
      waitMs = Math.min((await duty.runOnce(stopping.signal)) ?? waitMs, waitMs)
    } catch (error) {
      log.warn(`The duty ${duty.name} failed.`, { error })
    }
    underWay = null
    if (stopping.signal.aborted) return
    timer = setTimeout(begin, isWanted ? 0 : waitMs)
    isWanted = false
  }
  const begin = (): void => {
    underWay = turn()
  }
  return {
    start: () => {
      begin()
      stopListening =
        duty.onWanted?.(() => {
          isWanted = true
          if (underWay !== null || stopping.signal.aborted) return
          isWanted = false
          clearTimeout(timer)
          begin()
        }) ?? stopListening
    },
    stop: async () => {
      stopping.abort()
      stopListening()
      clearTimeout(timer)
      await underWay
    },
  }
}

export const createScheduler = (log: Logger, duties: readonly Duty[]): Scheduler => {
  const clockworks = duties.map((duty) => createClockwork(log, duty))
  return {
    start: async () => {
      for (const { start } of clockworks) start()
    },
    stop: async () => {
      await Promise.all(clockworks.map(({ stop }) => stop()))
    },
  }
}
