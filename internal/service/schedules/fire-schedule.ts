/**
 * Fires one schedule that is due. Its fire time fires once, because the job, the outcome of the fire time and the next fire
 * time are one write, guarded by the fire time being due and not fired. A write that fails leaves the schedule due. Times are
 * by the database's clock.
 */
import { AppError } from '#core/error.ts'
import type { JsonValue } from '#core/json/value.ts'
import { FORMER_RUNS, overlapDecision } from '#core/schedule/overlap.ts'
import { type FireTimeRange, nextFire, parseTiming, type Timing } from '#core/schedule/timing.ts'
import { findApp } from '#store/apps/apps.ts'
import { deleteLeftSchedule } from '#store/apps/left-rows.ts'
import type { Statement } from '#store/database.ts'
import {
  type DisableReason,
  type DueSchedule,
  disableSchedule,
  type Fired,
  findFireTimeOutcome,
  insertSkipped,
  isFireTimeDue,
  letWait,
  passOver,
  recordFired,
} from '#store/schedules/fire-times.ts'
import type { FlowDeps } from '../flows/engine.ts'
import { findFlow } from '../flows/find-flow.ts'
import { type StartRequest, startRun } from '../flows/start-run.ts'
import { readAction } from '../queue/action-cache.ts'
import {
  checkInput,
  emitExisting,
  emitQueued,
  enqueueStatements,
  type QueuedJob,
} from '../queue/enqueue.ts'
import type { Firing } from './fire-tasks.ts'
import { missedFireTimes } from './missed-fire-times.ts'

/** Skipped fire times are counted up to this number. */
const MOST_COUNTED = 1_000
const MISSED = 'No scheduler could fire it in time.'
const BEHIND = 'An earlier fire time was waiting.'

/**
 * Fires a schedule, or lets it wait, skips its fire time or disables it.
 * @throws {Error} it stays due
 */
export const fireSchedule = async (deps: FlowDeps, due: DueSchedule): Promise<Firing> => {
  const { timing, fault } = parseTiming(due.cron, due.timezone)
  if (timing === null) return disable(deps, due, lasting(`The ${fault.path} ${fault.message}.`))
  const target = await findTarget(deps, due)
  if (target === null) return disableWithoutTarget(deps, due)
  const decision = overlapDecision(due.overlap, due.isFormerOpen)
  if (decision === 'skip') return skip(deps, due, timing, FORMER_RUNS)
  if (decision === 'wait') return postpone(deps, due, FORMER_RUNS)
  const next = nextFire(timing, { after: due.now })
  const fireTime = { due, timing, next, missed: await missedBy(due, timing, MOST_COUNTED) }
  try {
    if (target.kind === 'flow') return await fireFlow(deps, fireTime, target.request)
    await deps.gate.pass(due.ws)
    return await fireJob(deps, fireTime, target.job)
  } catch (refusal) {
    // a refusal that passes, such as a deployment under way, leaves the fire time due
    if (!(refusal instanceof AppError) || refusal.kind === 'unavailable') throw refusal
    if (refusal.kind === 'rate_limited') return postpone(deps, due, refusal.message)
    return skip(deps, due, timing, describe(refusal))
  }
}

/** Marks a fire time as waiting, so that due ones that need not wait go first. */
const postpone = async (
  { db }: Pick<FlowDeps, 'db'>,
  due: DueSchedule,
  reason: string,
): Promise<Firing> => {
  if (due.waitingSince !== null) return { schedule: due, outcome: 'waiting', reason }
  const { waiting } = await db.write({ waiting: letWait(due) }, { retry: true })
  return { schedule: due, outcome: waiting.changes === 1 ? 'postponed' : 'late', reason }
}

/** Returns the note on a fired fire time, or null when nothing was unusual. */
const reasonOf = ({ now, waitingSince, overlap }: DueSchedule): string | null => {
  if (waitingSince === null) return null
  const what = overlap === 'queue' ? 'the former run, or room in the queue' : 'room in the queue'
  return `It waited ${Math.max(0, Math.round((now - waitingSince) / 1_000))} s for ${what}.`
}

const describe = ({ message, details = [] }: AppError): string =>
  [message, ...details.map(({ path, message: why }) => `${path} ${why}`)].join(' ').slice(0, 500)

type Target =
  | Readonly<{ kind: 'action'; job: QueuedJob }>
  | Readonly<{ kind: 'flow'; request: StartRequest & Readonly<{ runId: string }> }>

/** The identity under which the schedule runs [schedules 1.3]. */
const identityOf = ({ id, createdBy }: DueSchedule) =>
  ({
    triggerKind: 'schedule',
    createdBy: `schedule:${id}`,
    permissionedAs: createdBy,
  }) as const

const findTarget = async (deps: FlowDeps, due: DueSchedule): Promise<Target | null> => {
  const { db, newId } = deps
  const { ws, app, action, flow } = due
  const trigger = { fireTime: new Date(due.fireTime).toISOString() }
  if (flow !== null) {
    if (!(await isDeployedFlow(deps, { ws, app, flow }))) return null
    const input: JsonValue = JSON.parse(due.inputJson)
    const run = { runId: newId(), trigger, ...identityOf(due) }
    return { kind: 'flow', request: { ws, app, flow, input, ...run } }
  }
  const known = action === null ? null : await readAction(db, { ws, app, action })
  if (known === null || action === null) return null
  const { inputJson } = due
  const input: JsonValue = JSON.parse(inputJson)
  const triggerJson = JSON.stringify(trigger)
  const request = { ws, app, action, input, inputJson, triggerJson, ...identityOf(due) }
  return { kind: 'action', job: { jobId: newId(), request, action: known } }
}

const isDeployedFlow = async (
  deps: FlowDeps,
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

type FireTime = Readonly<{
  due: DueSchedule
  timing: Timing
  next: number | null
  /** Fire times between it and now. */
  missed: FireTimeRange | null
}>

const missedBy = (due: DueSchedule, timing: Timing, most: number): Promise<FireTimeRange | null> =>
  missedFireTimes(timing, { after: due.fireTime, until: due.now, most })

/** Records that the fire time fired, and which earlier ones were missed. */
const record = (
  { due, timing, next, missed }: FireTime,
  made: Fired['made'],
): readonly Statement[] => {
  const everyMs = timing.kind === 'every' ? timing.everyMs : null
  const fired = recordFired({ ...due, made, nextFireAt: next, everyMs, reason: reasonOf(due) })
  if (missed === null) return fired
  const reason = due.waitingSince === null ? MISSED : BEHIND
  return [...fired, insertSkipped({ scheduleId: due.id, ...missed, reason })]
}

const fireFlow = async (
  deps: FlowDeps,
  fireTime: FireTime,
  request: StartRequest & Readonly<{ runId: string }>,
): Promise<Firing> => {
  const { due } = fireTime
  deps.passFault('fire_before_commit')
  const started = await startRun(deps, {
    ...request,
    condition: isFireTimeDue(due),
    alongside: () => record(fireTime, { kind: 'flow_run', id: request.runId }),
  })
  deps.passFault('fire_committed')
  if (started === null) return late(deps, fireTime)
  return { schedule: due, outcome: 'fired', reason: reasonOf(due) }
}

const fireJob = async (deps: FlowDeps, fireTime: FireTime, queued: QueuedJob): Promise<Firing> => {
  const { due } = fireTime
  await checkInput(deps, queued)
  const batch = {
    job: enqueueStatements(deps, queued, isFireTimeDue(due)),
    record: record(fireTime, { kind: 'job', id: queued.jobId }),
  }
  deps.passFault('fire_before_commit')
  const { job } = await deps.db.write(batch, { retry: true })
  deps.passFault('fire_committed')
  const hasFired = emitQueued(deps, job) || (await emitExisting(deps, { ...queued, ws: due.ws }))
  if (hasFired) return { schedule: due, outcome: 'fired', reason: reasonOf(due) }
  return late(deps, fireTime)
}

const late = async (deps: FlowDeps, { due, next }: FireTime): Promise<Firing> => {
  // after a jump of the database's clock, a fire time that has an outcome may become due again
  const isOver = (await findFireTimeOutcome(deps.db, due.id, due.fireTime)) !== null
  if (isOver && next !== null) await deps.db.write([passOver(due, next)], { retry: true })
  return { schedule: due, outcome: 'late', reason: null }
}

const skip = async (
  deps: FlowDeps,
  due: DueSchedule,
  timing: Timing,
  reason: string,
): Promise<Firing> => {
  const next = nextFire(timing, { after: due.now })
  if (next === null) return disable(deps, due, lasting(reason))
  const skipped = await skippedFrom(due, timing, reason)
  await deps.db.write([passOver(due, next), skipped], { retry: true })
  return { schedule: due, outcome: 'skipped', reason }
}

/** Records the fire time and those missed since as skipped. @param timing null if it cannot be read */
const skippedFrom = async (
  due: DueSchedule,
  timing: Timing | null,
  reason: string,
): Promise<Statement> => {
  const missed = timing === null ? null : await missedBy(due, timing, MOST_COUNTED - 1)
  const { id: scheduleId, fireTime: first } = due
  const last = missed?.last ?? first
  const count = 1 + (missed?.count ?? 0)
  return insertSkipped({ scheduleId, first, last, count, reason })
}

/** A reason that only a change by a user removes. */
const lasting = (text: string): DisableReason => ({ text, isTargetGone: false })

const disable = async (
  { db }: Pick<FlowDeps, 'db'>,
  due: DueSchedule,
  reason: DisableReason,
): Promise<Firing> => {
  const { timing } = parseTiming(due.cron, due.timezone)
  const skipped = await skippedFrom(due, timing, reason.text)
  await db.write([disableSchedule(due, reason), skipped], { retry: true })
  return { schedule: due, outcome: 'disabled', reason: reason.text }
}

/**
 * Disables a schedule whose target is missing. A deployment that lands meanwhile may contain it: then it stays due. One of a deleted
 * app waits for its deletion (left-rows.ts), and the disabling of thousands would be reported.
 */
const disableWithoutTarget = async (deps: FlowDeps, due: DueSchedule): Promise<Firing> => {
  const { ws, app, action, flow } = due
  const found = await findApp(deps.db, ws, app)
  if (found === null) {
    await deps.db.write([deleteLeftSchedule(due)], { retry: true })
    return { schedule: due, outcome: 'late', reason: null }
  }
  const { deploymentId } = found
  if ((await findTarget(deps, due)) !== null)
    return { schedule: due, outcome: 'late', reason: null }
  const what = flow === null ? `action ${app}/${action}` : `flow ${app}/${flow}`
  const text = `The ${what} no longer exists.`
  return disable(deps, due, { text, isTargetGone: true, deploymentId })
}
