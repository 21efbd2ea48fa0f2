/**
 * GET  /api/w/{ws}/approvals
 * POST /api/w/{ws}/flow-runs/{id}/approve
 * POST /api/w/{ws}/flow-runs/{id}/reject
 */
import type { Principal } from '#core/access/principal.ts'
import type { Deps } from '#service/deps.ts'
import { type AnswerRequest, answerApproval } from '#service/flows/answer-approval.ts'
import type { FlowDeps } from '#service/flows/load-run.ts'
import { listWaiting, type WaitingRun } from '#service/flows/waiting-runs.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { flowRunDetail, formField, toWireFlowRunDetail } from '../schemas/flows.ts'
import { jobParams } from '../schemas/job-id.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { toTimestamp, toTimestampOrNull } from '../schemas/time.ts'
import { jsonValue, z } from '../schemas/z.ts'
import { requireRun, toRunId } from './flow-runs.ts'

const step = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('the step that is meant; a run that waits at another one answers 409')

const approveBody = z
  .strictObject({ values: z.record(z.string(), jsonValue).default({}), step })
  .optional()
const rejectBody = z.strictObject({ reason: z.string().max(1_000).optional(), step }).optional()

const refusals = {
  403: problem('The requester’s own run, and the step does not allow that'),
  404: problem('Unknown id'),
  409: problem('The run waits for no answer, or this person has given one'),
}

const waitingRun = z
  .object({
    flow_run_id: z.uuid(),
    app: z.string(),
    flow: z.string(),
    step: z.string(),
    created_by: z.string(),
    waiting_since: z.string(),
    expires_at: z.string().nullable(),
    required_events: z.int(),
    approved_by: z.array(z.string()),
    resume_form: z.array(formField),
    may_answer: z.boolean().describe('whether the caller may approve it'),
  })
  .openapi('WaitingApproval')

const toWireWaiting = (run: WaitingRun) => ({
  flow_run_id: run.id,
  app: run.app,
  flow: run.flow,
  step: run.step,
  created_by: run.createdBy,
  waiting_since: toTimestamp(run.waitingSince),
  expires_at: toTimestampOrNull(run.expiresAt),
  required_events: run.requiredEvents,
  approved_by: run.approvedBy,
  resume_form: run.form,
  may_answer: run.mayAnswer,
})

const answerer = (principal: Principal): Pick<AnswerRequest, 'approver' | 'via'> => ({
  approver: principal.identity,
  via: principal.kind === 'session' ? 'session' : 'api_token',
})

export const approvalRoutes = (deps: FlowDeps & Pick<Deps, 'reads'>): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/approvals',
    operationId: 'listApprovals',
    scope: 'flows:read',
    tag: 'Flows',
    summary: 'Runs that wait for an approval, newest first; mine=true: those that wait for me',
    query: pageQuery.extend({ mine: z.enum(['true', 'false']).default('false') }),
    responses: {
      200: { description: 'A page', schema: pageOf(waitingRun) },
      400: problem('Bad cursor'),
    },
    handler: async ({ ws, query: { limit, cursor, mine }, principal }) => {
      const rows = await listWaiting(deps, ws, {
        approver: principal.identity,
        mine: mine === 'true',
        beforeId: decodeCursor(cursor),
        limit: limit + 1,
      })
      return reply(200, toPage(rows, limit, { toItem: toWireWaiting, keyOf: ({ id }) => id }))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/flow-runs/{id}/approve',
    operationId: 'approveFlowRun',
    scope: 'flows:resume',
    tag: 'Flows',
    summary: 'Approve the step at which a run waits',
    params: jobParams,
    body: approveBody,
    bodyKind: 'optional_json',
    responses: {
      200: { description: 'The run', schema: flowRunDetail },
      400: problem('The form is not filled in as the step needs it'),
      ...refusals,
    },
    handler: async ({ ws, params, body, principal }) => {
      const id = toRunId(params.id)
      const { values = {}, step: meant } = body ?? {}
      const answer = { kind: 'approve', values } as const
      const named = meant === undefined ? {} : { step: meant }
      await answerApproval(deps, { ws, id, ...answerer(principal), answer, ...named })
      return reply(200, toWireFlowRunDetail(await requireRun(deps, ws, id)))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/flow-runs/{id}/reject',
    operationId: 'rejectFlowRun',
    scope: 'flows:resume',
    tag: 'Flows',
    summary: 'Reject the step at which a run waits: the run fails',
    params: jobParams,
    body: rejectBody,
    bodyKind: 'optional_json',
    responses: { 200: { description: 'The run', schema: flowRunDetail }, ...refusals },
    handler: async ({ ws, params, body, principal }) => {
      const id = toRunId(params.id)
      const { reason = null, step: meant } = body ?? {}
      const answer = { kind: 'reject', reason } as const
      const named = meant === undefined ? {} : { step: meant }
      await answerApproval(deps, { ws, id, ...answerer(principal), answer, ...named })
      return reply(200, toWireFlowRunDetail(await requireRun(deps, ws, id)))
    },
  }),
]
