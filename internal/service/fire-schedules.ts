/**
 * Fires schedules whose time has come [schedules 5]. Whoever tries, and however many at once: a slot is fired
 * once, since the job, what became of the slot and the next fire time are one write that holds only while the slot is
 * due and unfired. A write that fails leaves the schedule due. Times are the database's.
 */
import { AppError } from '#core/error.ts'
import { inputCheck } from '#core/input-schema.ts'
import type { JsonValue } from '#core/json.ts'
import { nextFire, parseTiming, slotsBetween, type Timing } from '#core/schedule/timing.ts'
import { findCurrentAction } from '#store/apps.ts'
import { asText } from '#store/column.ts'
import type { Statement } from '#store/database.ts'
import { insertJob } from '#store/job-queue.ts'
import {
  type DisableReason,
  type DueSchedule,
  disableSchedule,
  type Fired,
  findSlotOutcome,
  insertSkipped,
  isSlotDue,
  listDueSchedules,
  listWaitingSchedules,
  listWaitingWorkspaces,
  passOver,
  recordFired,
  waitForRoom,
} from '#store/schedule-slots.ts'
import { findFlow } from './flows/find-flow.ts'
import { type StartDeps, type StartRequest, startRun } from './flows/start-run.ts'
import { type JobRequest, pinJob } from './pin-job.ts'

export type FireDeps = StartDeps

/**
 * What became of a slot, for the log. `late`: somebody else was first. `postponed`: it begins to wait for room in the
 * queue. `waiting`: it goes on waiting.
 */
export type Firing = Readonly<{
  schedule: DueSchedule
  outcome: 'fired' | 'skipped' | 'disabled' | 'late' | 'postponed' | 'waiting'
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

/** Of one workspace in one look. */
const MOST_WAITING = 50
/** Workspaces of one look. */
const WAITING_WORKSPACES = 50

/**
 * Fires what has waited for room in its workspace's queue, where there is room now. A workspace costs one look at its
 * queue, however many of its schedules wait.
 * @param afterWs where the last look ended
 * @returns where this one ended; empty: begin again with the first
 */
export const fireWaitingSchedules = async (
  deps: FireDeps,
  afterWs: string,
): Promise<Readonly<{ firings: readonly Firing[]; afterWs: string }>> => {
  const waiting = await listWaitingWorkspaces(deps.db, { afterWs, limit: WAITING_WORKSPACES })
  const firings: Firing[] = []
  for (const ws of waiting) {
    for (const due of await listWaitingSchedules(deps.db, { ws, limit: MOST_WAITING })) {
      const firing = await fire(deps, due)
      firings.push(firing)
      if (firing.outcome === 'waiting') break
    }
  }
  const isLast = waiting.length < WAITING_WORKSPACES
  return { firings, afterWs: isLast ? '' : (waiting.at(-1) ?? '') }
}

const fire = async (deps: FireDeps, due: DueSchedule): Promise<Firing> => {
  const { timing, fault } = parseTiming(due.cron, due.timezone)
  if (timing === null) return disable(deps, due, lasting(`The ${fault.path} ${fault.message}.`))
  const target = await findTarget(deps, due)
  if (target === null) {
    const what =
      due.flow === null ? `action ${due.app}/${due.action}` : `flow ${due.app}/${due.flow}`
    const gone = { text: `The ${what} no longer exists.`, isTargetGone: true }
    return disable(deps, due, gone)
  }
  const next = nextFire(timing, { after: due.now })
  const slot = { due, timing, next }
  try {
    if (target.kind === 'flow') return await fireFlow(deps, slot, target.request)
    await deps.gate.pass(due.ws)
    return await fireJob(deps, slot, pinJob(deps, target.pin))
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal
    if (refusal.kind === 'rate_limited') return postpone(deps, due, refusal.message)
    return skip(deps, due, timing, describe(refusal))
  }
}

/** The queue is full: the slot stays due, aside from those that need not wait. */
const postpone = async (
  { db }: Pick<FireDeps, 'db'>,
  due: DueSchedule,
  reason: string,
): Promise<Firing> => {
  if (due.waitingSince !== null) return { schedule: due, outcome: 'waiting', reason }
  const [result] = await db.write([waitForRoom(due)], { retry: true })
  return { schedule: due, outcome: result?.changes === 1 ? 'postponed' : 'late', reason }
}

/** What the record says of a slot that was fired; null: nothing that is out of the ordinary. */
const reasonOf = ({ now, waitingSince }: DueSchedule): string | null =>
  waitingSince === null
    ? null
    : `It waited ${Math.max(0, Math.round((now - waitingSince) / 1_000))} s for room in the queue.`

const describe = ({ message, details = [] }: AppError): string =>
  [message, ...details.map(({ path, message: why }) => `${path} ${why}`)].join(' ').slice(0, 500)

type Target =
  | Readonly<{ kind: 'action'; pin: Parameters<typeof pinJob>[1] }>
  | Readonly<{ kind: 'flow'; request: StartRequest & Readonly<{ runId: string }> }>

/** As whom it runs [schedules 1.3]. */
const identityOf = ({ id, createdBy }: DueSchedule) =>
  ({
    triggerKind: 'schedule',
    createdBy: `schedule:${id}`,
    permissionedAs: createdBy,
  }) as const

const findTarget = async (deps: FireDeps, due: DueSchedule): Promise<Target | null> => {
  const { db, newId } = deps
  const { ws, app, action, flow } = due
  if (flow !== null) {
    if (!(await isDeployedFlow(deps, { ws, app, flow }))) return null
    const input: JsonValue = JSON.parse(due.inputJson)
    return { kind: 'flow', request: { ws, app, flow, input, runId: newId(), ...identityOf(due) } }
  }
  const current = action === null ? null : await findCurrentAction(db, ws, app, action)
  if (current === null || action === null) return null
  const input: JsonValue = JSON.parse(due.inputJson)
  const request: JobRequest = {
    ws,
    app,
    action,
    input,
    inputJson: due.inputJson,
    ...identityOf(due),
  }
  const known = { ...current, checkInput: inputCheck(current.definition.inputSchema) }
  return { kind: 'action', pin: { request, known, jobId: newId() } }
}

const isDeployedFlow = async (
  deps: FireDeps,
  target: Parameters<typeof findFlow>[1],
): Promise<boolean> => {
  try {
    await findFlow(deps, target)
    return true
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return false
    throw error
  }
}

type Slot = Readonly<{
  due: DueSchedule
  timing: Timing
  next: number | null
}>

/** That the slot is fired, and which ones before it were not. */
const record = ({ due, timing, next }: Slot, made: Fired['made']): readonly Statement[] => {
  const missed = slotsBetween(timing, { after: due.slot, until: due.now, most: MOST_COUNTED })
  const everyMs = timing.kind === 'every' ? timing.everyMs : null
  const fired = recordFired({ ...due, made, nextFireAt: next, everyMs, reason: reasonOf(due) })
  if (missed === null) return fired
  const { first: firstSlot, last: lastSlot, count } = missed
  return [
    ...fired,
    insertSkipped({ scheduleId: due.id, firstSlot, lastSlot, count, reason: MISSED }),
  ]
}

const fireFlow = async (
  deps: FireDeps,
  slot: Slot,
  request: StartRequest & Readonly<{ runId: string }>,
): Promise<Firing> => {
  const { due } = slot
  deps.passFault('fire_before_commit')
  const started = await startRun(deps, {
    ...request,
    condition: isSlotDue(due),
    alongside: () => record(slot, { kind: 'flow_run', id: request.runId }),
  })
  deps.passFault('fire_committed')
  if (started === null) return late(deps, slot)
  return { schedule: due, outcome: 'fired', reason: reasonOf(due) }
}

const fireJob = async (
  deps: FireDeps,
  slot: Slot,
  job: ReturnType<typeof pinJob>,
): Promise<Firing> => {
  const { due } = slot
  deps.passFault('fire_before_commit')
  const [inserted] = await deps.db.write(
    [...insertJob(job, isSlotDue(due)), ...record(slot, { kind: 'job', id: job.id })],
    { retry: true },
  )
  deps.passFault('fire_committed')
  const [row] = inserted?.rows ?? []
  if (row !== undefined) {
    deps.hints.jobQueued.emit(asText(row.tag))
    return { schedule: due, outcome: 'fired', reason: reasonOf(due) }
  }
  return late(deps, slot)
}

const late = async (deps: FireDeps, { due, next }: Slot): Promise<Firing> => {
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
  const next = nextFire(timing, { after: due.now })
  if (next === null) return disable(deps, due, lasting(reason))
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

/** Nothing but a person's change helps. */
const lasting = (text: string): DisableReason => ({ text, isTargetGone: false })

const disable = async (
  { db }: Pick<FireDeps, 'db'>,
  due: DueSchedule,
  reason: DisableReason,
): Promise<Firing> => {
  await db.write([disableSchedule(due, reason)], { retry: true })
  return { schedule: due, outcome: 'disabled', reason: reason.text }
}
