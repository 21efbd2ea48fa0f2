/** Schedules as people make and change them [schedules 1, 2]. Next fire times are computed at once. */
import type { Actor } from '#core/actor.ts'
import { conflict, invalid, notFound } from '#core/error.ts'
import { inputCheck } from '#core/input-schema.ts'
import type { JsonObject } from '#core/json.ts'
import { nextFire, parseTiming, type Timing } from '#core/schedule/timing.ts'
import { findApp, findCurrentAction } from '#store/apps.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import {
  deleteSchedule as deleteStatement,
  findSchedule,
  insertSchedule,
  type Schedule,
  updateSchedule,
} from '#store/schedules.ts'
import type { Deps } from './deps.ts'
import { findFlow } from './flows/find-flow.ts'

type ScheduleDeps = Pick<Deps, 'db' | 'newId' | 'hints' | 'pinned'>

export type ScheduleWish = Readonly<{
  app: string
  /** Exactly one of action and flow is not null. */
  action: string | null
  flow: string | null
  cron: string
  timezone: string
  input: JsonObject
  enabled: boolean
}>

export type ScheduleChange = Partial<ScheduleWish>

/** @throws {AppError} invalid */
export const checkTiming = (cron: string, timezone: string): Timing => {
  const { timing, fault } = parseTiming(cron, timezone)
  if (timing !== null) return timing
  throw invalid(`The ${fault.path} ${fault.message}.`, { details: [fault], code: 'bad_schedule' })
}

/** @throws {AppError} not_found */
export const requireSchedule = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  id: string,
): Promise<Schedule> => {
  const schedule = await findSchedule(db, ws, id)
  if (schedule === null) throw notFound('Schedule')
  return schedule
}

/** @throws {AppError} not_found, invalid: the input does not fit the action's schema */
const checkTarget = async (deps: ScheduleDeps, ws: string, wish: ScheduleWish) => {
  const { db } = deps
  const { app, action, flow } = wish
  if (flow !== null) {
    await findFlow(deps, { ws, app, flow })
    return
  }
  if ((await findApp(db, ws, app)) === null) {
    throw notFound(`App "${app}"`, { code: 'app_not_found' })
  }
  const current = action === null ? null : await findCurrentAction(db, ws, app, action)
  if (current === null) {
    throw notFound(`Action "${action}" of app "${app}"`, { code: 'action_not_found' })
  }
  const faults = inputCheck(current.definition.inputSchema)?.(wish.input) ?? []
  if (faults.length > 0) {
    const code = 'input_schema'
    throw invalid(`The input does not fit the schema of ${app}/${action}.`, {
      code,
      details: faults,
    })
  }
}

/** @throws {AppError} not_found, invalid */
export const createSchedule = async (
  deps: ScheduleDeps,
  { ws, actor, wish }: Readonly<{ ws: string; actor: Actor; wish: ScheduleWish }>,
): Promise<Schedule> => {
  const timing = checkTiming(wish.cron, wish.timezone)
  await checkTarget(deps, ws, wish)
  const id = deps.newId()
  const entry = { id: deps.newId(), ws, actor, action: 'schedule.created', target: id }
  const nextFireAt = wish.enabled ? await firstFire(deps, timing) : null
  const { input, ...rest } = wish
  const inputJson = JSON.stringify(input)
  await deps.db.write(
    [
      insertSchedule({ ...rest, id, ws, inputJson, nextFireAt, createdBy: actor.identity }),
      insertAuditEntryIfChanged(entry),
    ],
    { retry: true },
  )
  deps.hints.scheduleChanged.emit(id)
  return requireSchedule(deps, ws, id)
}

const firstFire = async ({ db }: Pick<Deps, 'db'>, timing: Timing): Promise<number | null> =>
  nextFire(timing, { after: await db.now() })

/** Somebody else may change it between reading and writing; so many in a row are beyond bad luck. */
const MAX_TRIES = 5

export type ScheduleAct = Readonly<{ ws: string; id: string; actor: Actor }>

/** @throws {AppError} not_found, invalid, conflict */
export const changeSchedule = async (
  deps: ScheduleDeps,
  { ws, id, actor }: ScheduleAct,
  change: ScheduleChange,
): Promise<Schedule> => {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const known = await requireSchedule(deps, ws, id)
    const wish = { ...wishOf(known), ...change }
    const timing = checkTiming(wish.cron, wish.timezone)
    if (mayMissTarget(change)) await checkTarget(deps, ws, wish)
    const nextFireAt = await nextAfterChange(deps, { known, wish, timing })
    const { input, ...rest } = wish
    const changed = { ...rest, id, ws, inputJson: JSON.stringify(input), nextFireAt }
    const entry = { id: deps.newId(), ws, actor, action: 'schedule.changed', target: id }
    const [result] = await deps.db.write([
      updateSchedule({ ...changed, version: known.version }),
      insertAuditEntryIfChanged(entry),
    ])
    if (result?.changes !== 1) continue
    deps.hints.scheduleChanged.emit(id)
    return requireSchedule(deps, ws, id)
  }
  throw conflict('The schedule is being changed by somebody else all the time. Try again.')
}

const wishOf = ({ inputJson, ...schedule }: Schedule): ScheduleWish => ({
  app: schedule.app,
  action: schedule.action,
  flow: schedule.flow,
  cron: schedule.cron,
  timezone: schedule.timezone,
  input: JSON.parse(inputJson),
  enabled: schedule.enabled,
})

/** A schedule may be switched off though its target is gone. */
const mayMissTarget = ({ enabled, app, action, flow, input }: ScheduleChange): boolean =>
  enabled === true || [app, action, flow, input].some((part) => part !== undefined)

type Change = Readonly<{ known: Schedule; wish: ScheduleWish; timing: Timing }>

/** Another input alone leaves the time as it is, which matters to `@every`. */
const nextAfterChange = async (
  deps: Pick<Deps, 'db'>,
  { known, wish, timing }: Change,
): Promise<number | null> => {
  if (!wish.enabled) return null
  const isSame = known.enabled && known.cron === wish.cron && known.timezone === wish.timezone
  return isSame ? known.nextFireAt : await firstFire(deps, timing)
}

/** @throws {AppError} not_found */
export const deleteSchedule = async (
  deps: ScheduleDeps,
  { ws, id, actor }: ScheduleAct,
): Promise<void> => {
  const entry = { id: deps.newId(), ws, actor, action: 'schedule.deleted', target: id }
  const [result] = await deps.db.write([deleteStatement(ws, id), insertAuditEntryIfChanged(entry)])
  if (result?.changes !== 1) throw notFound('Schedule')
}

/** The next `count` slots. */
export const previewTimes = (
  timing: Timing,
  { from, count }: Readonly<{ from: number; count: number }>,
): readonly number[] => {
  const times: number[] = []
  for (let after = from; times.length < count; ) {
    const next = nextFire(timing, { after })
    if (next === null) break
    times.push(next)
    after = next
  }
  return times
}
