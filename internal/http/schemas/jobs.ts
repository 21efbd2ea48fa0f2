/** Jobs on the wire [jobs 2.1, 5]. */

import { ATTEMPT_OUTCOMES } from '#core/job/attempt.ts'
import type { JobSummary } from '#core/job/summary.ts'
import { JOB_STATUSES } from '#core/job/transitions.ts'
import { TRIGGER_KINDS } from '#core/job/trigger-kind.ts'
import type { JsonValue } from '#core/json.ts'
import type { JobTimeline } from '#service/queue/summarize-jobs.ts'
import type { JobAttempt } from '#store/jobs/attempts.ts'
import type { Job } from '#store/jobs/read.ts'
import { toTimestamp, toTimestampOrNull } from './time.ts'
import { jsonValue, z } from './z.ts'

const timestamp = z.iso.datetime()

export const jobAccepted = z.object({ job_id: z.uuid() }).openapi('JobAccepted')

export const jobPending = z
  .object({ job_id: z.uuid(), status: z.literal('pending') })
  .openapi('JobPending')

export const resultPending = z.object({ status: z.literal('pending') }).openapi('ResultPending')

export const jobResult = z
  .object({ status: z.enum(['success', 'failure', 'canceled']), result: jsonValue })
  .openapi('JobResult')

export const jobFinished = jobResult.extend({ job_id: z.uuid() }).openapi('JobFinished')

export const cancelAnswer = z
  .object({
    found: z.boolean(),
    completed_now: z.boolean(),
    soft_canceled: z.boolean(),
    already_completed: z.boolean(),
  })
  .openapi('CancelAnswer')

export const job = z
  .object({
    id: z.uuid(),
    job_id: z.uuid(),
    status: z.enum(JOB_STATUSES),
    app: z.string(),
    action: z.string(),
    tag: z.string(),
    priority: z.int(),
    attempt: z.int().describe('0 until a worker first claims the job'),
    max_attempts: z.int(),
    trigger_kind: z.enum(TRIGGER_KINDS),
    created_by: z.string(),
    permissioned_as: z.string(),
    commit: z.string(),
    entrypoint: z.string(),
    worker: z.string().nullable(),
    created_at: timestamp,
    scheduled_for: timestamp,
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    duration_ms: z.int().nullable(),
    customer_id: z.uuid().optional().describe('only of jobs that a customer key started'),
    flow_run_id: z.uuid().optional(),
    flow_step: z.string().optional(),
  })
  .openapi('Job')

export const jobDetail = job
  .extend({
    result: jsonValue.describe('null until the job has ended'),
    input: jsonValue.optional().describe('only for the creator of the job and for admins'),
  })
  .openapi('JobDetail')

export const toWireJob = (row: Job) => ({
  id: row.id,
  job_id: row.id,
  status: row.status,
  app: row.app,
  action: row.action,
  tag: row.tag,
  priority: row.priority,
  attempt: row.attempt,
  max_attempts: row.maxAttempts,
  trigger_kind: row.triggerKind,
  created_by: row.createdBy,
  permissioned_as: row.permissionedAs,
  commit: row.commit,
  entrypoint: row.entrypoint,
  worker: row.worker,
  created_at: toTimestamp(row.createdAt),
  scheduled_for: toTimestamp(row.scheduledFor),
  started_at: toTimestampOrNull(row.startedAt),
  completed_at: toTimestampOrNull(row.completedAt),
  duration_ms:
    row.completedAt === null
      ? null
      : Math.max(row.completedAt - (row.startedAt ?? row.completedAt), 0),
  ...(row.customerId === null ? {} : { customer_id: row.customerId }),
  ...(row.flowRunId === null ? {} : { flow_run_id: row.flowRunId }),
  ...(row.flowStep === null ? {} : { flow_step: row.flowStep }),
})

export const jobAttempt = z
  .object({
    attempt: z.int(),
    outcome: z
      .enum(ATTEMPT_OUTCOMES)
      .describe('worker_lost: its worker stopped answering; handed_back: its worker was stopped'),
    worker: z.string().nullable(),
    started_at: timestamp,
    ended_at: timestamp.nullable(),
    duration_ms: z.int().nullable(),
    error: jsonValue.describe('`{name, message}`, null when there is none'),
  })
  .openapi('JobAttempt')

/** @param error opened */
export const toWireAttempt = (row: JobAttempt, error: JsonValue) => ({
  attempt: row.attempt,
  outcome: row.outcome,
  worker: row.worker,
  started_at: toTimestamp(row.startedAt),
  ended_at: toTimestampOrNull(row.endedAt),
  duration_ms: row.endedAt === null ? null : Math.max(row.endedAt - row.startedAt, 0),
  error,
})

export const jobSummary = z
  .object({
    queued_count: z.int(),
    running_count: z.int(),
    completed_count: z.int().describe('ended in success within the window'),
    failed_count: z.int(),
    canceled_count: z.int(),
    by_tag: z.array(z.object({ tag: z.string(), queued: z.int(), running: z.int() })),
    by_app: z.array(
      z.object({
        app: z.string(),
        queued: z.int(),
        running: z.int(),
        completed: z.int(),
        failed: z.int(),
        canceled: z.int(),
      }),
    ),
    recent_seconds: z.int(),
  })
  .openapi('JobSummary')

export const jobTimeline = z
  .object({
    bucket_seconds: z.int(),
    buckets: z.array(
      z.object({
        at: timestamp.describe('when the bucket begins; the last one is not over yet'),
        completed: z.int(),
        failed: z.int(),
        canceled: z.int(),
      }),
    ),
  })
  .openapi('JobTimeline')

export const toWireTimeline = ({ pieceMs, pieces }: JobTimeline) => ({
  bucket_seconds: pieceMs / 1_000,
  buckets: pieces.map(({ at, success, failure, canceled }) => ({
    at: toTimestamp(at),
    completed: success,
    failed: failure,
    canceled,
  })),
})

export const toWireSummary = (summary: JobSummary, recentSeconds: number) => ({
  queued_count: summary.queuedCount,
  running_count: summary.runningCount,
  completed_count: summary.completedCount,
  failed_count: summary.failedCount,
  canceled_count: summary.canceledCount,
  by_tag: summary.byTag,
  by_app: summary.byApp,
  recent_seconds: recentSeconds,
})
