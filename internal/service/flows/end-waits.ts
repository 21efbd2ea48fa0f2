/**
 * Ends waits whose time is over (a sleep, or the `timeoutS` of an approval or event) or that have taken an event
 * [flows 2.10, 2.12, 9.7], and starts reminders that are due [flows 9.13]. Times are the database's.
 */
import { chunksOf } from '#core/chunks-of.ts'
import type { FlowEvent } from '#core/flow/run.ts'
import { unlessNewer } from '#core/newer-svc.ts'
import { findTakenEvent } from '#store/events/events.ts'
import { waitForSlot } from '#store/flows/concurrency.ts'
import {
  type FlowWait,
  findFlowWait,
  isWaitStill,
  timeOutFlowWait,
} from '#store/flows/event-waits.ts'
import {
  type DueReminder,
  type DueRun,
  type DueWait,
  findNextDueMs,
  isReminderDue,
  isWaitOver,
  listDueReminders,
  listDueWaits,
} from '#store/flows/waits.ts'
import { allOf } from '#store/sql.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { createDueTurns, type DueTurns } from '../due-turns.ts'
import { openEventData } from '../events/cipher.ts'
import { createTurnFailures, type TurnFailures } from '../turn-failures.ts'
import { advanceRun } from './advance-run.ts'
import { changeRunOnce } from './change-run.ts'
import type { FlowDeps } from './engine.ts'
import { planningFailed } from './planning-fault.ts'
import type { AdvanceRequest } from './run-requests.ts'

const BATCH = 200
/** Runs that advance at once. Their writes share commits. */
const AT_ONCE = 50

/** The turns of the lists of a process. */
export type WaitTurns = Readonly<{ waits: DueTurns; reminders: DueTurns }>

export const createWaitTurns = (): WaitTurns => ({
  waits: createDueTurns(),
  reminders: createDueTurns(),
})

export type EndedWaits = Readonly<{
  /** The runs that advanced. */
  ended: readonly string[]
  /** Whether runs were due and none of them advanced. */
  isStuck: boolean
  /** Milliseconds until the next wait is over; null if no run waits for a time. */
  nextMs: number | null
}>

/**
 * Ends waits that are over. Reads first, and writes nothing if there are none.
 * @throws {Error} the first failure, after the waits of all other runs
 */
export const endWaits = async (
  deps: FlowDeps,
  turns: WaitTurns = createWaitTurns(),
): Promise<EndedWaits> => {
  const failures = createTurnFailures()
  const turn: WaitTurn = { failures, ended: [], left: [] }
  await turns.waits.take(
    BATCH,
    (page) => listDueWaits(deps.db, page),
    (waits) =>
      endAll(turn, waits, (due) => (due.needsSlot ? startToWait(deps, due) : endWait(deps, due))),
  )
  await turns.reminders.take(
    BATCH,
    (page) => listDueReminders(deps.db, page),
    (reminders) => endAll(turn, reminders, (due) => remind(deps, due)),
  )
  failures.throwFirst()
  const { ended, left } = turn
  const isStuck = ended.length === 0 && left.length > 0
  return { ended, isStuck, nextMs: await findNextDueMs(deps.db) }
}

/** Outcomes of the runs of a turn. */
type WaitTurn = Readonly<{ failures: TurnFailures; ended: string[]; left: string[] }>

/** @returns for each run whether it has advanced */
const endAll = async <Due extends DueRun>(
  { failures, ended, left }: WaitTurn,
  all: readonly Due[],
  end: (due: Due) => Promise<boolean>,
): Promise<readonly boolean[]> => {
  const done: boolean[] = []
  for (const some of chunksOf(all, AT_ONCE)) {
    const areEnded = await Promise.all(
      some.map((due) => failures.keep(() => unlessNewer(() => end(due), false), false)),
    )
    for (const [index, { id }] of some.entries()) (areEnded[index] ? ended : left).push(id)
    done.push(...areEnded)
  }
  return done
}

/** Lets a run whose time has come wait for a concurrency slot. It may be due again at once. */
const startToWait = async ({ db }: FlowDeps, due: DueWait): Promise<boolean> => {
  const [waiting] = await db.write([waitForSlot(due)], { retry: true })
  return waiting?.changes === 1
}

/** Advances a run whose wait is over, by an event or by time. @returns whether it has advanced */
export const endWait = async (deps: FlowDeps, due: DueRun): Promise<boolean> => {
  const wait = await findFlowWait(deps.db, due.id, due.index)
  const advanced = await advanceRun(deps, { ...due, ...(await endOf(deps, due, wait)) })
  return advanced === 'advanced'
}

type End = Pick<AdvanceRequest, 'event' | 'condition' | 'alongside'>

/** Returns how a wait ends. One that has taken an event does not time out, however late its run continues. */
const endOf = async (deps: FlowDeps, due: DueRun, wait: FlowWait | null): Promise<End> => {
  const condition = isWaitOver(due)
  if (wait === null) return { event: { kind: 'wait_timed_out' }, condition }
  if (wait.eventId !== null) {
    return { event: await receivedBy(deps, due, wait.eventId), condition: isWaitStill(wait) }
  }
  return {
    event: { kind: 'wait_timed_out' },
    condition: allOf(condition, isWaitStill(wait)),
    alongside: (guard) => [timeOutFlowWait(wait.id, guard)],
  }
}

/** Returns the event that a wait has taken. If its data cannot be read, the run fails. */
const receivedBy = async (
  { db, keyring }: FlowDeps,
  { ws }: DueRun,
  id: string,
): Promise<FlowEvent> => {
  const event = await findTakenEvent(db, ws, id)
  const workspace = await findWorkspace(db, ws)
  try {
    if (event === null || workspace === null) throw new Error(`The event ${id} is gone.`)
    const { wrappedKey } = workspace
    const data = openEventData(keyring, { ws, id, wrappedKey }, event.data)
    return { kind: 'event_received', data }
  } catch (thrown) {
    return planningFailed(thrown)
  }
}

/** Starts a reminder. If it loses against another change of the run, the next turn tries again. */
const remind = (deps: FlowDeps, due: DueReminder): Promise<boolean> => {
  const attempt = due.isOpen ? null : due.sent + 1
  const events = [{ kind: 'reminder_due', attempt } as const]
  return changeRunOnce(deps, due, ({ state }) =>
    state.index === due.index ? { events, condition: isReminderDue(due) } : null,
  )
}
