/** Carries the engine's decisions out in a plan. */
import {
  advance,
  outcomeBytes,
  type ResumePoint,
  resumeFlow,
  startFlow,
} from '#core/flow/advance.ts'
import { flowsOf } from '#core/flow/kinds.ts'
import type { ChildOutcome, FlowDecision, FlowEvent } from '#core/flow/run.ts'
import type { JsonValue } from '#core/json.ts'
import { cancelStepJobs, cancelSubflows, endFlowStep, insertFlowStep } from '#store/flow-steps.ts'
import { type Place, runPlace, stepPlace } from './cipher.ts'
import {
  faultOf,
  openStep,
  type PlanDeps,
  retrySlot,
  startSlot,
  startWaitingSlot,
} from './plan-slots.ts'
import { failed, guardOf, type Plan, type PlannedRun, stepOf, tell } from './planned-run.ts'

/** Takes a run further by an event, in memory. */
export const planEvent = async (
  deps: PlanDeps,
  plan: Plan,
  run: PlannedRun,
  event: FlowEvent,
): Promise<void> => {
  if (run.failure !== null) {
    await planModuleEvent(deps, plan, run, event)
    return
  }
  const decisions = advance(run.definition, run, event)
  if (event.kind === 'child_ended' && run.step !== null) settleChild(run, event, decisions)
  // all that may be under way is: nothing waits for room any more
  if (event.kind === 'room_made' && decisions.length === 0) run.awaitsRoom = false
  await carryOut(deps, plan, run, decisions)
}

/** The failure module's job is a child too; for the run it counts that it ended, not how. */
const planModuleEvent = async (
  deps: PlanDeps,
  plan: Plan,
  run: PlannedRun,
  event: FlowEvent,
): Promise<void> => {
  if (event.kind === 'child_ended') {
    const again = advance(run.definition, run, event)
    if (again.length > 0) {
      await carryOut(deps, plan, run, again)
      return
    }
    const { outcome } = event
    const isDone = outcome.kind === 'success'
    await endStep(plan, run, {
      kind: 'end_step',
      index: run.index,
      status: isDone ? 'success' : 'failure',
      result: isDone ? outcome.value : null,
      error: isDone ? null : outcome.error,
    })
    await carryOut(deps, plan, run, advance(run.definition, run, { kind: 'failure_handled' }))
    return
  }
  if (event.kind === 'canceled' || event.kind === 'planning_failed') {
    const isCanceled = event.kind === 'canceled'
    const error = isCanceled ? { name: 'Canceled', message: event.reason } : event.error
    const status = isCanceled ? 'canceled' : 'failure'
    await endStep(plan, run, { kind: 'end_step', index: run.index, status, result: null, error })
  }
  await carryOut(deps, plan, run, advance(run.definition, run, event))
}

type ChildEnded = Extract<FlowEvent, { kind: 'child_ended' }>

/** Others of the same step may end in the same write. */
const settleChild = (
  run: PlannedRun,
  { slot, outcome }: ChildEnded,
  decisions: readonly FlowDecision[],
): void => {
  const { step } = run
  if (step === null) return
  const ended = new Map(step.ended)
  if (outcome.kind === 'success') ended.set(slot, outcome.value)
  const isRetried = decisions.some(({ kind }) => kind === 'retry_slot')
  const open = isRetried ? step.open : step.open - 1
  run.step = { ...step, open, ended, bytes: step.bytes + outcomeBytes(outcome) }
}

/** The first steps of a run that the plan makes. */
export const planStart = (deps: PlanDeps, plan: Plan, run: PlannedRun): Promise<void> =>
  carryOut(deps, plan, run, startFlow(run.definition, run.input))

/** Those from a step on, of a run that the plan makes. */
export const planResume = (
  deps: PlanDeps,
  plan: Plan,
  run: PlannedRun,
  from: ResumePoint,
): Promise<void> => carryOut(deps, plan, run, resumeFlow(run.definition, run.input, from))

const carryOut = async (
  deps: PlanDeps,
  plan: Plan,
  run: PlannedRun,
  decisions: readonly FlowDecision[],
): Promise<void> => {
  const guard = guardOf(plan)
  for (const decision of decisions) {
    switch (decision.kind) {
      case 'open_step':
        await openStep(deps, plan, run, decision)
        break
      case 'wait_for_approval':
        run.index = decision.index
        run.status = 'waiting_approval'
        run.waitMs = decision.timeoutMs
        run.keepsWait = false
        run.step = {
          status: 'waiting_approval',
          open: 0,
          nextSlot: null,
          ended: new Map(),
          bytes: 0,
        }
        plan.statements.push(
          insertFlowStep({ ...stepOf(run, decision.index), status: 'waiting_approval' }, guard),
        )
        break
      case 'start_slot':
        await startWaitingSlot(deps, plan, run, decision.slot)
        break
      case 'retry_slot':
        await retrySlot(deps, plan, run, decision)
        break
      case 'end_step':
        await endStep(plan, run, decision)
        break
      case 'cancel_children':
        cancelChildren(plan, run, decision.index)
        break
      case 'run_failure_module':
        await runFailureModule(deps, plan, run, decision)
        break
      case 'end_run':
        run.status = decision.status
        run.result = decision.result
        run.error = decision.error
        run.waitMs = null
        run.keepsWait = false
        run.awaitsRoom = false
        if (run.status === 'completed') {
          run.sealedResult = await sealPaced(plan, run, runPlace(run.id, 'result'), run.result)
        }
        tellParent(plan, run)
        break
    }
  }
}

type EndDecision = Extract<FlowDecision, { kind: 'end_step' }>

const sealPaced = async (
  plan: Plan,
  run: PlannedRun,
  place: Place,
  value: JsonValue,
): Promise<string> => {
  const sealed = run.cipher.seal(place, value)
  await plan.pace(sealed.length)
  return sealed
}

const endStep = async (plan: Plan, run: PlannedRun, decision: EndDecision): Promise<void> => {
  const { index, status, result, error } = decision
  const step = stepOf(run, index)
  run.index = index
  run.step = null
  run.status = 'running'
  run.waitMs = null
  run.keepsWait = false
  run.awaitsRoom = false
  run.bytes += decision.bytes ?? 0
  if (status === 'success' || status === 'skipped') run.results.set(step.key, result)
  plan.statements.push(
    endFlowStep(
      {
        ...step,
        status,
        result:
          status === 'success'
            ? await sealPaced(plan, run, stepPlace(run.id, index, 'result'), result)
            : null,
        error:
          error === null ? null : run.cipher.seal(stepPlace(run.id, index, 'error'), { ...error }),
      },
      guardOf(plan),
    ),
  )
}

/** Of the step that the run is at; with a subflow all that is below it. */
const cancelChildren = (plan: Plan, run: PlannedRun, index: number): void => {
  const guard = guardOf(plan)
  const { ws, id: runId } = run
  const why = { by: `flow:${runId}`, reason: 'The flow run needs it no more.' }
  const cancel = { ws, runId, index, ...why }
  plan.statements.push(...cancelStepJobs(cancel, guard))
  const step = run.definition.steps[index]
  if (step !== undefined && flowsOf(step).length > 0) {
    plan.statements.push(...cancelSubflows(cancel, guard))
  }
}

type FailureDecision = Extract<FlowDecision, { kind: 'run_failure_module' }>

/** Behind the last step: it has a row and a job like any other. */
const runFailureModule = async (
  deps: PlanDeps,
  plan: Plan,
  run: PlannedRun,
  { slot: what, failure }: FailureDecision,
): Promise<void> => {
  const index = run.definition.steps.length
  run.failure = failure
  run.index = index
  run.step = null
  plan.statements.push(insertFlowStep({ ...stepOf(run, index), status: 'running' }, guardOf(plan)))
  const error = faultOf(run, what.target.key, what.input)
  if (error !== null) {
    tell(plan, run, { kind: 'child_ended', slot: 0, attempt: 1, outcome: failed(error) })
  } else await startSlot(deps, plan, run, { index, slot: 0, attempt: 1, delayMs: 0, what })
}

const tellParent = (plan: Plan, run: PlannedRun): void => {
  if (run.parent === null) return
  const outcome: ChildOutcome =
    run.status === 'completed'
      ? { kind: 'success', value: run.result }
      : failed(run.error ?? { name: 'Canceled', message: 'The run was canceled.' })
  const event = { kind: 'child_ended', slot: 0, attempt: 1, outcome } as const
  plan.pending.push({ kind: 'tell', ws: run.ws, runId: run.parent.runId, event })
}
