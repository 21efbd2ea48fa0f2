/** Schedules on the wire [schedules 1.1, 5.5]. */
import type { ScheduleSlot } from '#store/schedule-slots.ts'
import type { Schedule } from '#store/schedules.ts'
import { toTimestamp, toTimestampOrNull } from './time.ts'
import { jsonValue, z } from './z.ts'

export const schedule = z
  .object({
    id: z.uuid(),
    app_key: z.string(),
    action_key: z.string().nullable(),
    flow_key: z.string().nullable(),
    cron: z.string(),
    timezone: z.string(),
    input: z.record(z.string(), jsonValue),
    enabled: z.boolean(),
    next_fire_at: z.string().nullable(),
    last_fire_at: z.string().nullable(),
    waiting_since: z
      .string()
      .nullable()
      .describe('since when next_fire_at waits for room in a full queue'),
    last_job_id: z.uuid().nullable(),
    last_flow_run_id: z.uuid().nullable(),
    disabled_reason: z.string().nullable().describe('why svc switched it off'),
    created_by: z.string().describe('whose jobs they are: permissioned_as'),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi('Schedule')

export const toWireSchedule = (row: Schedule) => ({
  id: row.id,
  app_key: row.app,
  action_key: row.action,
  flow_key: row.flow,
  cron: row.cron,
  timezone: row.timezone,
  input: JSON.parse(row.inputJson),
  enabled: row.enabled,
  next_fire_at: toTimestampOrNull(row.nextFireAt),
  last_fire_at: toTimestampOrNull(row.lastFireAt),
  waiting_since: toTimestampOrNull(row.waitingSince),
  last_job_id: row.lastJobId,
  last_flow_run_id: row.lastFlowRunId,
  disabled_reason: row.disabledReason,
  created_by: row.createdBy,
  created_at: toTimestamp(row.createdAt),
  updated_at: toTimestamp(row.updatedAt),
})

export const scheduleSlot = z
  .object({
    slot: z.string().describe('when it was due'),
    outcome: z.enum(['fired', 'skipped', 'queued']),
    job_id: z.uuid().nullable(),
    flow_run_id: z.uuid().nullable(),
    last_slot: z.string().nullable().describe('of a run of skipped slots the last'),
    count: z.int().describe('slots in the run; counted to 1000'),
    reason: z.string().nullable(),
    at: z.string().describe('when it was decided'),
  })
  .openapi('ScheduleSlot')

export const toWireSlot = (row: ScheduleSlot) => ({
  slot: toTimestamp(row.slot),
  outcome: row.outcome,
  job_id: row.jobId,
  flow_run_id: row.flowRunId,
  last_slot: toTimestampOrNull(row.lastSlot),
  count: row.count,
  reason: row.reason,
  at: toTimestamp(row.at),
})
