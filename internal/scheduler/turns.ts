/** The turns of one duty: when the next one is due, by what a look has found and what the last turn has returned. */
import type { Logger } from '#log/logger.ts'
import type { WorkDue } from '#store/work-due.ts'

export type Duty = Readonly<{
  name: string
  /** Milliseconds from the end of a turn to the next, while something stays due; without `dueMs` always. */
  everyMs: number
  /** Milliseconds until the duty has something to do, 0 or less: at once; null: nothing. Without it the duty runs by `everyMs` alone. */
  dueMs?: (due: WorkDue) => number | null
  /**
   * Runs one turn; tests call it directly. A long turn ends soon after `signal` is aborted.
   * @returns milliseconds until the next turn, when it must come sooner than `everyMs`
   */
  runOnce: (signal: AbortSignal) => Promise<number | undefined>
  /** Subscribes to events that need a turn at once. @returns a function that unsubscribes */
  onWanted?: (want: () => void) => () => void
}>

export type TurnsOptions = Readonly<{
  log: Logger
  /** Aborted when the scheduler stops. */
  signal: AbortSignal
  /** Milliseconds of a monotonic clock. */
  now: () => number
  /** A turn has ended. @param lookInMs a look must follow within this time; null: none need follow */
  onEnded: (lookInMs: number | null) => void
}>

export interface Turns {
  /** When the next turn is due, by the clock of the scheduler; infinite while none is known, and during a turn. */
  dueAt(): number
  begin(): void
  /** Begins a turn, or another one behind that which is under way. */
  want(): void
  takeOver(due: WorkDue): void
  settled(): Promise<void>
}

const NEVER = Number.POSITIVE_INFINITY

/** Creates the turns of one duty; none begins by itself. */
export const createTurns = (duty: Duty, { log, signal, now, onEnded }: TurnsOptions): Turns => {
  const { everyMs, dueMs } = duty
  let dueAt = dueMs === undefined ? now() : NEVER
  /** What a look finds due waits until then, so that a duty that cannot do it keeps its pace. */
  let notBefore = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | null = null
  let isWanted = false

  /** @returns milliseconds within which a look must follow, or null */
  const plan = (returnedMs: number | undefined): number | null => {
    const wasWanted = isWanted
    isWanted = false
    if (wasWanted) dueAt = now()
    else if (dueMs === undefined || (returnedMs !== undefined && returnedMs <= everyMs)) {
      dueAt = now() + Math.min(returnedMs ?? everyMs, everyMs)
    } else {
      // a look finds what comes next
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
      log.warn(`The duty ${duty.name} failed.`, { error })
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
    },
  }
}
