import { OVERLAPS, SLOT_OUTCOMES } from '#core/schedule/overlap.ts'
import { storedEnum, time } from '../wire.ts'
import { jsonObject, z } from './z.ts'

export const schedule = z
  .object({
    id: z.uuid(),
    app_key: z.string(),
    action_key: z.string().nullable(),
    flow_key: z.string().nullable(),
    cron: z.string(),
    timezone: z.string(),
    input: jsonObject,
    enabled: z.boolean(),
    overlap: storedEnum(OVERLAPS).describe('while the former run has not ended'),
    next_fire_at: time.nullable(),
    last_fire_at: time.nullable(),
    waiting_since: time
      .nullable()
      .describe(
        'since when next_fire_at waits for room in a full queue, or for the end of the former run',
      ),
    last_job_id: z.uuid().nullable(),
    last_flow_run_id: z.uuid().nullable(),
    key: z
      .string()
      .nullable()
      .describe('of a schedule that was created by its key; null for others'),
    managed_by: z
      .enum(['app'])
      .nullable()
      .describe('app: part of app.yaml, so that only `enabled` can be changed here'),
    managed_key: z.string().nullable().describe('its key in app.yaml'),
    disabled_reason: z.string().nullable().describe('why svc switched it off'),
    created_by: z.string().describe('whose jobs they are: permissioned_as'),
    created_at: time,
    updated_at: time,
  })
  .openapi('Schedule')

export const scheduleSlot = z
  .object({
    slot: time.describe('when it was due'),
    outcome: storedEnum(SLOT_OUTCOMES),
    job_id: z.uuid().nullable(),
    flow_run_id: z.uuid().nullable(),
    last_slot: time.nullable().describe('of a run of skipped slots the last'),
    count: z.int().describe('slots in the run; counted to 1000'),
    reason: z.string().nullable(),
    at: time.describe('when it was decided'),
  })
  .openapi('ScheduleSlot')

export const scheduleRun = z
  .object({ job_id: z.uuid().optional(), flow_run_id: z.uuid().optional() })
  .openapi('ScheduleRun', { description: 'One of the two, by the target of the schedule.' })
