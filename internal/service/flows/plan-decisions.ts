/** Carries the engine's decisions out in a plan. */
import { advance, type ResumePoint, resumeFlow, startFlow } from '#core/flow/advance.ts'
import type { ChildOutcome, FlowDecision, FlowEvent } from '#core/flow/run.ts'
import { cancelStepJobs, cancelSubflows, endFlowStep, insertFlowStep } from '#store/flow-steps.ts'
import { stepPlace } from './cipher.ts'
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
export const planEvent = (deps: PlanDeps, plan: Plan, run: PlannedRun, event: FlowEvent): void => {
  if (run.failure !== null) {
    planModuleEvent(deps, plan, run, event)
    return
  }
  const decisions = advance(run.definition, run, event)
  if (event.kind === 'child_ended' && run.step !== null) settleChild(run, event, decisions)
  carryOut(deps, plan, run, decisions)
}

/** The failure module's job is a child too; for the run it counts that it ended, not how. */
const planModuleEvent = (deps: PlanDeps, plan: Plan, run: PlannedRun, event: FlowEvent): void => {
  if (event.kind === 'child_ended') {
    const again = advance(run.definition, run, event)
    if (again.length > 0) {
      carryOut(deps, plan, run, again)
      return
    }
    const { outcome } = event
    const isDone = outcome.kind === 'success'
    endStep(plan, run, {
      kind: 'end_step',
      index: run.index,
      status: isDone ? 'success' : 'failure',
      result: isDone ? outcome.value : null,
      error: isDone ? null : outcome.error,
    })
    carryOut(deps, plan, run, advance(run.definition, run, { kind: 'failure_handled' }))
    return
  }
  if (event.kind === 'canceled') {
    const error = { name: 'Canceled', message: event.reason }
    const { index } = run
    endStep(plan, run, { kind: 'end_step', index, status: 'canceled', result: null, error })
  }
  carryOut(deps, plan, run, advance(run.definition, run, event))
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
  const open = decisions.some(replacesChild) ? step.open : step.open - 1
  run.step = { ...step, open, ended }
}

const replacesChild = ({ kind }: FlowDecision): boolean =>
  kind === 'start_slot' || kind === 'retry_slot'

/** The first steps of a run that the plan makes. */
export const planStart = (deps: PlanDeps, plan: Plan, run: PlannedRun): void =>
  carryOut(deps, plan, run, startFlow(run.definition, run.input))

/** Those from a step on, of a run that the plan makes. */
export const planResume = (deps: PlanDeps, plan: Plan, run: PlannedRun, from: ResumePoint): void =>
  carryOut(deps, plan, run, resumeFlow(run.definition, run.input, from))

const carryOut = (
  deps: PlanDeps,
  plan: Plan,
  run: PlannedRun,
  decisions: readonly FlowDecision[],
): void => {
  const guard = guardOf(plan)
  for (const decision of decisions) {
    switch (decision.kind) {
      case 'open_step':
        openStep(deps, plan, run, decision)
        break
      case 'wait_for_approval':
        run.index = decision.index
        run.status = 'waiting_approval'
        run.waitMs = decision.timeoutMs
        run.keepsWait = false
        run.step = { status: 'waiting_approval', open: 0, nextSlot: null, ended: new Map() }
        plan.statements.push(
          insertFlowStep({ ...stepOf(run, decision.index), status: 'waiting_approval' }, guard),
        )
        break
      case 'start_slot':
        startWaitingSlot(deps, plan, run, decision.slot)
        break
      case 'retry_slot':
        retrySlot(deps, plan, run, decision)
        break
      case 'end_step':
        endStep(plan, run, decision)
        break
      case 'cancel_children':
        cancelChildren(plan, run, decision.index)
        break
      case 'run_failure_module':
        runFailureModule(deps, plan, run, decision)
        break
      case 'end_run':
        run.status = decision.status
        run.result = decision.result
        run.error = decision.error
        run.waitMs = null
        run.keepsWait = false
        tellParent(plan, run)
        break
    }
  }
}

type EndDecision = Extract<FlowDecision, { kind: 'end_step' }>

const endStep = (plan: Plan, run: PlannedRun, decision: EndDecision): void => {
  const { index, status, result, error } = decision
  const step = stepOf(run, index)
  run.index = index
  run.step = null
  run.status = 'running'
  run.waitMs = null
  run.keepsWait = false
  if (status === 'success' || status === 'skipped') run.results.set(step.key, result)
  plan.statements.push(
    endFlowStep(
      {
        ...step,
        status,
        result:
          status === 'success' ? run.cipher.seal(stepPlace(run.id, index, 'result'), result) : null,
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
  if (run.definition.steps[index]?.kind === 'subflow') {
    plan.statements.push(...cancelSubflows(cancel, guard))
  }
}

type FailureDecision = Extract<FlowDecision, { kind: 'run_failure_module' }>

/** Behind the last step: it has a row and a job like any other. */
const runFailureModule = (
  deps: PlanDeps,
  plan: Plan,
  run: PlannedRun,
  { slot: what, failure }: FailureDecision,
): void => {
  const index = run.definition.steps.length
  run.failure = failure
  run.index = index
  run.step = null
  plan.statements.push(insertFlowStep({ ...stepOf(run, index), status: 'running' }, guardOf(plan)))
  const error = faultOf(run, what.target.key, what.input)
  if (error !== null) {
    tell(plan, run, { kind: 'child_ended', slot: 0, attempt: 1, outcome: failed(error) })
  } else startSlot(deps, plan, run, { index, slot: 0, attempt: 1, delayMs: 0, what })
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
