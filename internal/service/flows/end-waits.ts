/**
 * Ends waits whose time is over (a sleep, or the `timeoutS` of an approval) [flows 2.10, 9.7], and starts reminders that are
 * due [flows 9.13]. Times are the database's.
 */
import {
  type DueReminder,
  type DueRun,
  findNextDueMs,
  isReminderDue,
  isWaitOver,
  listDueReminders,
  listDueWaits,
} from '#store/flow-waits.ts'
import { advanceRun, tryTransition } from './advance-run.ts'
import { type FlowDeps, loadRun } from './load-run.ts'

const BATCH = 200
/** So many runs go on at once: their writes share commits. */
const AT_ONCE = 50

export type EndedWaits = Readonly<{
  /** The runs that went on. */
  ended: readonly string[]
  /** Milliseconds until the next wait is over; null: no run waits for a time. */
  nextMs: number | null
}>

/** Reads first: while nothing is over it writes nothing. */
export const endWaits = async (deps: FlowDeps): Promise<EndedWaits> => {
  const waits = await listDueWaits(deps.db, BATCH)
  const ended = await inTurns(waits, (due) => endWait(deps, due))
  const reminders = await listDueReminders(deps.db, BATCH)
  const reminded = await inTurns(reminders, (due) => remind(deps, due))
  return { ended: [...ended, ...reminded], nextMs: await findNextDueMs(deps.db) }
}

const inTurns = async <Due extends DueRun>(
  all: readonly Due[],
  end: (due: Due) => Promise<boolean>,
): Promise<readonly string[]> => {
  const ended: string[] = []
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE)
    const done = await Promise.all(some.map(end))
    ended.push(...some.filter((_, index) => done[index]).map(({ id }) => id))
  }
  return ended
}

const endWait = async (deps: FlowDeps, due: DueRun): Promise<boolean> => {
  const condition = isWaitOver(due)
  return (
    (await advanceRun(deps, { ...due, event: { kind: 'wait_timed_out' }, condition })) ===
    'advanced'
  )
}

/** One that loses against another change of the run is tried again at the next turn. */
const remind = async (deps: FlowDeps, due: DueReminder): Promise<boolean> => {
  const run = await loadRun(deps, due)
  if (run?.state.index !== due.index) return false
  const attempt = due.isOpen ? null : due.sent + 1
  const event = { kind: 'reminder_due', attempt } as const
  return tryTransition(deps, run, { events: [event], condition: isReminderDue(due) })
}
