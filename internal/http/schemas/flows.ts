/** Flows, their runs and links on the wire [flows 7]. */
import { FORM_FIELD_TYPES } from '#core/flow/approval/form-field.ts'
import { listKinds } from '#core/flow/kinds.ts'
import { OVER_STATUSES, RUN_STATUSES, STEP_STATUSES } from '#core/flow/run.ts'
import { FLOW_TRIGGER_KINDS } from '#core/job/trigger-kind.ts'
import { storedEnum, time } from '../wire.ts'
import { creatorName } from './creator.ts'
import { errorSummary, eventWaits } from './jobs.ts'
import { jsonDocument, jsonValue, z } from './z.ts'

export const flowStarted = z.object({ flow_run_id: z.uuid() }).openapi('FlowStarted')

const outcome = {
  result: jsonValue.describe('of the last step, once the run is completed'),
  error: jsonValue.describe('`{name, message}` of a run that failed or was canceled'),
}

export const flowFinished = flowStarted
  .extend({ status: z.enum(OVER_STATUSES), ...outcome })
  .openapi('FlowFinished')

export const flowPending = flowStarted
  .extend({ status: z.literal('pending') })
  .openapi('FlowPending')

export const flow = z
  .object({
    app: z.string(),
    key: z.string(),
    commit: z.string(),
    has_approval: z.boolean(),
    definition: jsonDocument.describe('as in the manifest, with its defaults'),
  })
  .openapi('Flow')

const position = z.object({ index: z.int(), key: z.string() }).nullable()

export const flowRun = z
  .object({
    id: z.uuid(),
    flow_run_id: z.uuid(),
    app: z.string(),
    flow: z.string(),
    status: z.enum(RUN_STATUSES),
    trigger_kind: storedEnum(FLOW_TRIGGER_KINDS),
    created_by: z.string(),
    created_by_name: creatorName,
    permissioned_as: z.string(),
    commit: z.string(),
    current_step: position.describe('null before a scheduled start, and once the run is over'),
    scheduled_for: time.nullable().describe('when the run starts; null once it has'),
    waiting_for: z
      .object({ reason: z.literal('concurrency'), detail: z.string() })
      .nullable()
      .describe('why the run has not begun although its time has come; null once it has begun'),
    parent_run_id: z.uuid().nullable().describe('of a subflow'),
    restarted_from: z.uuid().nullable(),
    created_at: time,
    completed_at: time.nullable(),
    dismissed_at: time.optional().describe('when the failure was dismissed'),
    dismissed_by: z.string().optional(),
    labels: z.array(z.string()).describe('by `labels` of its flow'),
    error_summary: errorSummary,
  })
  .openapi('FlowRun')

const approval = z.object({
  approver: z.string(),
  decision: z.enum(['approve', 'reject']),
  values: jsonValue,
  reason: z.string().nullable(),
  via: z.string().describe('session, api_token or link'),
  at: time,
})

/** What an approval shows [flows 9.14]. */
export const shownFields = {
  title: z.string().nullable().describe('null: the step has none'),
  description: z.string().nullable(),
  show: z.array(z.object({ label: z.string(), value: jsonValue })),
}

const ms = z.int().nullable()

const STEP_KINDS = [...listKinds().map(({ name }) => name), 'undo', 'failure_module'] as const

const flowRunStep = z.object({
  key: z.string(),
  kind: z.enum(STEP_KINDS),
  status: z.enum(STEP_STATUSES),
  attempt: z.int(),
  max_attempts: z.int(),
  job_ids: z.array(z.uuid()),
  flow_run_ids: z.array(z.uuid()).optional().describe('of a subflow step'),
  result: jsonValue,
  error: jsonValue,
  started_at: time.nullable(),
  completed_at: time.nullable(),
  queue_wait_ms: ms.describe('until a worker took the first job'),
  execution_ms: ms.describe('from then to the end of the step'),
  human_wait_ms: ms.describe('of an approval, until it was answered'),
  approvals: z.array(approval).optional(),
  shown: z.object(shownFields).optional().describe('of an approval that shows something'),
  arms: z
    .array(z.object({ key: z.string(), status: z.enum(STEP_STATUSES) }))
    .optional()
    .describe(
      'of a branch, without those whose jobs were deleted before it is known; `skipped`: the run went another way',
    ),
  items: z
    .object({
      total: z
        .int()
        .describe('all; after a step that ended early, those that had begun or could not begin'),
      done: z.int().describe('those that have ended'),
      failed: z.int().describe('of these, those that failed or were canceled'),
    })
    .optional()
    .describe('of a loop that has begun'),
})

export const flowRunDetail = flowRun
  .extend({
    input: jsonValue,
    ...outcome,
    ends_as: z
      .enum(['failed', 'canceled'])
      .nullable()
      .describe('how the run will end, while undo and the failure module run; else null'),
    steps: z.array(flowRunStep),
    event_waits: eventWaits,
    definition: jsonDocument.describe('the one that the run is pinned to'),
  })
  .openapi('FlowRunDetail')

export const formField = z.object({
  key: z.string(),
  label: z.string(),
  type: z.enum(FORM_FIELD_TYPES),
  required: z.boolean(),
  options: z.array(z.string()).optional(),
})

export const flowLink = z
  .object({
    id: z.uuid(),
    link_id: z.uuid(),
    app: z.string(),
    flow: z.string(),
    token_prefix: z.string(),
    max_uses: z.int(),
    uses: z.int(),
    public_form: z.array(formField),
    active: z.boolean().describe('neither expired nor revoked nor used up'),
    expires_at: time,
    revoked_at: time.nullable(),
    created_by: z.string(),
    created_at: time,
  })
  .openapi('FlowLink')
