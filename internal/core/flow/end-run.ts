/** How steps and runs end: the failure module, the run above, cancellation [flows 11, 13.1]. Parts of machine.ts. */
import type { JobError } from '../job/job-error.ts'
import { flowsOf } from './kinds.ts'
import { failureInput, failureModuleIndex, stepAt } from './position.ts'
import type { ChildEnded, ChildOutcome, Slot } from './run.ts'
import type {
  Admission,
  FlowEffect,
  OpenStep,
  RunEnd,
  RunState,
  StepEnd,
  Transition,
} from './run-state.ts'

export const unchanged = (run: RunState): Transition => ({ run, effects: [] })

export const after = (
  effects: readonly FlowEffect[],
  { run, effects: later }: Transition,
): Transition => ({ run, effects: [...effects, ...later] })

/** The interpreter answers by `admitted` before it writes anything. */
export const ask = (run: RunState, admission: Admission): Transition =>
  unchanged({ ...run, admission })

export const endStep = (run: RunState, end: StepEnd): Transition => {
  const { index } = run
  const { key } = stepAt(run.definition, index)
  const isPassed = end.status === 'success' || end.status === 'skipped'
  return {
    run: {
      ...run,
      status: 'running',
      step: null,
      awaitsRoom: false,
      results: isPassed ? new Map(run.results).set(key, end.result) : run.results,
    },
    effects: [{ kind: 'end_step', index, ...end }],
  }
}

/** Other children of the step that are under way, or wait for room, are canceled with it. */
export const failOpen = (run: RunState, open: OpenStep, error: JobError): Transition => {
  const isAlone = open.open <= 1 && open.waiting.length === 0
  return after(isAlone ? [] : [cancelChildren(run)], failStep(run, error))
}

const cancelChildren = ({ definition, index }: RunState): FlowEffect => {
  const startsRuns = flowsOf(stepAt(definition, index)).length > 0
  return { kind: 'cancel_children', index, startsRuns }
}

export const failStep = (run: RunState, error: JobError): Transition => {
  const ended = endStep(run, { status: 'failure', result: null, error })
  return after(ended.effects, failRun(ended.run, error))
}

/** The failure module runs once, just before the end, and waits for no room [flows 11.1, 12.3]. */
export const failRun = (run: RunState, failure: JobError): Transition => {
  const { definition, index } = run
  const { failureModule } = definition
  if (failureModule === undefined) {
    return endRun(run, { status: 'failed', result: null, error: failure })
  }
  const input = failureInput(stepAt(definition, index).key, failure)
  const what: Slot = { target: { kind: 'action', key: failureModule.action }, input }
  const at = {
    ...run,
    status: 'running',
    step: null,
    failure,
    index: failureModuleIndex(definition),
  } as const
  return ask(at, { slots: [what], start: 1, needsRoom: false })
}

/** Whatever became of the failure module, the run has failed with the step's error [flows 11.2]. */
export const endModule = (run: RunState, outcome: ChildOutcome): Transition => {
  const ended = endStep(
    run,
    outcome.kind === 'success'
      ? { status: 'success', result: outcome.value, error: null }
      : { status: 'failure', result: null, error: outcome.error },
  )
  return after(
    ended.effects,
    endRun(ended.run, { status: 'failed', result: null, error: run.failure }),
  )
}

/** Ends the run without its failure module [flows 11.3]. A run that fails already keeps its error. */
export const stop = (run: RunState, status: 'canceled' | 'failed', error: JobError): Transition => {
  const stepStatus = status === 'failed' ? 'failure' : status
  const ended =
    run.step === null ? unchanged(run) : endStep(run, { status: stepStatus, result: null, error })
  const reason = status === 'failed' ? (run.failure ?? error) : error
  return after(
    [cancelChildren(run), ...ended.effects],
    endRun(ended.run, { status, result: null, error: reason }),
  )
}

const failed = (error: JobError): ChildOutcome => ({ kind: 'failure', error })

export const endRun = (run: RunState, end: RunEnd): Transition => {
  const { status, result, error } = end
  const outcome: ChildOutcome =
    status === 'completed'
      ? { kind: 'success', value: result }
      : failed(error ?? { name: 'Canceled', message: 'The run was canceled.' })
  // a subflow's step has one slot, and its run is the only attempt
  const parentEvent: ChildEnded = { kind: 'child_ended', slot: 0, attempt: 1, outcome }
  return {
    run: { ...run, status, step: null, awaitsRoom: false, end },
    effects: [{ kind: 'end_run', ...end, parentEvent }],
  }
}
