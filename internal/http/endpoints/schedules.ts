import { SCHEDULE_KEY } from '#core/key-patterns.ts'
import { OVERLAPS } from '#core/schedule/overlap.ts'
import { empty, json, otherVersion, problem, queueFull } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { flagQuery } from '../schemas/flag.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { schedule, scheduleRun, scheduleSlot } from '../schemas/schedules.ts'
import { timeQuery } from '../schemas/time.ts'
import { jsonObject, z } from '../schemas/z.ts'
import { time } from '../wire.ts'

const key = z.string().min(1).max(200)

const cron = z.string().min(1).max(300).describe('five fields, @daily and the like, or @every 30m')

const timezone = z.string().min(1).max(100).describe('IANA name, for example Asia/Seoul')

const input = jsonObject

const overlap = z
  .enum(OVERLAPS)
  .describe(
    'while the former run has not ended: start another, pass the fire time over, or let one fire time wait for its end',
  )

const newSchedule = z.strictObject({
  app_key: key,
  action_key: key.nullish().describe('exactly one of action_key and flow_key'),
  flow_key: key.nullish(),
  cron,
  timezone: timezone.default('UTC'),
  input: input.default({}).openapi({ default: {} }),
  enabled: z.boolean().default(true),
  overlap: overlap.default('allow'),
})

const putSchedule = newSchedule.omit({ app_key: true })

const ownKey = z
  .string()
  .regex(
    SCHEDULE_KEY,
    'must have 1 to 200 letters, digits or characters of . _ : @ + -, and not be . or ..',
  )
  .describe('chosen by the caller, for example the id of a customer; unique in the app')

const byKey = {
  path: '/schedules/by-key/{app}/{key}',
  in: 'workspace',
  tag: 'Schedules',
  params: { key: ownKey },
} as const

const scheduleChange = z.strictObject({
  app_key: key.optional(),
  action_key: key.nullish(),
  flow_key: key.nullish(),
  cron: cron.optional(),
  timezone: timezone.optional(),
  input: input.optional(),
  enabled: z.boolean().optional(),
  overlap: overlap.optional(),
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
  enabled: flagQuery.optional(),
})

const runBody = z
  .strictObject({
    fire_time: timeQuery.optional().describe('what `ctx.trigger.fireTime` is; default now'),
  })
  .optional()

const unknown = { 404: problem('Unknown schedule, app, action or flow') }

const bad = { 400: problem('Bad cron, time zone or input') }

export const scheduleEndpoints = {
  listSchedules: endpoint({
    method: 'get',
    path: '/schedules',
    in: 'workspace',
    admits: ['schedules:read'],
    tag: 'Schedules',
    summary: 'Schedules, newest first; a page ends early when its inputs have 2 MiB together',
    query: listQuery,
    answers: { 200: json('A page', pageOf(schedule)), 400: problem('Bad filter or cursor') },
  }),
  createSchedule: endpoint({
    method: 'post',
    path: '/schedules',
    in: 'workspace',
    admits: ['schedules:write'],
    tag: 'Schedules',
    summary: 'Run an action or a flow again and again',
    body: newSchedule,
    answers: { 201: json('Created', schedule), ...bad, ...unknown },
  }),
  putSchedule: endpoint({
    ...byKey,
    method: 'put',
    admits: ['schedules:write'],
    summary: 'Create the schedule with this key, or replace all its settings',
    body: putSchedule,
    answers: {
      200: json('It was there, and has these settings now', schedule),
      201: json('Created', schedule),
      ...bad,
      ...unknown,
      409: problem('Other requests kept changing it at the same time'),
    },
  }),
  getScheduleByKey: endpoint({
    ...byKey,
    method: 'get',
    admits: ['schedules:read'],
    summary: 'The schedule with this key',
    answers: { 200: json('The schedule', schedule), ...unknown },
  }),
  deleteScheduleByKey: endpoint({
    ...byKey,
    method: 'delete',
    admits: ['schedules:write'],
    isConditional: true,
    summary: 'Delete the schedule with this key; its jobs stay',
    answers: { 204: empty('Deleted'), ...unknown, ...otherVersion('The schedule') },
  }),
  previewSchedule: endpoint({
    method: 'post',
    path: '/schedules/preview',
    in: 'workspace',
    admits: ['schedules:read'],
    tag: 'Schedules',
    summary: 'When such a schedule would fire',
    body: preview,
    answers: { 200: json('The next times', z.object({ fire_times: z.array(time) })), ...bad },
  }),
  getSchedule: endpoint({
    method: 'get',
    path: '/schedules/{id}',
    in: 'workspace',
    admits: ['schedules:read'],
    tag: 'Schedules',
    summary: 'A schedule',
    answers: { 200: json('The schedule', schedule), ...unknown },
  }),
  updateSchedule: endpoint({
    method: 'patch',
    path: '/schedules/{id}',
    in: 'workspace',
    admits: ['schedules:write'],
    tag: 'Schedules',
    isConditional: true,
    summary: 'Change a schedule; its next fire time is computed at once',
    body: scheduleChange,
    answers: {
      200: json('As it is now', schedule),
      ...bad,
      ...unknown,
      409: problem('The app manages it, or other requests kept changing it at the same time'),
      ...otherVersion('The schedule'),
    },
  }),
  deleteSchedule: endpoint({
    method: 'delete',
    path: '/schedules/{id}',
    in: 'workspace',
    admits: ['schedules:write'],
    tag: 'Schedules',
    isConditional: true,
    summary: 'Delete a schedule; its jobs stay',
    answers: {
      204: empty('Deleted'),
      ...unknown,
      409: problem('The app manages it'),
      ...otherVersion('The schedule'),
    },
  }),
  runSchedule: endpoint({
    method: 'post',
    path: '/schedules/{id}/run',
    in: 'workspace',
    admits: ['schedules:read'],
    rate: 'run',
    isIdempotentByKey: true,
    tag: 'Schedules',
    summary: 'Start what the schedule starts, now or for another fire time',
    body: runBody,
    bodyKind: 'optional_json',
    answers: {
      201: json('Queued or started', scheduleRun),
      400: problem('Its input does not fit the schema of its target'),
      403: problem('Missing scope: `jobs:run` for an action, `flows:run` for a flow'),
      404: problem('Unknown schedule, or its target is no longer deployed'),
      409: problem('The Idempotency-Key was used with another body'),
      ...queueFull,
    },
  }),
  listScheduleSlots: endpoint({
    method: 'get',
    path: '/schedules/{id}/slots',
    in: 'workspace',
    admits: ['schedules:read'],
    tag: 'Schedules',
    summary:
      'Fire times of the schedule, newest first: fired, skipped and why, or queued while they wait',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(scheduleSlot)), 400: problem('Bad cursor'), ...unknown },
  }),
}
