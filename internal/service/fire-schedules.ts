/**
 * Fires schedules whose time has come (document 1, Schedule). Whoever tries, and however many at once: a slot is fired
 * once, since the job, what became of the slot and the next fire time are one write that holds only while the slot is
 * due and unfired. A write that fails leaves the schedule due. Times are the database's.
 */
import { AppError } from '#core/error.ts'
import { inputCheck } from '#core/input-schema.ts'
import type { JsonValue } from '#core/json.ts'
import { nextFire, parseTiming, slotsBetween, type Timing } from '#core/schedule/timing.ts'
import { findCurrentAction } from '#store/apps.ts'
import { asText } from '#store/column.ts'
import { insertJob } from '#store/job-queue.ts'
import {
  type DueSchedule,
  disableSchedule,
  findSlotOutcome,
  insertSkipped,
  isSlotDue,
  listDueSchedules,
  passOver,
  recordFired,
} from '#store/schedule-slots.ts'
import type { Deps } from './deps.ts'
import { type JobRequest, pinJob } from './pin-job.ts'
import type { QueueGate } from './queue-gate.ts'

export type FireDeps = Pick<Deps, 'db' | 'newId' | 'hints' | 'limits' | 'passFault'> &
  Readonly<{ gate: QueueGate }>

/** What became of a slot, for the log. `late`: somebody else was first, or it stays due. */
export type Firing = Readonly<{
  schedule: DueSchedule
  outcome: 'fired' | 'skipped' | 'disabled' | 'late' | 'postponed'
  reason: string | null
}>

const BATCH = 100
/** Skipped slots are counted so far. */
const MOST_COUNTED = 1_000
const MISSED = 'No scheduler could fire it in time.'

/** @param graceMs fires only what is due for so long: another node is expected to be first */
export const fireDueSchedules = async (
  deps: FireDeps,
  { graceMs }: Readonly<{ graceMs: number }>,
): Promise<readonly Firing[]> => {
  const due = await listDueSchedules(deps.db, { graceMs, limit: BATCH })
  return Promise.all(due.map((schedule) => fire(deps, schedule)))
}

const fire = async (deps: FireDeps, due: DueSchedule): Promise<Firing> => {
  const { timing, fault } = parseTiming(due.cron, due.timezone)
  if (timing === null) return disable(deps, due, `The ${fault.path} ${fault.message}.`)
  const target = await findTarget(deps, due)
  if (target === null) {
    return disable(deps, due, `The action ${due.app}/${due.action} no longer exists.`)
  }
  try {
    await deps.gate.pass(due.ws)
    const next = nextFire(timing, { after: due.now, lastSlot: due.slot })
    const job = pinJob(deps, target)
    return await fireJob(deps, { due, timing, next, job })
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal
    // the queue is full: the slot stays due
    if (refusal.kind === 'rate_limited') {
      return { schedule: due, outcome: 'postponed', reason: refusal.message }
    }
    return skip(deps, due, timing, describe(refusal))
  }
}

const describe = ({ message, details = [] }: AppError): string =>
  [message, ...details.map(({ path, message: why }) => `${path} ${why}`)].join(' ').slice(0, 500)

const findTarget = async ({ db, newId }: FireDeps, due: DueSchedule) => {
  const { ws, app, action } = due
  const current = action === null ? null : await findCurrentAction(db, ws, app, action)
  if (current === null || action === null) return null
  const input: JsonValue = JSON.parse(due.inputJson)
  const request: JobRequest = {
    ws,
    app,
    action,
    input,
    inputJson: due.inputJson,
    triggerKind: 'schedule',
    createdBy: `schedule:${due.id}`,
    permissionedAs: due.createdBy,
  }
  const known = { ...current, checkInput: inputCheck(current.definition.inputSchema) }
  return { request, known, jobId: newId() }
}

type Slot = Readonly<{
  due: DueSchedule
  timing: Timing
  next: number | null
  job: ReturnType<typeof pinJob>
}>

const fireJob = async (deps: FireDeps, { due, timing, next, job }: Slot): Promise<Firing> => {
  const missed = slotsBetween(timing, { after: due.slot, until: due.now, most: MOST_COUNTED })
  deps.passFault('fire_before_commit')
  const [inserted] = await deps.db.write(
    [
      ...insertJob(job, isSlotDue(due)),
      ...recordFired({ ...due, jobId: job.id, nextFireAt: next }),
      ...(missed === null
        ? []
        : [
            insertSkipped({
              scheduleId: due.id,
              firstSlot: missed.first,
              lastSlot: missed.last,
              count: missed.count,
              reason: MISSED,
            }),
          ]),
    ],
    { retry: true },
  )
  deps.passFault('fire_committed')
  const [row] = inserted?.rows ?? []
  if (row !== undefined) {
    deps.hints.jobQueued.emit(asText(row.tag))
    return { schedule: due, outcome: 'fired', reason: null }
  }
  // after a jump of the database's clock a slot may come again that has its row
  const isOver = (await findSlotOutcome(deps.db, due.id, due.slot)) !== null
  if (isOver && next !== null) await deps.db.write([passOver(due, next)], { retry: true })
  return { schedule: due, outcome: 'late', reason: null }
}

const skip = async (
  deps: FireDeps,
  due: DueSchedule,
  timing: Timing,
  reason: string,
): Promise<Firing> => {
  const next = nextFire(timing, { after: due.now, lastSlot: due.slot })
  if (next === null) return disable(deps, due, reason)
  const missed = slotsBetween(timing, { after: due.slot, until: due.now, most: MOST_COUNTED - 1 })
  const { id: scheduleId, slot: firstSlot } = due
  const lastSlot = missed?.last ?? firstSlot
  const count = 1 + (missed?.count ?? 0)
  await deps.db.write(
    [passOver(due, next), insertSkipped({ scheduleId, firstSlot, lastSlot, count, reason })],
    { retry: true },
  )
  return { schedule: due, outcome: 'skipped', reason }
}

const disable = async (
  { db }: Pick<FireDeps, 'db'>,
  due: DueSchedule,
  reason: string,
): Promise<Firing> => {
  await db.write([disableSchedule(due, reason)], { retry: true })
  return { schedule: due, outcome: 'disabled', reason }
}
