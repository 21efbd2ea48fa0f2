/**
 * GET  /api/w/{ws}/flow-runs
 * GET  /api/w/{ws}/flow-runs/{id}
 * GET  /api/w/{ws}/flow-runs/{id}/events
 * GET  /api/w/{ws}/flow-runs/{id}/graph
 * POST /api/w/{ws}/flow-runs/{id}/cancel
 * POST /api/w/{ws}/flow-runs/{id}/restart
 */
import { notFound } from '#core/error.ts'
import { flowGraph } from '#core/flow/graph.ts'
import { RUN_STATUSES, type RunStatus } from '#core/flow/run.ts'
import type { Deps } from '#service/deps.ts'
import { cancelRun } from '#service/flows/cancel-run.ts'
import type { WithFlows } from '#service/flows/engine.ts'
import { type RunDetail, readRun } from '#service/flows/read-run.ts'
import { restartRun } from '#service/flows/restart-run.ts'
import type { StartDeps } from '#service/flows/start-run.ts'
import { listFlowRuns } from '#store/flow-run-list.ts'
import { findRunProgress } from '#store/flow-run-progress.ts'
import { toEventStream } from '../event-stream.ts'
import { problem, type Route, reply, route } from '../route.ts'
import {
  flowRun,
  flowRunDetail,
  flowStarted,
  toWireFlowRun,
  toWireFlowRunDetail,
} from '../schemas/flows.ts'
import { jobParams, toRowId } from '../schemas/job-id.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { timeQuery } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'
import { followFlowRun } from './follow-flow-run.ts'

const STATUS_FILTERS = ['all', 'open', 'over', ...RUN_STATUSES] as const

const toStatuses = (filter: (typeof STATUS_FILTERS)[number]): readonly RunStatus[] => {
  if (filter === 'all') return []
  if (filter === 'open') return ['running', 'waiting_approval']
  return filter === 'over' ? ['completed', 'failed', 'canceled'] : [filter]
}

const listQuery = pageQuery.extend({
  status: z.enum(STATUS_FILTERS).default('all'),
  app: z.string().max(200).optional(),
  flow: z.string().max(200).optional(),
  since: timeQuery.optional().describe('created at or after'),
  until: timeQuery.optional().describe('created at or before'),
})

const cancelBody = z.strictObject({ reason: z.string().max(1_000).optional() }).optional()

const restartBody = z.strictObject({
  from_step: z.string().min(1).max(200),
  commit: z.literal('latest').optional().describe('default: the commit that the run was pinned to'),
})

const unknown = { 404: problem('Unknown id') }

export const toRunId = (id: string): string => toRowId(id, 'Flow run')

/** @throws {AppError} not_found */
export const requireRun = async (
  deps: Pick<Deps, 'db' | 'keyring'> & WithFlows,
  ws: string,
  id: string,
): Promise<RunDetail> => {
  const run = await readRun(deps, ws, id)
  if (run === null) throw notFound('Flow run')
  return run
}

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

const toWireGraph = ({ definition, steps }: RunDetail) => {
  const statuses = new Map(steps.map(({ key, status }) => [key, status]))
  const { nodes, edges } = flowGraph(definition, statuses)
  return {
    nodes,
    edges: edges.map(({ isFailure, ...edge }) => ({ ...edge, is_failure: isFailure })),
  }
}

export const flowRunRoutes = (deps: StartDeps & Pick<Deps, 'reads'>): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/flow-runs',
    operationId: 'listFlowRuns',
    scope: 'flows:read',
    tag: 'Flows',
    summary: 'Flow runs, newest first; keep the filters while paging',
    query: listQuery,
    responses: {
      200: { description: 'A page', schema: pageOf(flowRun) },
      400: problem('Bad filter or cursor'),
    },
    handler: async ({ ws, query }) => {
      const { limit } = query
      const rows = await listFlowRuns(deps.reads, ws, {
        statuses: toStatuses(query.status),
        app: query.app ?? null,
        flow: query.flow ?? null,
        since: query.since ?? null,
        until: query.until ?? null,
        beforeId: decodeCursor(query.cursor),
        limit: limit + 1,
      })
      return reply(200, toPage(rows, limit, { toItem: toWireFlowRun, keyOf: ({ id }) => id }))
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/flow-runs/{id}',
    operationId: 'getFlowRun',
    scope: 'flows:read',
    tag: 'Flows',
    summary: 'A flow run with the state of each step',
    params: jobParams,
    responses: { 200: { description: 'The run', schema: flowRunDetail }, ...unknown },
    handler: async ({ ws, params: { id } }) =>
      reply(200, toWireFlowRunDetail(await requireRun(deps, ws, toRunId(id)))),
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/flow-runs/{id}/events',
    operationId: 'streamFlowRunEvents',
    scope: 'flows:read',
    tag: 'Flows',
    summary: 'Each status of a flow run and of its steps until its end, as server-sent events',
    params: jobParams,
    responses: {
      200: { description: 'Events `status` and `step`', contentType: 'text/event-stream' },
      ...unknown,
    },
    handler: async ({ ws, params, signal }) => {
      const id = toRunId(params.id)
      if ((await findRunProgress(deps.db, ws, id)) === null) throw notFound('Flow run')
      return toEventStream(signal, (until) => followFlowRun(deps, { ws, id, signal: until }))
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/flow-runs/{id}/graph',
    operationId: 'getFlowRunGraph',
    scope: 'flows:read',
    tag: 'Flows',
    summary: 'A flow run as nodes and arrows, for a picture',
    params: jobParams,
    responses: { 200: { description: 'The graph', schema: graph }, ...unknown },
    handler: async ({ ws, params: { id } }) =>
      reply(200, toWireGraph(await requireRun(deps, ws, toRunId(id)))),
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/flow-runs/{id}/cancel',
    operationId: 'cancelFlowRun',
    scope: 'flows:run',
    tag: 'Flows',
    summary: 'Cancel a flow run with all that is under way for it; one that is over stays as it is',
    params: jobParams,
    body: cancelBody,
    bodyKind: 'optional_json',
    responses: {
      200: { description: 'The run', schema: flowRunDetail },
      403: problem('Neither the creator nor an admin'),
      ...unknown,
    },
    handler: async ({ ws, params, body, principal }) => {
      const id = toRunId(params.id)
      await cancelRun(deps, {
        ws,
        id,
        caller: principal,
        reason: body?.reason ?? null,
      })
      return reply(200, toWireFlowRunDetail(await requireRun(deps, ws, id)))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/flow-runs/{id}/restart',
    operationId: 'restartFlowRun',
    scope: 'flows:run',
    rate: 'run',
    tag: 'Flows',
    summary: 'Run again from a step, with what the steps before it had found',
    params: jobParams,
    body: restartBody,
    responses: {
      201: { description: 'The new run', schema: flowStarted },
      400: problem('No such step, or one before it did not end well'),
      ...unknown,
      409: problem('The run is not over'),
    },
    handler: async ({ ws, params, body, principal }) => {
      const runId = await restartRun(deps, {
        ws,
        id: toRunId(params.id),
        fromStep: body.from_step,
        latest: body.commit === 'latest',
        by: principal.identity,
      })
      return reply(201, { flow_run_id: runId })
    },
  }),
]
