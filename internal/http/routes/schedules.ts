/**
 * GET, POST          /api/w/{ws}/schedules
 * POST               /api/w/{ws}/schedules/preview
 * GET, PATCH, DELETE /api/w/{ws}/schedules/{id}
 * GET                /api/w/{ws}/schedules/{id}/slots
 */
import { invalid } from '#core/error.ts'
import type { Deps } from '#service/deps.ts'
import type { WithFlows } from '#service/flows/engine.ts'
import {
  changeSchedule,
  checkTiming,
  createSchedule,
  deleteSchedule,
  previewTimes,
  requireSchedule,
  type ScheduleChange,
} from '#service/manage-schedule.ts'
import { listScheduleSlots } from '#store/schedule-slots.ts'
import { listSchedules } from '#store/schedules.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { jobParams, toRowId } from '../schemas/job-id.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { schedule, scheduleSlot, toWireSchedule, toWireSlot } from '../schemas/schedules.ts'
import { timeQuery, toTimestamp } from '../schemas/time.ts'
import { jsonValue, z } from '../schemas/z.ts'

const key = z.string().min(1).max(200)
const cron = z.string().min(1).max(300).describe('five fields, @daily and the like, or @every 30m')
const timezone = z.string().min(1).max(100).describe('IANA name, for example Asia/Seoul')
const input = z.record(z.string(), jsonValue)

const newSchedule = z.strictObject({
  app_key: key,
  action_key: key.nullish().describe('exactly one of action_key and flow_key'),
  flow_key: key.nullish(),
  cron,
  timezone: timezone.default('UTC'),
  input: input.default({}),
  enabled: z.boolean().default(true),
})

const scheduleChange = z.strictObject({
  app_key: key.optional(),
  action_key: key.nullish(),
  flow_key: key.nullish(),
  cron: cron.optional(),
  timezone: timezone.optional(),
  input: input.optional(),
  enabled: z.boolean().optional(),
})

const MOST_PREVIEWED = 100

const preview = z.strictObject({
  cron,
  timezone: timezone.default('UTC'),
  count: z.int().min(1).max(MOST_PREVIEWED).default(5),
  from: timeQuery.optional().describe('default now'),
})

const listQuery = pageQuery.extend({
  app: z.string().max(200).optional(),
  enabled: z.enum(['true', 'false']).optional(),
})

const unknown = { 404: problem('Unknown schedule, app, action or flow') }
const bad = { 400: problem('Bad cron, time zone or input') }

type Target = Readonly<{ action: string | null; flow: string | null }>

/** @throws {AppError} invalid */
const toTarget = (action: string | null | undefined, flow: string | null | undefined): Target => {
  const target = { action: action ?? null, flow: flow ?? null }
  if ((target.action === null) !== (target.flow === null)) return target
  throw invalid('Give exactly one of action_key and flow_key.', { code: 'bad_target' })
}

/** Naming an action takes the flow's place, and the other way round. */
const toChange = ({
  app_key: app,
  action_key,
  flow_key,
  ...rest
}: z.output<typeof scheduleChange>): ScheduleChange => {
  const names = [action_key, flow_key].some((name) => name !== undefined && name !== null)
  const given = { ...rest, app, ...(names ? toTarget(action_key, flow_key) : {}) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const toId = (id: string): string => toRowId(id, 'Schedule')

/** @throws {AppError} invalid */
const toSlotKey = (cursor: string | undefined): number | null => {
  const text = decodeCursor(cursor)
  if (text === null || /^\d{1,15}$/.test(text)) return text === null ? null : Number(text)
  throw invalid('The cursor is not one that this list gave. Start from the first page.', {
    code: 'invalid_cursor',
  })
}

export const scheduleRoutes = (
  deps: Pick<Deps, 'db' | 'newId' | 'hints'> & WithFlows,
): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/schedules',
    operationId: 'listSchedules',
    scope: 'schedules:read',
    tag: 'Schedules',
    summary: 'Schedules, newest first',
    query: listQuery,
    responses: {
      200: { description: 'A page', schema: pageOf(schedule) },
      400: problem('Bad filter or cursor'),
    },
    handler: async ({ ws, query: { limit, cursor, app = null, enabled } }) => {
      const rows = await listSchedules(deps.db, ws, {
        app,
        enabled: enabled === undefined ? null : enabled === 'true',
        beforeId: decodeCursor(cursor),
        limit: limit + 1,
      })
      return reply(200, toPage(rows, limit, { toItem: toWireSchedule, keyOf: ({ id }) => id }))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/schedules',
    operationId: 'createSchedule',
    scope: 'schedules:write',
    tag: 'Schedules',
    summary: 'Run an action or a flow again and again',
    body: newSchedule,
    responses: { 201: { description: 'Made', schema: schedule }, ...bad, ...unknown },
    handler: async ({ ws, actor, body }) => {
      const { app_key: app, action_key, flow_key, ...rest } = body
      const wish = { ...rest, app, ...toTarget(action_key, flow_key) }
      return reply(201, toWireSchedule(await createSchedule(deps, { ws, actor, request: wish })))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/schedules/preview',
    operationId: 'previewSchedule',
    scope: 'schedules:read',
    tag: 'Schedules',
    summary: 'When such a schedule would fire',
    body: preview,
    responses: {
      200: {
        description: 'The next times',
        schema: z.object({ fire_times: z.array(z.string()) }),
      },
      ...bad,
    },
    handler: async ({ body }) => {
      const timing = checkTiming(body.cron, body.timezone)
      const from = body.from ?? (await deps.db.now())
      const times = previewTimes(timing, { from, count: body.count })
      return reply(200, { fire_times: times.map(toTimestamp) })
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/schedules/{id}',
    operationId: 'getSchedule',
    scope: 'schedules:read',
    tag: 'Schedules',
    summary: 'A schedule',
    params: jobParams,
    responses: { 200: { description: 'It', schema: schedule }, ...unknown },
    handler: async ({ ws, params: { id } }) =>
      reply(200, toWireSchedule(await requireSchedule(deps, ws, toId(id)))),
  }),
  route({
    method: 'patch',
    path: '/api/w/{ws}/schedules/{id}',
    operationId: 'updateSchedule',
    scope: 'schedules:write',
    tag: 'Schedules',
    summary: 'Change a schedule; its next fire time is computed at once',
    params: jobParams,
    body: scheduleChange,
    responses: {
      200: { description: 'As it is now', schema: schedule },
      ...bad,
      ...unknown,
      409: problem('Changed by somebody else all the time'),
    },
    handler: async ({ ws, params: { id }, actor, body }) => {
      const act = { ws, id: toId(id), actor }
      return reply(200, toWireSchedule(await changeSchedule(deps, act, toChange(body))))
    },
  }),
  route({
    method: 'delete',
    path: '/api/w/{ws}/schedules/{id}',
    operationId: 'deleteSchedule',
    scope: 'schedules:write',
    tag: 'Schedules',
    summary: 'Delete a schedule; its jobs stay',
    params: jobParams,
    responses: { 204: { description: 'Deleted' }, ...unknown },
    handler: async ({ ws, params: { id }, actor }) => {
      await deleteSchedule(deps, { ws, id: toId(id), actor })
      return reply(204)
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/schedules/{id}/slots',
    operationId: 'listScheduleSlots',
    scope: 'schedules:read',
    tag: 'Schedules',
    summary:
      'What became of its slots, newest first: fired, skipped and why, or queued while they wait for room',
    params: jobParams,
    query: pageQuery,
    responses: {
      200: { description: 'A page', schema: pageOf(scheduleSlot) },
      400: problem('Bad cursor'),
      ...unknown,
    },
    handler: async ({ ws, params: { id }, query: { limit, cursor } }) => {
      const found = await requireSchedule(deps, ws, toId(id))
      const page = { before: toSlotKey(cursor), limit: limit + 1 }
      const rows = await listScheduleSlots(deps.db, found.id, page)
      return reply(200, toPage(rows, limit, { toItem: toWireSlot, keyOf: ({ slot }) => `${slot}` }))
    },
  }),
]
