import { holdsScope } from '#core/access/policy.ts'
import { JsonText } from '#core/json/text.ts'
import type { FlowDeps } from '#service/flows/engine.ts'
import type { EnqueueDeps } from '#service/queue/enqueue-job.ts'
import {
  changeSchedule,
  checkTiming,
  createSchedule,
  deleteSchedule,
  previewTimes,
  putSchedule,
  requireSchedule,
  requireScheduleByKey,
  type ScheduleChange,
} from '#service/schedules/manage-schedule.ts'
import { runSchedule } from '#service/schedules/run-schedule.ts'
import { listScheduleSlots } from '#store/schedules/fire-times.ts'
import { listScheduleSizes, listSchedules, type Schedule } from '#store/schedules/schedules.ts'
import { missingScope } from '../admission/admit.ts'
import { answer, noContent, ok } from '../answer.ts'
import type { InputOf } from '../endpoint.ts'
import { scheduleEndpoints } from '../endpoints/schedules.ts'
import { handlers } from '../handlers.ts'
import { toRowId } from '../row-id.ts'
import { etagOf, readMatch } from '../row-match.ts'
import { accepted, idempotencyOf, traceOf } from '../run-request.ts'
import { decodeCursor, paginate, unknownCursor } from '../schemas/page.ts'

const toSchedule = (row: Schedule) => ({
  ...row,
  appKey: row.app,
  actionKey: row.action,
  flowKey: row.flow,
  input: new JsonText(row.inputJson),
  managedBy: row.managedKey === null ? null : ('app' as const),
})

/** Bytes of the inputs on one page. To read and write 500 schedules with 2 MiB takes 55 ms, in which nothing else runs. */
const MAX_PAGE_BYTES = 1_048_576

/** Returns how many of the first rows have at most MAX_PAGE_BYTES together, but at least one. */
const fitting = (sizes: readonly number[]): number => {
  let left = MAX_PAGE_BYTES
  const end = sizes.findIndex((bytes) => {
    left -= bytes
    return left < 0
  })
  return Math.max(end === -1 ? sizes.length : end, 1)
}

type Name = string | null | undefined
type Target = Readonly<{ action: string | null; flow: string | null }>

const toTarget = (action: Name, flow: Name): Target => ({
  action: action ?? null,
  flow: flow ?? null,
})

/** A named action replaces the flow, and a named flow replaces the action. Null alone only removes, which may leave no target. */
const toChange = ({
  app_key: app,
  action_key,
  flow_key,
  ...rest
}: InputOf<typeof scheduleEndpoints.updateSchedule>['body']): ScheduleChange => {
  const names = [action_key, flow_key].some((name) => name !== undefined && name !== null)
  const target = names ? toTarget(action_key, flow_key) : { action: action_key, flow: flow_key }
  const given = { ...rest, app, ...target }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const toId = (id: string): string => toRowId(id, 'Schedule')

/** @throws {AppError} invalid */
const toSlotKey = (cursor: string | undefined): number | null => {
  const text = decodeCursor(cursor)
  if (text === null || /^\d{1,15}$/.test(text)) return text === null ? null : Number(text)
  throw unknownCursor()
}

export const scheduleRoutes = handlers(scheduleEndpoints, (deps: EnqueueDeps & FlowDeps) => ({
  listSchedules: async ({ ws, query: { limit, cursor, app = null, enabled = null } }) => {
    const from = { app, enabled, beforeId: decodeCursor(cursor) }
    const shown = fitting(await listScheduleSizes(deps.db, ws, { ...from, limit }))
    const rows = await listSchedules(deps.db, ws, { ...from, limit: shown + 1 })
    return ok(paginate(rows.map(toSchedule), shown, ({ id }) => id))
  },
  createSchedule: async ({ ws, actor, body }) => {
    const { app_key: app, action_key, flow_key, ...rest } = body
    const request = { ...rest, app, ...toTarget(action_key, flow_key) }
    const schedule = await createSchedule(deps, { ws, actor, request })
    return answer(201, toSchedule(schedule), etagOf(schedule))
  },
  putSchedule: async ({ ws, actor, params: { app, key }, body }) => {
    const { action_key, flow_key, ...rest } = body
    const request = { ...rest, app, ...toTarget(action_key, flow_key) }
    const { schedule, isNew } = await putSchedule(deps, { ws, actor, key, request })
    return isNew
      ? answer(201, toSchedule(schedule), etagOf(schedule))
      : answer(200, toSchedule(schedule), etagOf(schedule))
  },
  getScheduleByKey: async ({ ws, params }) => {
    const schedule = await requireScheduleByKey(deps, { ws, ...params })
    return answer(200, toSchedule(schedule), etagOf(schedule))
  },
  deleteScheduleByKey: async ({ ws, params, actor, header }) => {
    const { id } = await requireScheduleByKey(deps, { ws, ...params })
    await deleteSchedule(deps, { ws, id, actor, match: readMatch(header) })
    return noContent()
  },
  previewSchedule: async ({ body }) => {
    const timing = checkTiming(body.cron, body.timezone)
    const from = body.from ?? (await deps.db.now())
    const times = await previewTimes(timing, { from, count: body.count })
    return ok({ fireTimes: times })
  },
  getSchedule: async ({ ws, params: { id } }) => {
    const schedule = await requireSchedule(deps, ws, toId(id))
    return answer(200, toSchedule(schedule), etagOf(schedule))
  },
  updateSchedule: async ({ ws, params: { id }, actor, body, header }) => {
    const act = { ws, id: toId(id), actor, match: readMatch(header) }
    const schedule = await changeSchedule(deps, act, toChange(body))
    return answer(200, toSchedule(schedule), etagOf(schedule))
  },
  deleteSchedule: async ({ ws, params: { id }, actor, header }) => {
    await deleteSchedule(deps, { ws, id: toId(id), actor, match: readMatch(header) })
    return noContent()
  },
  runSchedule: async (input) => {
    const { ws, principal, body } = input
    const schedule = await requireSchedule(deps, ws, toId(input.params.id))
    const kind = schedule.action === null ? 'flow' : 'job'
    const scope = `${kind}s:run` as const
    if (!holdsScope(principal, scope)) throw missingScope(principal, scope)
    const started = await runSchedule(deps, {
      schedule,
      fireTime: body?.fire_time ?? (await deps.db.now()),
      createdBy: principal.identity,
      permissionedAs: principal.identity,
      holdsAppsWrite: holdsScope(principal, 'apps:write'),
      ...traceOf(input),
      // its target may change, and a key must not answer a run of a flow with the id of a job
      ...idempotencyOf(input, `schedule/${schedule.id}/${kind}`),
    })
    return accepted(201, started, started.made)
  },
  listScheduleSlots: async ({ ws, params: { id }, query: { limit, cursor } }) => {
    const found = await requireSchedule(deps, ws, toId(id))
    const page = { before: toSlotKey(cursor), limit: limit + 1 }
    const rows = await listScheduleSlots(deps.db, found.id, page)
    return ok(paginate(rows, limit, ({ slot }) => `${slot}`))
  },
}))
