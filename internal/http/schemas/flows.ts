/** Flows, their runs and links on the wire [flows 7]. */
import { FORM_FIELD_TYPES } from '#core/flow/approval/form-field.ts'
import { asksPeople } from '#core/flow/kinds.ts'
import { isRunOver, RUN_STATUSES, STEP_STATUSES } from '#core/flow/run.ts'
import type { CurrentFlow } from '#service/flows/find-flow.ts'
import type { RunDetail, StepDetail } from '#service/flows/read-run.ts'
import type { FlowLink } from '#store/flow-links.ts'
import type { FlowRunRow } from '#store/flow-run-list.ts'
import { toTimestamp, toTimestampOrNull } from './time.ts'
import { jsonValue, z } from './z.ts'

const timestamp = z.iso.datetime()

export const flowTarget = z.object({ ws: z.string(), app: z.string(), flow: z.string() })

const FLOW_TRIGGER_KINDS = ['api', 'webhook', 'schedule', 'public', 'subflow'] as const

export const flowStarted = z.object({ flow_run_id: z.uuid() }).openapi('FlowStarted')

export const flow = z
  .object({
    app: z.string(),
    key: z.string(),
    commit: z.string(),
    has_approval: z.boolean(),
    definition: jsonValue.describe('as in the manifest, with its defaults'),
  })
  .openapi('Flow')

export const toWireFlow = ({ app, commit, definition }: CurrentFlow) => ({
  app,
  key: definition.key,
  commit,
  has_approval: definition.steps.some(asksPeople),
  definition,
})

const position = z.object({ index: z.int(), key: z.string() }).nullable()

export const flowRun = z
  .object({
    id: z.uuid(),
    flow_run_id: z.uuid(),
    app: z.string(),
    flow: z.string(),
    status: z.enum(RUN_STATUSES),
    trigger_kind: z.enum(FLOW_TRIGGER_KINDS),
    created_by: z.string(),
    permissioned_as: z.string(),
    commit: z.string(),
    current_step: position.describe('null once the run is over'),
    parent_run_id: z.uuid().nullable().describe('of a subflow'),
    restarted_from: z.uuid().nullable(),
    created_at: timestamp,
    completed_at: timestamp.nullable(),
  })
  .openapi('FlowRun')

export const toWireFlowRun = (row: FlowRunRow) => ({
  id: row.id,
  flow_run_id: row.id,
  app: row.app,
  flow: row.flow,
  status: row.status,
  trigger_kind: row.triggerKind,
  created_by: row.createdBy,
  permissioned_as: row.permissionedAs,
  commit: row.commit,
  current_step:
    isRunOver(row.status) || row.stepKey === null
      ? null
      : { index: row.stepIndex, key: row.stepKey },
  parent_run_id: row.parentRunId,
  restarted_from: row.restartedFrom,
  created_at: toTimestamp(row.createdAt),
  completed_at: toTimestampOrNull(row.completedAt),
})

const approval = z.object({
  approver: z.string(),
  decision: z.enum(['approve', 'reject']),
  values: jsonValue,
  reason: z.string().nullable(),
  via: z.string().describe('session, api_token or link'),
  at: timestamp,
})

const ms = z.int().nullable()

const flowRunStep = z.object({
  key: z.string(),
  kind: z.string(),
  status: z.enum(STEP_STATUSES),
  attempt: z.int(),
  max_attempts: z.int(),
  job_ids: z.array(z.uuid()),
  flow_run_ids: z.array(z.uuid()).optional().describe('of a subflow step'),
  result: jsonValue,
  error: jsonValue,
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  queue_wait_ms: ms.describe('until a worker took the first job'),
  execution_ms: ms.describe('from then to the end of the step'),
  human_wait_ms: ms.describe('of an approval, until it was answered'),
  approvals: z.array(approval).optional(),
  arms: z
    .array(z.object({ key: z.string(), status: z.enum(STEP_STATUSES) }))
    .optional()
    .describe('of a branch; `skipped`: the run went another way'),
})

export const flowRunDetail = flowRun
  .extend({
    input: jsonValue,
    result: jsonValue.describe('of the last step, once the run is completed'),
    error: jsonValue.describe('`{name, message}` of a run that failed or was canceled'),
    steps: z.array(flowRunStep),
    definition: jsonValue.describe('the one that the run is pinned to'),
  })
  .openapi('FlowRunDetail')

const toWireStep = (step: StepDetail) => ({
  key: step.key,
  kind: step.kind,
  status: step.status,
  attempt: step.attempt,
  max_attempts: step.maxAttempts,
  job_ids: step.jobIds,
  ...(step.flowRunIds === null ? {} : { flow_run_ids: step.flowRunIds }),
  result: step.result,
  error: step.error,
  started_at: toTimestampOrNull(step.startedAt),
  completed_at: toTimestampOrNull(step.completedAt),
  queue_wait_ms: step.queueWaitMs,
  execution_ms: step.executionMs,
  human_wait_ms: step.humanWaitMs,
  ...(step.approvals === null
    ? {}
    : { approvals: step.approvals.map((each) => ({ ...each, at: toTimestamp(each.at) })) }),
  ...(step.arms === null ? {} : { arms: [...step.arms] }),
})

export const toWireFlowRunDetail = ({ run, definition, current, ...detail }: RunDetail) => ({
  id: run.id,
  flow_run_id: run.id,
  app: run.app,
  flow: run.flow,
  status: run.status,
  trigger_kind: run.triggerKind,
  created_by: run.createdBy,
  permissioned_as: run.permissionedAs,
  commit: run.commit,
  current_step: current,
  parent_run_id: run.parentRunId,
  restarted_from: run.restartedFrom,
  created_at: toTimestamp(run.createdAt),
  completed_at: toTimestampOrNull(run.completedAt),
  input: detail.input,
  result: detail.result,
  error: detail.error,
  steps: detail.steps.map(toWireStep),
  definition,
})

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
    expires_at: timestamp,
    revoked_at: timestamp.nullable(),
    created_by: z.string(),
    created_at: timestamp,
  })
  .openapi('FlowLink')

export const toWireFlowLink = (link: FlowLink) => ({
  id: link.id,
  link_id: link.id,
  app: link.app,
  flow: link.flow,
  token_prefix: link.prefix,
  max_uses: link.maxUses,
  uses: link.uses,
  public_form: JSON.parse(link.formJson),
  active: !link.hasEnded,
  expires_at: toTimestamp(link.expiresAt),
  revoked_at: toTimestampOrNull(link.revokedAt),
  created_by: link.createdBy,
  created_at: toTimestamp(link.createdAt),
})
