/** Use cases of schedules [schedules 1, 2]. The next fire time is computed with each change. */
import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '#core/access/actor.ts'
import { quickCheck } from '#core/action/input-schema.ts'
import { AppError, conflict, invalid, notFound } from '#core/error.ts'
import type { JsonObject } from '#core/json/value.ts'
import type { Overlap } from '#core/schedule/overlap.ts'
import { nextFire, parseTiming, type Timing } from '#core/schedule/timing.ts'
import { actionNotFound } from '#core/target-not-found.ts'
import { findCurrentAction } from '#store/apps/apps.ts'
import { isMatch, type RowMatch } from '#store/row-match.ts'
import { insertReplaced } from '#store/schedules/fire-times.ts'
import {
  deleteSchedule as deleteStatement,
  findSchedule,
  findScheduleByKey,
  insertSchedule,
  isReplaced,
  type Schedule,
  type ScheduleAddress,
  updateSchedule,
} from '#store/schedules/schedules.ts'
import { requireApp } from '../apps/require-app.ts'
import { audited, auditedOnce, isMade } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { requireFittingInput } from '../find-input-faults.ts'
import type { WithFlows } from '../flows/engine.ts'
import { checkFlowInput, findFlow } from '../flows/find-flow.ts'
import { takeTurn } from '../portions/take-turn.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'

type ScheduleDeps = Pick<Deps, 'db' | 'newId' | 'hints' | 'manifests'> & WithFlows

export type ScheduleRequest = Readonly<{
  app: string
  /** Exactly one of action and flow is not null. */
  action: string | null
  flow: string | null
  cron: string
  timezone: string
  input: JsonObject
  enabled: boolean
  overlap: Overlap
}>

export type ScheduleChange = Partial<ScheduleRequest>

/** Parses a schedule's time. @throws {AppError} invalid */
export const checkTiming = (cron: string, timezone: string): Timing => {
  const { timing, fault } = parseTiming(cron, timezone)
  if (timing !== null) return timing
  throw invalid(`The ${fault.path} ${fault.message}.`, { details: [fault], code: 'bad_schedule' })
}

/** Reads a schedule. @throws {AppError} not_found */
export const requireSchedule = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  id: string,
): Promise<Schedule> => {
  const schedule = await findSchedule(db, ws, id)
  if (schedule === null) throw notFound('Schedule')
  return schedule
}

/** @throws {AppError} not_found; invalid: no single target, or an input that does not fit the target's schema */
const checkTarget = async (deps: ScheduleDeps, ws: string, request: ScheduleRequest) => {
  const { app, action, flow } = request
  if (flow !== null && action === null) {
    const { pinned } = await findFlow(deps, { ws, app, flow })
    await checkFlowInput(deps, { ws, app, flow, input: request.input }, pinned)
    return
  }
  if (action === null || flow !== null) {
    throw invalid('Give exactly one of action_key and flow_key.', { code: 'bad_target' })
  }
  await requireApp(deps, ws, app)
  const current = await findCurrentAction(deps.db, ws, app, action)
  if (current === null) throw actionNotFound({ app, action })
  const check = quickCheck(current.definition.inputSchema)
  await requireFittingInput(deps, check, { ws, app, target: action, input: request.input })
}

export type CreateRequest = Readonly<{ ws: string; actor: Actor; request: ScheduleRequest }>

/** Creates a schedule. @throws {AppError} not_found, invalid */
export const createSchedule = async (
  deps: ScheduleDeps,
  request: CreateRequest,
): Promise<Schedule> => requireSchedule(deps, request.ws, await insert(deps, request, null))

/** @returns the id that the schedule has, unless the app is gone or another schedule has the key */
const insert = async (
  deps: ScheduleDeps,
  { ws, actor, request }: CreateRequest,
  key: string | null,
): Promise<string> => {
  const timing = checkTiming(request.cron, request.timezone)
  await checkTarget(deps, ws, request)
  const id = deps.newId()
  const nextFireAt = request.enabled ? await firstFire(deps, timing) : null
  const { input, ...rest } = request
  const inputJson = JSON.stringify(input)
  await deps.db.write(
    [
      insertSchedule({ ...rest, id, ws, key, inputJson, nextFireAt, createdBy: actor.identity }),
      audited(deps, { ws, actor }, 'schedule.created', id),
    ],
    { retry: true },
  )
  deps.hints.scheduleChanged.emit(id)
  return id
}

export type PutRequest = CreateRequest & Readonly<{ key: string }>

/**
 * Creates the schedule with this key of the app, or replaces all its settings. Equal settings change nothing. If it is deleted
 * meanwhile, it is created again.
 * @throws {AppError} not_found, invalid, conflict: others change it all the time
 */
export const putSchedule = async (
  deps: ScheduleDeps,
  { key, ...create }: PutRequest,
): Promise<Readonly<{ schedule: Schedule; isNew: boolean }>> =>
  retryOnConflict(async () => {
    const { ws, actor, request } = create
    const address = { ws, app: request.app, key }
    const current = await findScheduleByKey(deps.db, address)
    if (current === null) {
      const id = await insert(deps, create, key)
      const schedule = await findScheduleByKey(deps.db, address)
      // another caller may have created it meanwhile, with other settings
      return schedule?.id === id ? { schedule, isNew: true } : null
    }
    if (isDeepStrictEqual(requestOf(current), request)) return { schedule: current, isNew: false }
    const schedule = await tryChange(deps, { current, actor }, request)
    return schedule === null ? null : { schedule, isNew: false }
  }, overtaken)

/** Reads the schedule with this key of the app. @throws {AppError} not_found */
export const requireScheduleByKey = async (
  { db }: Pick<Deps, 'db'>,
  address: ScheduleAddress,
): Promise<Schedule> => {
  const schedule = await findScheduleByKey(db, address)
  if (schedule === null) throw notFound('Schedule')
  return schedule
}

const firstFire = async ({ db }: Pick<Deps, 'db'>, timing: Timing): Promise<number | null> =>
  nextFire(timing, { after: await db.now() })

export type ScheduleAct = Readonly<{
  ws: string
  id: string
  actor: Actor
  /** What the caller has read of the schedule. @default anything may be there */
  match?: RowMatch
}>

/**
 * Changes a schedule; fields that are absent stay.
 * @throws {AppError} not_found, invalid, conflict (`managed_by_app`, `schedule_key_taken`), precondition_failed
 */
export const changeSchedule = async (
  deps: ScheduleDeps,
  { ws, id, actor, match = null }: ScheduleAct,
  change: ScheduleChange,
): Promise<Schedule> =>
  retryOnConflict(async () => {
    const current = await requireSchedule(deps, ws, id)
    if (!isMatch(current, match)) throw changedMeanwhile()
    return tryChange(deps, { current, actor }, change)
  }, overtaken)

/** @returns null if the schedule was changed or deleted since it was read */
const tryChange = async (
  deps: ScheduleDeps,
  { current, actor }: Readonly<{ current: Schedule; actor: Actor }>,
  change: ScheduleChange,
): Promise<Schedule | null> => {
  const { ws, id, version } = current
  if (current.managedKey !== null) refuseManaged(current, change)
  const request = { ...requestOf(current), ...change }
  const timing = checkTiming(request.cron, request.timezone)
  if (needsTargetCheck(change)) await checkTarget(deps, ws, request)
  await requireFreeKey(deps, current, request)
  const nextFireAt = await nextAfterChange(deps, { current, request, timing })
  const { input, ...rest } = request
  const changed = { ...rest, id, ws, inputJson: JSON.stringify(input), nextFireAt, version }
  const written = await deps.db.write(
    {
      replaced: insertReplaced(isReplaced(changed)),
      updated: updateSchedule(changed),
      ...auditedOnce(deps, { ws, actor }, 'schedule.changed', id),
    },
    { retry: true },
  )
  if (!isMade(written)) return null
  deps.hints.scheduleChanged.emit(id)
  return findSchedule(deps.db, ws, id)
}

/** A schedule takes its key along to another app. @throws {AppError} conflict `schedule_key_taken` */
const requireFreeKey = async (
  { db }: Pick<Deps, 'db'>,
  { ws, app: former, key }: Schedule,
  { app }: ScheduleRequest,
): Promise<void> => {
  if (key === null || app === former) return
  if ((await findScheduleByKey(db, { ws, app, key })) === null) return
  throw conflict(
    `The app "${app}" has another schedule with the key "${key}". Delete that one first, or change that one.`,
    { code: 'schedule_key_taken' },
  )
}

const overtaken = (): AppError => conflict('Other users keep changing the schedule. Try again.')

const changedMeanwhile = (): AppError =>
  new AppError(
    'precondition_failed',
    'The schedule is not the one that If-Match names. Read it again, then decide.',
  )

/** Refuses to change more than `enabled` of an app's own schedule. @throws {AppError} conflict `managed_by_app` */
const refuseManaged = (current: Schedule, change: ScheduleChange): void => {
  const { enabled: _, ...fixed } = requestOf(current)
  const { enabled: __, ...wanted } = change
  if (JSON.stringify({ ...fixed, ...wanted }) === JSON.stringify(fixed)) return
  throw managedByApp(current, 'Only `enabled` can be changed here.')
}

const managedByApp = ({ app, managedKey }: Schedule, also: string): AppError =>
  conflict(
    `The schedule "${managedKey}" belongs to the manifest of the app "${app}". Change it there and deploy. ${also}`,
    { code: 'managed_by_app' },
  )

const requestOf = ({ inputJson, ...schedule }: Schedule): ScheduleRequest => ({
  app: schedule.app,
  action: schedule.action,
  flow: schedule.flow,
  cron: schedule.cron,
  timezone: schedule.timezone,
  input: JSON.parse(inputJson),
  enabled: schedule.enabled,
  overlap: schedule.overlap,
})

/** Whether the change needs an existing target. A schedule may be disabled although its target is gone. */
const needsTargetCheck = ({ enabled, app, action, flow, input }: ScheduleChange): boolean =>
  enabled === true || [app, action, flow, input].some((part) => part !== undefined)

type Change = Readonly<{ current: Schedule; request: ScheduleRequest; timing: Timing }>

/** Returns the next fire time. A change of the input alone keeps it, which matters for `@every`. */
const nextAfterChange = async (
  deps: Pick<Deps, 'db'>,
  { current, request, timing }: Change,
): Promise<number | null> => {
  if (!request.enabled) return null
  const isSame =
    current.enabled && current.cron === request.cron && current.timezone === request.timezone
  return isSame ? current.nextFireAt : await firstFire(deps, timing)
}

/** Deletes a schedule. @throws {AppError} not_found, conflict `managed_by_app`, precondition_failed */
export const deleteSchedule = async (
  deps: ScheduleDeps,
  { ws, id, actor, match = null }: ScheduleAct,
): Promise<void> => {
  const current = await requireSchedule(deps, ws, id)
  if (current.managedKey !== null) throw managedByApp(current, 'Or disable it.')
  const audit = auditedOnce(deps, { ws, actor }, 'schedule.deleted', id)
  const written = await deps.db.write(
    { deleted: deleteStatement(ws, id, match), ...audit },
    { retry: true },
  )
  if (isMade(written)) return
  await requireSchedule(deps, ws, id)
  throw changedMeanwhile()
}

/** Fire times of one turn. A rare one takes up to 2 ms. */
const PREVIEWED_AT_ONCE = 5

/** Returns the next `count` fire times after `from`, in milliseconds since 1970. */
export const previewTimes = async (
  timing: Timing,
  { from, count }: Readonly<{ from: number; count: number }>,
): Promise<readonly number[]> => {
  const times: number[] = []
  for (let after = from; times.length < count; ) {
    // also before the first ones, because many previews may begin at once
    if (times.length % PREVIEWED_AT_ONCE === 0) await takeTurn()
    const next = nextFire(timing, { after })
    if (next === null) break
    times.push(next)
    after = next
  }
  return times
}
