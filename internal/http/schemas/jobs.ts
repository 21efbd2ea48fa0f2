/** Jobs on the wire [jobs 2.1, 5]. */

import { STEP_KINDS, STEP_STATUSES, WAIT_KINDS } from '#core/durable/step.ts'
import { ATTEMPT_OUTCOMES } from '#core/job/attempt.ts'
import { JOB_STATUSES, TERMINAL_STATUSES } from '#core/job/transitions.ts'
import { TRIGGER_KINDS } from '#core/job/trigger-kind.ts'
import { WAIT_REASONS } from '#core/job/waiting-for.ts'
import { storedEnum, time } from '../wire.ts'
import { creatorName } from './creator.ts'
import { jsonValue, z } from './z.ts'

export const jobAccepted = z.object({ job_id: z.uuid() }).openapi('JobAccepted')

export const jobPending = z
  .object({ job_id: z.uuid(), status: z.literal('pending') })
  .openapi('JobPending')

export const resultPending = z.object({ status: z.literal('pending') }).openapi('ResultPending')

export const jobResult = z
  .object({ status: z.enum(TERMINAL_STATUSES), result: jsonValue })
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

const jobSuspension = z
  .object({
    kind: z.enum(WAIT_KINDS),
    name: z.string().describe('of the durable step'),
    until: time.nullable().describe('when it is over at the latest; null for a called job'),
  })
  .describe('what a suspended job waits for; null for any other')

export const eventWaits = z
  .array(
    z.object({
      step: z.string().describe('name of the durable step, or key of the step of the flow'),
      name: z.string().describe('of the event'),
      key: z.string().nullable(),
      until: time.nullable(),
    }),
  )
  .optional()
  .describe('events that it waits for; only for callers who may send them')

export const errorSummary = z
  .object({ name: z.string(), message: z.string() })
  .optional()
  .describe(
    'only in lists, of a failure: with the first line of its message, cut at 300 characters',
  )

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
    trigger_kind: storedEnum(TRIGGER_KINDS),
    created_by: z.string(),
    created_by_name: creatorName,
    permissioned_as: z.string(),
    commit: z.string(),
    entrypoint: z.string(),
    worker: z.string().nullable(),
    created_at: time,
    scheduled_for: time,
    start_by: time
      .nullable()
      .describe(
        'by when it must start, or it is canceled; null without `startTimeoutS` of its action',
      ),
    started_at: time.nullable(),
    completed_at: time.nullable(),
    duration_ms: z.int().nullable(),
    customer_id: z.uuid().optional().describe('only of jobs that a customer key started'),
    flow_run_id: z.uuid().optional(),
    flow: z.string().optional().describe('the flow of that run'),
    flow_step: z.string().optional(),
    progress: z
      .object({ fraction: z.number().min(0).max(1), note: z.string().nullable() })
      .optional()
      .describe('what the job has shown by ctx.progress'),
    suspended: jobSuspension.nullable(),
    replay_of: z.uuid().optional().describe('the job that it replays'),
    dismissed_at: time.optional().describe('when the failure was dismissed'),
    dismissed_by: z.string().optional(),
    labels: z.array(z.string()).describe('by `labels` of its action'),
    error_summary: errorSummary,
  })
  .openapi('Job')

export const jobDetail = job
  .extend({
    result: jsonValue.describe('null until the job has ended'),
    input: jsonValue.optional().describe('only for the creator of the job and for admins'),
    deployment_id: z.uuid().describe('whose code it runs'),
    waiting_for: z
      .object({ reason: z.enum(WAIT_REASONS), detail: z.string() })
      .nullable()
      .describe('why a queued job does not run yet; null when it runs or has ended'),
    event_waits: eventWaits,
  })
  .openapi('JobDetail')

export const jobAttempt = z
  .object({
    attempt: z.int(),
    outcome: z
      .enum(ATTEMPT_OUTCOMES)
      .describe('worker_lost: its worker stopped answering; handed_back: its worker was stopped'),
    worker: z.string().nullable(),
    started_at: time,
    ended_at: time.nullable(),
    duration_ms: z.int().nullable(),
    error: jsonValue.describe('`{name, message}`, null when there is none'),
  })
  .openapi('JobAttempt')

export const jobStep = z
  .object({
    name: z.string(),
    kind: z.enum(STEP_KINDS),
    status: z.enum(STEP_STATUSES),
    attempts: z.int(),
    started_at: time,
    completed_at: time.nullable(),
    until: time.nullable().describe('while it runs: when it is over or tried again at the latest'),
    child_job_id: z.uuid().nullable().describe('the called job'),
    child_flow_run_id: z.uuid().nullable().describe('the called flow run'),
    timed_out: z
      .boolean()
      .optional()
      .describe('of an event wait that ended: no event came in time'),
    result: jsonValue.optional().describe('only for those who may see the input of the job'),
    error: jsonValue.optional().describe('`{name, message, code?}`, for the same people'),
  })
  .openapi('JobStep')

export const jobSummary = z
  .object({
    queued_count: z.int().describe('without suspended jobs'),
    suspended_count: z.int().describe('jobs that wait for a durable step'),
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
        at: time.describe('when the bucket begins; the last one is not over yet'),
        completed: z.int(),
        failed: z.int(),
        canceled: z.int(),
      }),
    ),
  })
  .openapi('JobTimeline')

const figure = z
  .int()
  .nullable()
  .describe('in milliseconds; null where no job of the sample has one')

export const jobFigures = z
  .object({
    bucket_seconds: z.int(),
    buckets: z.array(
      z.object({
        at: time.describe('when the bucket begins; the last one is not over yet'),
        runs: z.int().describe('jobs that were queued in it, at most 5000'),
        failures: z.int(),
        estimated: z.boolean().describe('the times come from its newest jobs'),
        truncated: z.boolean().describe('it may have more jobs than were counted'),
        wait_p50_ms: figure,
        wait_p95_ms: figure,
        duration_p50_ms: figure,
        duration_p95_ms: figure,
      }),
    ),
  })
  .openapi('JobFigures')
