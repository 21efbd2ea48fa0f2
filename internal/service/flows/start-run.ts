/** Starts a flow run, now or later. Its row, its first steps and their jobs are one write [flows 6.5]. */
import { overtaken } from '#core/deploy/overtaken.ts'
import { startLater } from '#core/flow/machine.ts'
import type { Deadline } from '#core/flow/run.ts'
import type { FlowTriggerKind } from '#core/job/trigger-kind.ts'
import type { JsonValue } from '#core/json/value.ts'
import { flowNotFound } from '#core/target-not-found.ts'
import { findApp } from '#store/apps/apps.ts'
import type { Statement } from '#store/database.ts'
import { bindRunToJob } from '#store/flows/cancels.ts'
import { findRunHead } from '#store/flows/runs.ts'
import { isDeployed } from '#store/jobs/guards.ts'
import { allOf } from '#store/sql.ts'
import { insertTrace } from '#store/traces.ts'
import { findFirst, type Idempotency, keyStatements } from '../queue/idempotency.ts'
import { MAX_TRIES } from '../retry-on-conflict.ts'
import { requireWorkspace } from '../workspaces/require-workspace.ts'
import { runPlace, storingFlowCipher } from './cipher.ts'
import type { FlowDeps } from './engine.ts'
import { checkFlowInput, findFlow } from './find-flow.ts'
import { finishPlan } from './finish-plan.ts'
import { planStatements } from './plan-statements.ts'
import { beginsAtOnce, notBegun, openPlan, type PlannedRun, underLimit } from './planned-run.ts'
import { playStart } from './play.ts'
import { writePlan } from './write-plan.ts'

export type StartRequest = Readonly<{
  ws: string
  app: string
  flow: string
  input: JsonValue
  triggerKind: Exclude<FlowTriggerKind, 'subflow'>
  /** What scripts see of what started it: the headers and encoding of a webhook, or other facts. */
  trigger?: JsonValue
  createdBy: string
  permissionedAs: string
  /** Set by a caller that must know the id before the start, such as a schedule for its fire time. */
  runId?: string
  idempotency?: Idempotency
  /** @default 0: no job or run started it */
  chainDepth?: number
  /** Whether the caller holds `apps:write`. @default false */
  holdsAppsWrite?: boolean
  /** When the first step may start. @default at once */
  due?: Deadline
  /** All jobs of the run have it. @default 0 */
  priority?: number
  /** All jobs of the run have it. @default the tags of their actions */
  tag?: string
  /** The job with which the run is canceled. @default none */
  canceledWith?: string
  /** A further condition, for example that a fire time is due. */
  condition?: Statement
  /** The trace that the run belongs to (core/trace/traceparent.ts). */
  traceparent?: string
  /** Statements that are written only together with the start. */
  alongside?: (guard: Statement) => readonly Statement[]
}>

/** Null if `condition` does not hold. */
export type Started = Readonly<{ runId: string; replayed: boolean }> | null

/**
 * Starts a run of what is deployed now.
 * @throws {AppError} not_found (app or flow), invalid (the input does not fit the flow's schema), rate_limited (too many jobs
 * wait), conflict (the idempotency key was used with another body), unavailable
 */
export const startRun = async (deps: FlowDeps, request: StartRequest): Promise<Started> => {
  const first = await findFirst(deps, request)
  if (first !== null) return { runId: first, replayed: true }
  await deps.gate.check(request.ws)
  const runId = request.runId ?? deps.newId()
  const { take, holds, release } = keyStatements(request, runId, 'flow_runs')
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const run = await newRun(deps, { ...request, runId })
    const plan = openPlan(deps.newId(), run)
    if (beginsAtOnce(run)) await playStart(deps, plan, run.id)
    await finishPlan(deps, plan)
    const condition = allOf(
      isDeployed(run.ws, run.app, run.deploymentId),
      request.condition ?? null,
      holds,
    )
    const statements = [
      ...take,
      ...planStatements(plan, condition, alongsideOf(deps, { ...request, runId })),
      ...(release === null ? [] : [release]),
    ]
    if (await writePlan(deps, plan, statements, { mainAt: take.length })) {
      return { runId, replayed: false }
    }
    if (await hasStarted(deps, run)) return { runId, replayed: false }
    const other = await findFirst(deps, request)
    if (other !== null) return { runId: other, replayed: true }
    const app = await findApp(deps.db, run.ws, run.app)
    if (app?.deploymentId === run.deploymentId) return null
  }
  throw overtaken()
}

export type UnconditionalStart = StartRequest & Readonly<{ condition?: never }>

/** Starts a run as `startRun` does, without a condition that could refuse it. */
export const startRunUnconditionally = async (
  deps: FlowDeps,
  request: UnconditionalStart,
): Promise<NonNullable<Started>> => {
  const started = await startRun(deps, request)
  if (started === null) throw new Error('A start without a condition was refused by one.')
  return started
}

/**
 * Returns whether the run exists. If the first answer of the database was lost, it may have moved on before the write was
 * repeated, so that the write does not recognize it.
 */
export const hasStarted = async (
  { db }: Pick<FlowDeps, 'db'>,
  { ws, id }: Pick<PlannedRun, 'ws' | 'id'>,
): Promise<boolean> => (await findRunHead(db, ws, id)) !== null

/** Gives the run its own span if spans are exported. Those of its jobs and steps are below it. */
const alongsideOf = (
  { spans }: FlowDeps,
  {
    ws,
    runId: ownerId,
    canceledWith,
    traceparent,
    alongside,
  }: StartRequest & Readonly<{ runId: string }>,
) => {
  const parent = traceparent ?? null
  const own = spans.isOn ? spans.child(parent) : parent
  return (guard: Statement): readonly Statement[] => [
    ...(own === null
      ? []
      : [insertTrace({ ownerId, traceparent: own, parent: spans.isOn ? parent : null }, guard)]),
    ...(canceledWith === undefined
      ? []
      : [bindRunToJob({ ws, runId: ownerId, jobId: canceledWith }, guard)]),
    ...(alongside?.(guard) ?? []),
  ]
}

/** Creates a run of what is deployed now. @throws {AppError} not_found: app or flow; invalid: the input does not fit */
const newRun = async (
  deps: FlowDeps,
  request: StartRequest & Readonly<{ runId: string }>,
): Promise<PlannedRun> => {
  const { deploymentId, pinned } = await findFlow(deps, request)
  await checkFlowInput(deps, request, pinned)
  const run = await pinnedRun(deps, request, deploymentId)
  const { due = null } = request
  return underLimit(due === null ? run : { ...run, state: startLater(run.state), wait: due })
}

/** Creates a run of one deployment. @throws {AppError} not_found: the deployment has no such flow */
export const pinnedRun = async (
  deps: FlowDeps,
  request: StartRequest & Readonly<{ runId: string }>,
  deploymentId: string,
): Promise<PlannedRun> => {
  const { ws, app, flow, runId: id, trigger } = request
  const pinned = await deps.flows.pinned.find(deploymentId)
  const definition = pinned.flows.get(flow)
  if (definition === undefined) throw flowNotFound({ app, flow })
  const { wrappedKey } = await requireWorkspace(deps, ws)
  const cipher = storingFlowCipher(deps, { ws, wrappedKey })
  return {
    ws,
    id,
    app,
    deploymentId,
    pinned,
    cipher,
    createdBy: request.createdBy,
    permissionedAs: request.permissionedAs,
    triggerKind: request.triggerKind,
    chainDepth: request.chainDepth ?? 0,
    holdsAppsWrite: request.holdsAppsWrite ?? false,
    priority: request.priority ?? 0,
    tag: request.tag ?? null,
    parent: null,
    depth: 0,
    isBoundToJob: request.canceledWith !== undefined,
    origin: {
      trigger: trigger === undefined ? null : cipher.seal(runPlace(id, 'trigger'), trigger),
      restartedFrom: null,
      concurrency: null,
    },
    ...notBegun(definition, request.input, pinned),
  }
}
