/**
 * Runs the duties of the scheduler, each on its own timer. A duty is idempotent and safe on several nodes at once; one
 * that fails is logged and runs again at its next turn.
 */
import type { Logger } from '#log/logger.ts'

export type Duty = Readonly<{
  name: string
  /** Milliseconds from the end of a turn to the next. */
  everyMs: number
  /**
   * Runs one turn; tests call it directly. A long turn ends soon after `signal` is aborted.
   * @returns milliseconds until the next turn, when it must come sooner than `everyMs`
   */
  runOnce: (signal: AbortSignal) => Promise<number | undefined>
  /** Subscribes to events that need a turn at once. @returns a function that unsubscribes */
  onWanted?: (want: () => void) => () => void
}>

export interface Scheduler {
  start(): Promise<void>
  stop(): Promise<void>
}

type DutyTimer = Readonly<{ start: () => void; stop: () => Promise<void> }>

const createDutyTimer = (log: Logger, duty: Duty): DutyTimer => {
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

/** Creates the scheduler of this node. */
export const createScheduler = (log: Logger, duties: readonly Duty[]): Scheduler => {
  const timers = duties.map((duty) => createDutyTimer(log, duty))
  return {
    start: async () => {
      for (const { start } of timers) start()
    },
    stop: async () => {
      await Promise.all(timers.map(({ stop }) => stop()))
    },
  }
}
