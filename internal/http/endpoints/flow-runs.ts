import { RUN_STATUSES } from '#core/flow/run.ts'
import { MAX_BULK_RUNS, OPERATION_KINDS } from '#core/job/operation.ts'
import { json, media, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { flagQuery } from '../schemas/flag.ts'
import { flowRun, flowRunDetail, flowStarted } from '../schemas/flows.ts'
import { labelQuery } from '../schemas/label.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { cancelBody, dismissalBody, dismissalsBody } from '../schemas/shared-bodies.ts'
import { timeQuery } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

const STATUS_FILTERS = ['all', 'open', 'over', ...RUN_STATUSES] as const

const listQuery = pageQuery.extend({
  status: z.enum(STATUS_FILTERS).default('all'),
  app: z.string().max(200).optional(),
  flow: z.string().max(200).optional(),
  since: timeQuery.optional().describe('created at or after'),
  until: timeQuery.optional().describe('created at or before'),
  dismissed: flagQuery.optional().describe('dismissed failures; false leaves them out'),
  label: labelQuery.optional().describe('runs with this label'),
})

const restartBody = z.strictObject({
  from_step: z.string().min(1).max(200),
  commit: z.literal('latest').optional().describe('default: the commit that the run was pinned to'),
})

const unknown = { 404: problem('Unknown id') }

const graph = z
  .object({
    nodes: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        label: z.string(),
        target: z.string().nullable(),
        status: z.string().optional(),
      }),
    ),
    edges: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        label: z.string().nullable(),
        is_failure: z.boolean(),
      }),
    ),
  })
  .openapi('FlowGraph')

export const flowRunEndpoints = {
  listFlowRuns: endpoint({
    method: 'get',
    path: '/flow-runs',
    in: 'workspace',
    admits: ['flows:read'],
    tag: 'Flows',
    summary: 'Flow runs, newest first; keep the filters while paging',
    query: listQuery,
    answers: { 200: json('A page', pageOf(flowRun)), 400: problem('Bad filter or cursor') },
  }),
  getFlowRun: endpoint({
    method: 'get',
    path: '/flow-runs/{id}',
    in: 'workspace',
    admits: ['flows:read'],
    tag: 'Flows',
    summary: 'A flow run with the state of each step',
    answers: { 200: json('The run', flowRunDetail), ...unknown },
  }),
  streamFlowRunEvents: endpoint({
    method: 'get',
    path: '/flow-runs/{id}/events',
    in: 'workspace',
    admits: ['flows:read'],
    tag: 'Flows',
    summary: 'Each status of a flow run and of its steps until its end, as server-sent events',
    answers: { 200: media('text/event-stream', 'Events `status` and `step`'), ...unknown },
  }),
  getFlowRunGraph: endpoint({
    method: 'get',
    path: '/flow-runs/{id}/graph',
    in: 'workspace',
    admits: ['flows:read'],
    tag: 'Flows',
    summary: 'A flow run as nodes and arrows, for a picture',
    answers: { 200: json('The graph', graph), ...unknown },
  }),
  cancelFlowRun: endpoint({
    method: 'post',
    path: '/flow-runs/{id}/cancel',
    in: 'workspace',
    admits: ['flows:run'],
    tag: 'Flows',
    summary: 'Cancel a flow run with its running jobs; a run that has ended does not change',
    body: cancelBody,
    bodyKind: 'optional_json',
    answers: {
      200: json('The run', flowRunDetail),
      403: problem('Neither the creator nor an admin'),
      ...unknown,
    },
  }),
  dismissFlowRun: endpoint({
    method: 'post',
    path: '/flow-runs/{id}/dismiss',
    in: 'workspace',
    admits: ['flows:run'],
    tag: 'Flows',
    summary: 'Dismiss a failed flow run, or restore it',
    body: dismissalBody,
    bodyKind: 'optional_json',
    answers: {
      200: json('The run', flowRunDetail),
      403: problem('Neither the creator nor an admin'),
      ...unknown,
      409: problem('The run has not failed (`not_failed`)'),
    },
  }),
  dismissFlowRuns: endpoint({
    method: 'post',
    path: '/flow-runs/dismiss',
    in: 'workspace',
    admits: ['flows:run'],
    tag: 'Flows',
    summary: 'Dismiss failed flow runs, or restore them; members only their own',
    body: dismissalsBody,
    answers: { 200: json('How many were changed', z.object({ changed: z.int() })) },
  }),
  actOnFlowRuns: endpoint({
    method: 'post',
    path: '/flow-runs/bulk',
    in: 'workspace',
    admits: ['flows:run'],
    rate: 'run',
    isIdempotentByKey: true,
    tag: 'Flows',
    summary:
      'Cancel open flow runs, or replay ended ones from their first step with the same input and code; members act on their own runs',
    body: z.strictObject({
      do: z.enum(OPERATION_KINDS),
      ids: z.array(z.uuid()).min(1).max(MAX_BULK_RUNS),
    }),
    answers: {
      200: json(
        'How many were canceled or replayed, and how many refused',
        z.object({ done: z.int(), failed: z.int() }),
      ),
    },
  }),
  restartFlowRun: endpoint({
    method: 'post',
    path: '/flow-runs/{id}/restart',
    in: 'workspace',
    admits: ['flows:run'],
    rate: 'run',
    isIdempotentByKey: true,
    tag: 'Flows',
    summary: 'Run again from a step, with what the steps before it had found',
    body: restartBody,
    answers: {
      201: json('The new run', flowStarted),
      400: problem('No such step, or one before it did not end well'),
      403: problem('Neither the creator nor an admin; `tag_not_allowed`'),
      404: problem('Unknown id, or its app was deleted (`app_not_found`)'),
      409: problem('The run is not over, or the Idempotency-Key was used with another body'),
    },
  }),
}
