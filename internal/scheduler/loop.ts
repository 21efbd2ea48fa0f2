/**
 * Runs the duties of the scheduler. A poll is a single read that finds what is due for all duties, and when. A duty runs when
 * it has something to do. Duties are idempotent and may run on several nodes at once. One that fails is logged, once in 10 s, and
 * runs again at its next turn.
 *
 * It guarantees: a poll follows the last within a second while jobs wait or run, and while writes of other nodes are not
 * announced to this one; otherwise within 30 s, so that a scheduler without work rests. A poll follows an announcement within
 * a second. A duty that the last poll found due at a later time runs at that time without another poll.
 * It leaves to others: announcing writes (node/database/announce-writes.ts). It recovers from a lost announcement within 30 s.
 */
import { createRepeatCount } from '#core/repeat-count.ts'
import type { Logger } from '#log/logger.ts'
import type { WorkDue } from '#store/work-due.ts'
import { createTurns, type Duty } from './turns.ts'

export type SchedulerOptions = Readonly<{
  poll: () => Promise<WorkDue>
  /** Returns whether writes of other nodes are announced to this one. */
  hearsAllWrites: () => boolean
  /** Subscribes to announcements of writes, including those of this process. @returns a function that unsubscribes */
  onWritten: (listener: () => void) => () => void
  /** @default the monotonic clock */
  now?: () => number
}>

export interface Scheduler {
  start(): Promise<void>
  stop(): Promise<void>
}

const POLL_EVERY_MS = 1_000
const POLL_RESTING_EVERY_MS = 30_000
/** Longest sleep of a timer, so that the scheduler soon notices a lost connection to a server and stops resting. */
const NAP_MS = 5_000

const NEVER = Number.POSITIVE_INFINITY

const POLL_FAILED = 'Could not look for work; trying again soon.'

/** Returns the milliseconds until the next poll, by what the last one found. */
const nextPollMs = (due: WorkDue, hearsAllWrites: boolean): number => {
  const { isBusy, hasCorrections, hasFireTimesToCorrect, delayedMs } = due
  if (isBusy || hasCorrections || hasFireTimesToCorrect || !hearsAllWrites) return POLL_EVERY_MS
  return Math.max(POLL_EVERY_MS, Math.min(delayedMs ?? NEVER, POLL_RESTING_EVERY_MS))
}

type Polling = Readonly<{
  /** When the next poll is due; infinite during a poll. */
  dueAt: () => number
  /** Requests a poll within `ms`. Polls run at most once a second. */
  within: (ms: number) => void
  begin: (onEnded: () => void) => void
  settled: () => Promise<void>
}>

const createPolling = (
  log: Logger,
  {
    poll,
    hearsAllWrites,
    now,
  }: Required<Pick<SchedulerOptions, 'poll' | 'hearsAllWrites' | 'now'>>,
  takeOver: (due: WorkDue) => void,
): Polling => {
  let underWay: Promise<void> | null = null
  let dueAt = now()
  let polledAt = Number.NEGATIVE_INFINITY
  const countFailure = createRepeatCount(now)

  const pollNow = async (onEnded: () => void): Promise<void> => {
    polledAt = now()
    dueAt = NEVER
    try {
      const due = await poll()
      takeOver(due)
      dueAt = Math.min(dueAt, now() + nextPollMs(due, hearsAllWrites()))
    } catch (error) {
      const times = countFailure(POLL_FAILED)
      if (times !== null) log.warn(POLL_FAILED, { times, error })
      dueAt = now() + POLL_EVERY_MS
    }
    underWay = null
    onEnded()
  }
  return {
    dueAt: () => (underWay === null ? dueAt : NEVER),
    within: (ms) => {
      dueAt = Math.min(dueAt, Math.max(now() + ms, polledAt + POLL_EVERY_MS))
    },
    begin: (onEnded) => {
      underWay = pollNow(onEnded)
    },
    settled: async () => {
      await underWay
    },
  }
}

/** Creates the scheduler of this node. */
export const createScheduler = (
  log: Logger,
  duties: readonly Duty[],
  { poll, hearsAllWrites, onWritten, now = () => performance.now() }: SchedulerOptions,
): Scheduler => {
  const stopping = new AbortController()
  const { signal } = stopping
  let ends: readonly (() => void)[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const arm = (): void => {
    clearTimeout(timer)
    if (signal.aborted) return
    const next = Math.min(polling.dueAt(), ...all.map((turns) => turns.dueAt()))
    if (next === NEVER) return
    timer = setTimeout(run, Math.max(0, Math.min(Math.ceil(next - now()), NAP_MS)))
  }
  const pollWithin = (ms: number): void => {
    polling.within(ms)
    arm()
  }
  const onEnded = (pollInMs: number | null): void => {
    if (pollInMs === null) arm()
    else pollWithin(pollInMs)
  }
  const all = duties.map((duty) => createTurns(duty, { log, signal, now, onEnded }))
  const takeOver = (due: WorkDue): void => {
    for (const turns of all) turns.takeOver(due)
  }
  const polling = createPolling(log, { poll, hearsAllWrites, now }, takeOver)

  function run(): void {
    if (signal.aborted) return
    const at = now()
    for (const turns of all) if (turns.dueAt() <= at) turns.begin()
    if (!hearsAllWrites()) polling.within(0)
    if (polling.dueAt() <= at) polling.begin(run)
    arm()
  }

  return {
    start: async () => {
      const wants = duties.flatMap(
        ({ onWanted }, at) => onWanted?.(() => !signal.aborted && all[at]?.want()) ?? [],
      )
      ends = [...wants, onWritten(() => pollWithin(0))]
      run()
    },
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      for (const end of ends) end()
      await polling.settled()
      await Promise.all(all.map((turns) => turns.settled()))
    },
  }
}
