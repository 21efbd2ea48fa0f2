/** The turns of one duty. What a poll finds and what the last turn returns decide when the next turn is due. */
import { createRepeatCount } from '#core/repeat-count.ts'
import type { Logger } from '#log/logger.ts'
import type { WorkDue } from '#store/work-due.ts'

export type Duty = Readonly<{
  name: string
  /** Milliseconds from the end of a turn to the next while work remains; always, for a duty without `dueMs`. */
  everyMs: number
  /** Returns the milliseconds until the duty has work: 0 or less if it has some already, null for none. Without it, only `everyMs` counts. */
  dueMs?: (due: WorkDue) => number | null
  /**
   * Runs one turn. Tests call it directly. A long turn ends soon after `signal` is aborted.
   * @returns milliseconds until the next turn, if it must come sooner than `everyMs`
   */
  runOnce: (signal: AbortSignal) => Promise<number | undefined>
  /** Subscribes to events that need a turn at once. @returns a function that unsubscribes */
  onWanted?: (want: () => void) => () => void
  /** Waits for what turns have left under way. */
  settled?: () => Promise<void>
}>

export type TurnsOptions = Readonly<{
  log: Logger
  /** Aborted when the scheduler stops. */
  signal: AbortSignal
  /** Milliseconds of a monotonic clock. */
  now: () => number
  /** Called when a turn has ended. @param pollInMs a poll must follow within this time; null if none must */
  onEnded: (pollInMs: number | null) => void
}>

export interface Turns {
  /** When the next turn is due, by the clock of the scheduler; infinite during a turn and when no turn is due. */
  dueAt(): number
  begin(): void
  /** Begins a turn, or requests another one after the turn in progress. */
  want(): void
  takeOver(due: WorkDue): void
  settled(): Promise<void>
}

const NEVER = Number.POSITIVE_INFINITY

/** Creates the turns of one duty. It starts none until `begin` or `want` is called. */
export const createTurns = (duty: Duty, { log, signal, now, onEnded }: TurnsOptions): Turns => {
  const { everyMs, dueMs } = duty
  let dueAt = dueMs === undefined ? now() : NEVER
  /** Work that a poll finds waits until then, so that a duty that cannot do its work still runs only every `everyMs`. */
  let notBefore = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | null = null
  let isWanted = false
  const countFailure = createRepeatCount(now)

  /** @returns milliseconds within which a poll must follow, or null */
  const plan = (returnedMs: number | undefined): number | null => {
    const wasWanted = isWanted
    isWanted = false
    if (wasWanted) dueAt = now()
    else if (dueMs === undefined || (returnedMs !== undefined && returnedMs <= everyMs)) {
      dueAt = now() + Math.min(returnedMs ?? everyMs, everyMs)
    } else {
      // the next poll finds when the duty is due again
      if (returnedMs === undefined) notBefore = now() + everyMs
      return everyMs
    }
    return null
  }
  const turn = async (): Promise<void> => {
    let returnedMs: number | undefined
    try {
      returnedMs = await duty.runOnce(signal)
    } catch (error) {
      const message = `The duty ${duty.name} failed.`
      const times = countFailure(message)
      if (times !== null) log.warn(message, { times, error })
    }
    underWay = null
    onEnded(plan(returnedMs))
  }
  const begin = (): void => {
    dueAt = NEVER
    underWay = turn()
  }

  return {
    dueAt: () => dueAt,
    begin,
    want: () => {
      if (underWay === null) begin()
      else isWanted = true
    },
    takeOver: (due) => {
      if (dueMs === undefined || underWay !== null) return
      const ms = dueMs(due)
      dueAt = ms === null ? NEVER : Math.max(now() + ms, notBefore)
    },
    settled: async () => {
      await underWay
      await duty.settled?.()
    },
  }
}
