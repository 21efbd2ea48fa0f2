import { holdsScope } from '#core/access/policy.ts'
import { notFound } from '#core/error.ts'
import { flowGraph } from '#core/flow/graph.ts'
import { kindAt } from '#core/flow/position.ts'
import { isRunOver, RUN_STATUSES, type RunStatus } from '#core/flow/run.ts'
import type { Deps } from '#service/deps.ts'
import { cancelRun } from '#service/flows/cancel-run.ts'
import { dismissRun, dismissRuns } from '#service/flows/dismiss-runs.ts'
import type { FlowDeps } from '#service/flows/engine.ts'
import { type RunOutline, readOutline } from '#service/flows/read-run.ts'
import { restartRun } from '#service/flows/restart-run.ts'
import { actOnRuns } from '#service/flows/run-bulk.ts'
import { listWaitsOf } from '#store/events/waits.ts'
import { listFlowRuns } from '#store/flows/run-list.ts'
import { findRunStatus } from '#store/flows/run-progress.ts'
import { ok } from '../answer.ts'
import type { InputOf } from '../endpoint.ts'
import { flowRunEndpoints } from '../endpoints/flow-runs.ts'
import { toEventStream } from '../event-stream.ts'
import { givenReason } from '../given-reason.ts'
import { handlers } from '../handlers.ts'
import { requireRun, toRunId } from '../require-run.ts'
import { accepted, idempotencyOf } from '../run-request.ts'
import { pageBefore, paginate } from '../schemas/page.ts'
import { toFlowRun, toFlowRunDetail } from '../views/flows.ts'
import { toEventWaits } from '../views/jobs.ts'
import { followFlowRun } from './follow-flow-run.ts'

const toStatuses = (
  filter: InputOf<typeof flowRunEndpoints.listFlowRuns>['query']['status'],
): readonly RunStatus[] => {
  if (filter === 'all') return []
  if (filter !== 'open' && filter !== 'over') return [filter]
  return RUN_STATUSES.filter((status) => isRunOver(status) === (filter === 'over'))
}

const toGraph = ({ definition, steps }: RunOutline) => {
  const isUndo = ({ index }: (typeof steps)[number]) => kindAt(definition, index) === 'undo'
  const statusesOf = (shown: typeof steps) => new Map(shown.map(({ key, status }) => [key, status]))
  return flowGraph(definition, {
    steps: statusesOf(steps.filter((step) => !isUndo(step))),
    undo: statusesOf(steps.filter(isUndo)),
  })
}

export const flowRunRoutes = handlers(flowRunEndpoints, (deps: FlowDeps & Pick<Deps, 'reads'>) => ({
  listFlowRuns: async ({ ws, query }) => {
    const rows = await listFlowRuns(deps.reads, ws, {
      statuses: toStatuses(query.status),
      app: query.app ?? null,
      flow: query.flow ?? null,
      since: query.since ?? null,
      until: query.until ?? null,
      isDismissed: query.dismissed ?? null,
      label: query.label ?? null,
      ...pageBefore(query),
    })
    return ok(
      paginate(
        rows.map((row) => toFlowRun(deps.keyring, row)),
        query.limit,
        ({ id }) => id,
      ),
    )
  },
  getFlowRun: async ({ ws, params, principal }) => {
    const id = toRunId(params.id)
    const detail = await requireRun(deps, ws, id)
    // event keys are shown only to callers who may send the event
    const waits =
      isRunOver(detail.run.status) || !holdsScope(principal, 'flows:resume')
        ? []
        : await listWaitsOf(deps.reads, id)
    return ok({ ...toFlowRunDetail(detail), ...toEventWaits(waits) })
  },
  streamFlowRunEvents: async ({ ws, params, signal }) => {
    const id = toRunId(params.id)
    if ((await findRunStatus(deps.db, ws, id)) === null) throw notFound('Flow run')
    return toEventStream(signal, (until) => followFlowRun(deps, { ws, id, signal: until }))
  },
  getFlowRunGraph: async ({ ws, params }) => {
    const outline = await readOutline(deps, ws, toRunId(params.id))
    if (outline === null) throw notFound('Flow run')
    return ok(toGraph(outline))
  },
  cancelFlowRun: async ({ ws, params, body, principal }) => {
    const id = toRunId(params.id)
    await cancelRun(deps, {
      ws,
      id,
      caller: principal,
      reason: givenReason(body?.reason),
    })
    return ok(toFlowRunDetail(await requireRun(deps, ws, id)))
  },
  dismissFlowRun: async ({ ws, params, body, principal: caller, actor }) => {
    const isDismissed = body?.dismissed ?? true
    const id = toRunId(params.id)
    await dismissRun(deps, { ws, id, caller, actor, isDismissed })
    return ok(toFlowRunDetail(await requireRun(deps, ws, id)))
  },
  dismissFlowRuns: async ({ ws, body, principal: caller, actor }) => {
    const { ids, dismissed: isDismissed } = body
    return ok({ changed: await dismissRuns(deps, { ws, ids, caller, actor, isDismissed }) })
  },
  actOnFlowRuns: async (input) => {
    const { do: kind, ids } = input.body
    const { ws, principal: caller } = input
    const holdsAppsWrite = holdsScope(caller, 'apps:write')
    const keyed = idempotencyOf(input, 'bulk')
    return ok(await actOnRuns(deps, { ws, kind, ids, caller, holdsAppsWrite, ...keyed }))
  },
  restartFlowRun: async (input) => {
    const { ws, params, body, principal } = input
    const id = toRunId(params.id)
    const restarted = await restartRun(deps, {
      ws,
      id,
      fromStep: body.from_step,
      latest: body.commit === 'latest',
      caller: principal,
      holdsAppsWrite: holdsScope(principal, 'apps:write'),
      ...idempotencyOf(input, `restart/${id}`),
    })
    return accepted(201, restarted, { flowRunId: restarted.runId })
  },
}))
