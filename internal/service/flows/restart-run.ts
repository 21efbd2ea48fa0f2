/** Restarts an ended run from one of its steps, as a new run that keeps the results of the steps before. */
import { mayReplay } from '#core/access/policy.ts'
import type { Principal } from '#core/access/principal.ts'
import { conflict, forbidden, invalid, notFound } from '#core/error.ts'
import { formValuesOf } from '#core/flow/child-context.ts'
import { jsonBytes, MAX_RUN_BYTES } from '#core/flow/data-size.ts'
import { passesOver } from '#core/flow/kinds.ts'
import { isRunOver } from '#core/flow/run.ts'
import type { RunState } from '#core/flow/run-state.ts'
import type { JsonValue } from '#core/json/value.ts'
import { appNotFound } from '#core/target-not-found.ts'
import { findApp } from '#store/apps/apps.ts'
import { findFlowRun, hasRun } from '#store/flows/runs.ts'
import { endFlowStep, type FlowStepRow } from '#store/flows/steps.ts'
import { hasApp } from '#store/jobs/guards.ts'
import { allOf } from '#store/sql.ts'
import type { Pace } from '../portions/pace.ts'
import { checkAllowedTag } from '../queue/check-tag.ts'
import { findFirst, type Idempotency, keyStatements } from '../queue/idempotency.ts'
import { runPlace, stepPlace } from './cipher.ts'
import type { FlowDeps } from './engine.ts'
import { finishPlan } from './finish-plan.ts'
import { planStatements } from './plan-statements.ts'
import {
  beginsAtOnce,
  changeRun,
  guardOf,
  openPlan,
  type Plan,
  type PlannedRun,
  stepColumns,
  underLimit,
} from './planned-run.ts'
import { playStart } from './play.ts'
import { readFlowSteps } from './run-steps.ts'
import { hasStarted, pinnedRun } from './start-run.ts'
import { writePlan } from './write-plan.ts'

export type RestartRequest = Readonly<{
  ws: string
  id: string
  fromStep: string
  /** Whether to use what is deployed now, instead of what the run was pinned to. */
  latest: boolean
  caller: Principal
  /** Whether that caller holds `apps:write`. */
  holdsAppsWrite: boolean
  idempotency?: Idempotency
}>

export type Restarted = Readonly<{ runId: string; replayed: boolean }>

/**
 * @returns the new run
 * @throws {AppError} not_found: the run or its app; forbidden: the caller is neither its creator nor an admin, or the workspace no
 * longer allows its tag; conflict: the run is not over, or the idempotency key was used with another body; invalid: no such step,
 * or a step before it did not succeed
 */
export const restartRun = async (deps: FlowDeps, request: RestartRequest): Promise<Restarted> => {
  const first = await findFirst(deps, request)
  if (first !== null) return { runId: first, replayed: true }
  const { run, plan } = await planRestart(deps, request)
  const { take, holds, release } = keyStatements(request, run.id, 'flow_runs')
  const statements = [
    ...take,
    // its deployment may be deleted after it
    ...planStatements(plan, allOf(hasApp(run.ws, run.app), hasRun(run.ws, request.id), holds)),
    ...(release === null ? [] : [release]),
  ]
  if (
    (await writePlan(deps, plan, statements, { mainAt: take.length })) ||
    (await hasStarted(deps, run))
  ) {
    return { runId: run.id, replayed: false }
  }
  const other = await findFirst(deps, request)
  if (other === null) throw appNotFound(run.app)
  return { runId: other, replayed: true }
}

type PlannedRestart = Readonly<{ run: PlannedRun; plan: Plan }>

const planRestart = async (deps: FlowDeps, request: RestartRequest): Promise<PlannedRestart> => {
  const { ws, id, caller } = request
  const old = await findFlowRun(deps.db, ws, id)
  if (old === null) throw notFound('Flow run')
  if (!mayReplay(caller, old)) {
    throw forbidden('Only the creator of a flow run or an admin may restart it.')
  }
  if (!isRunOver(old.status)) {
    throw conflict('The run is not over. Cancel it first, or wait for its end.', {
      code: 'not_over',
    })
  }
  if (old.tag !== null) await checkAllowedTag(deps, ws, old.tag)
  await deps.gate.check(ws)
  const app = await findApp(deps.db, ws, old.app)
  const deploymentId = request.latest ? app?.deploymentId : old.deploymentId
  if (app === null || deploymentId == null) throw appNotFound(old.app)
  const target = {
    ws,
    app: old.app,
    flow: old.flow,
    input: null,
    triggerKind: 'api',
    createdBy: caller.identity,
    permissionedAs: caller.identity,
    holdsAppsWrite: request.holdsAppsWrite,
    priority: old.priority,
    ...(old.tag === null ? {} : { tag: old.tag }),
    runId: deps.newId(),
  } as const
  const made = await pinnedRun(deps, target, deploymentId)
  const input = await made.cipher.read(runPlace(id, 'input'), old.input)
  const run = underLimit({
    ...made,
    origin: { trigger: null, restartedFrom: id, concurrency: null },
    state: { ...made.state, input },
  })
  const plan = openPlan(deps.newId(), run)
  const pinned = await deps.flows.pinned.find(old.deploymentId)
  const kept = await keepSteps(run, plan.pace, {
    oldId: id,
    oldSteps: pinned.flows.get(old.flow)?.steps.length ?? 0,
    rows: await readFlowSteps(deps.db, id),
    fromStep: request.fromStep,
  })
  const { steps, ...state } = kept
  for (const { index, status, result } of steps) {
    const step = stepColumns(run, index)
    const sealed =
      status === 'success' ? run.cipher.seal(stepPlace(run.id, index, 'result'), result) : null
    plan.statements.push(
      endFlowStep({ ...step, status, result: sealed, error: null, isKept: true }, guardOf(plan)),
    )
    await plan.pace(sealed?.length ?? 0)
  }
  changeRun(plan, run.id, { state: { ...run.state, ...state } })
  if (beginsAtOnce(run)) await playStart(deps, plan, run.id)
  await finishPlan(deps, plan)
  return { run, plan }
}

type Kept = Pick<RunState, 'results' | 'resumeValue' | 'bytes' | 'resume'> &
  Readonly<{
    steps: readonly Readonly<{ index: number; status: 'success' | 'skipped'; result: JsonValue }>[]
  }>

type OldSteps = Readonly<{
  oldId: string
  /** The number of steps that the old run had. Its failure module and undo actions come after them. */
  oldSteps: number
  rows: readonly FlowStepRow[]
  fromStep: string
}>

/** Returns what the new run takes over from the old one, in the order of the steps of its own definition. */
const keepSteps = async (
  run: PlannedRun,
  pace: Pace,
  { oldId, oldSteps, rows, fromStep }: OldSteps,
): Promise<Kept> => {
  const { steps } = run.state.definition
  const index = steps.findIndex(({ key }) => key === fromStep)
  if (index === -1) {
    const keys = steps.map(({ key }) => key).join(', ')
    throw invalid(`The flow has no step "${fromStep}". It has ${keys}.`, { code: 'unknown_step' })
  }
  const results = new Map<string, JsonValue>()
  let previous = run.state.input
  let resumeValue: JsonValue = null
  const kept: Kept['steps'][number][] = []
  let bytes = 0
  for (const [at, step] of steps.slice(0, index).entries()) {
    const { key } = step
    const row = rows.find((each) => each.key === key && each.index < oldSteps)
    if (rows.some((each) => each.key === key && each.index > oldSteps)) {
      throw invalid(
        `Step "${key}" was undone in that run. Start from it, or from an earlier step.`,
        {
          code: 'step_not_done',
        },
      )
    }
    if (row?.status !== 'success' && row?.status !== 'skipped') {
      throw invalid(
        `Step "${key}" did not succeed in that run. Start from it, or from an earlier step.`,
        {
          code: 'step_not_done',
        },
      )
    }
    const place = stepPlace(oldId, row.index, 'result')
    const result = row.result === null ? null : await run.cipher.read(place, row.result)
    results.set(key, result)
    if (row.status === 'success' && !passesOver(step)) {
      previous = result
      resumeValue = formValuesOf(step, result)
    }
    kept.push({ index: at, status: row.status, result })
    if (row.status === 'success') bytes += jsonBytes(result, MAX_RUN_BYTES)
    await pace(row.result?.length ?? 0)
  }
  return { resume: { index, previous }, resumeValue, results, bytes, steps: kept }
}
