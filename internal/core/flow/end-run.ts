/** How steps and runs end: the failure module, the parent run, cancellation [flows 11, 13.1]. Parts of machine.ts. */
import { canceledError, type JobError } from '../job/job-error.ts'
import { flowsOf } from './kinds.ts'
import { failureModuleIndex, stepAt, undoIndex } from './position.ts'
import type { ChildEnded, ChildOutcome, Slot } from './run.ts'
import type {
  Admission,
  Ending,
  FlowEffect,
  OpenStep,
  RunEnd,
  RunState,
  StepEnd,
  Transition,
} from './run-state.ts'
import { endingInput, isEndingIndex, isUndoable, runsFailureModule } from './undo.ts'

export const unchanged = (run: RunState): Transition => ({ run, effects: [] })

export const after = (
  effects: readonly FlowEffect[],
  { run, effects: later }: Transition,
): Transition => ({ run, effects: [...effects, ...later] })

/** Requests an admission. The interpreter answers with `admitted` before it writes anything. */
export const ask = (run: RunState, admission: Admission): Transition =>
  unchanged({ ...run, admission })

export const endStep = (run: RunState, end: StepEnd): Transition => {
  const { index } = run
  const { key } = stepAt(run.definition, index)
  const isEnding = isEndingIndex(run.definition, index)
  const isPassed = !isEnding && (end.status === 'success' || end.status === 'skipped')
  const isDone = end.status === 'success' && isUndoable(run.definition, index)
  return {
    run: {
      ...run,
      status: 'running',
      step: null,
      awaitsRoom: false,
      results: isPassed ? new Map(run.results).set(key, end.result) : run.results,
      undoable: isDone ? [...run.undoable, index] : run.undoable,
    },
    effects: [{ kind: 'end_step', index, ...end }],
  }
}

/**
 * Fails the step. Its other children that are under way, or wait for room, are canceled with it.
 * @param open without the child that failed
 */
export const failOpen = (run: RunState, open: OpenStep, error: JobError): Transition => {
  const isAlone = open.open <= 0 && open.waiting.length === 0
  if (isAlone) return failStep(run, error)
  return leaveStep({ ...run, step: open }, failing(run, error))
}

/** Cancels the children of the step, including those that have not begun. */
export const cancelChildren = (run: RunState): FlowEffect => {
  const { definition, index } = run
  const startsRuns = flowsOf(stepAt(definition, index)).length > 0
  const below = !startsRuns ? 'none' : unwindsBelow(run) ? 'unwind' : 'end'
  return { kind: 'cancel_children', index, below }
}

/** Whether runs of the step may have to undo something before they are over. */
const unwindsBelow = ({ definition, index, unwinding }: RunState): boolean =>
  flowsOf(stepAt(definition, index)).some((key) => unwinding.has(key))

/** Whether the run is to end, and its step waits for subflows that undo what they did [flows 15.8]. */
export const isLeaving = ({ definition, index, ending }: RunState): boolean =>
  ending !== null && !isEndingIndex(definition, index)

/** Cancels what the step has under way. If it has subflows that may have to undo something, it ends after them. */
const leaveStep = (run: RunState, ending: Ending): Transition => {
  const { step } = run
  const canceled = cancelChildren(run)
  if (step === null || step.runs === 0 || !unwindsBelow(run)) {
    return after([canceled], endLeft(run, ending))
  }
  const left = { ...step, waiting: [] }
  return {
    run: { ...run, status: 'running', step: left, awaitsRoom: false, ending },
    effects: [canceled],
  }
}

/** Ends a step that has nothing left under way, and undoes what was done before it. */
const endLeft = (run: RunState, ending: Ending): Transition => {
  const status = ending.status === 'failed' ? 'failure' : 'canceled'
  const ended =
    run.step === null ? unchanged(run) : endStep(run, { status, result: null, error: ending.error })
  return after(ended.effects, unwind({ ...ended.run, ending }))
}

/** Handles the end of a child of a step that the run leaves. The child's result is discarded. */
export const endLeaving = (run: RunState, open: OpenStep): Transition =>
  open.runs > 0 || run.ending === null
    ? unchanged({ ...run, step: open })
    : endLeft(run, run.ending)

export const failStep = (run: RunState, error: JobError): Transition => {
  const ended = endStep(run, { status: 'failure', result: null, error })
  return after(ended.effects, failRun(ended.run, error))
}

const failing = (run: RunState, error: JobError): Ending => ({
  status: 'failed',
  error,
  failedStep: stepAt(run.definition, run.index).key,
})

/** Fails the run for good: what was done is undone, and the failure module runs [flows 11.1, 15.1]. */
export const failRun = (run: RunState, error: JobError): Transition =>
  unwind({ ...run, step: null, ending: failing(run, error) })

/** @param run is ending and does not wait for room [flows 12.3] */
const unwind = (run: RunState): Transition => {
  const { definition, ending, undoable } = run
  if (ending === null) throw new Error('A run that is not ending has nothing to undo.')
  const last = undoable.at(-1)
  if (last !== undefined) {
    const index = undoIndex(definition, last)
    return openEnding({ ...run, index, undoable: undoable.slice(0, -1) }, ending)
  }
  if (!runsFailureModule(definition, ending)) return endAs(run, ending)
  return openEnding({ ...run, index: failureModuleIndex(definition) }, ending)
}

const endAs = (run: RunState, { status, error }: Ending): Transition =>
  endRun(run, { status, result: null, error })

const openEnding = (run: RunState, ending: Ending): Transition => {
  const { action = '' } = stepAt(run.definition, run.index)
  const { value, error } = endingInput(run, ending)
  if (error !== null) return endEnding(run, ending, failed(error))
  const what: Slot = { target: { kind: 'action', key: action }, input: value }
  const opened = { ...run, status: 'running', step: null } as const
  return ask(opened, { slots: [what], start: 1, needsRoom: false })
}

/**
 * Handles the end of an undo action or of the failure module. Whatever its outcome, the others run and the run ends with the
 * status that was decided before [flows 11.2, 15.4].
 */
export const endEnding = (run: RunState, ending: Ending, outcome: ChildOutcome): Transition => {
  const ended = endStep(
    run,
    outcome.kind === 'success'
      ? { status: 'success', result: outcome.value, error: null }
      : { status: 'failure', result: null, error: outcome.error },
  )
  const isLast = run.index === failureModuleIndex(run.definition)
  return after(ended.effects, isLast ? endAs(ended.run, ending) : unwind(ended.run))
}

const canceledEnding = (reason: string): Ending => ({
  status: 'canceled',
  error: canceledError(reason),
  failedStep: null,
})

/**
 * Returns whether a cancel changes nothing: the run is already undoing its steps, or its failure module runs on a cancel too
 * [flows 13.1]. Results are not needed to decide it.
 */
export const ignoresCancel = ({ definition, ending, index }: RunState): boolean =>
  ending !== null &&
  (index !== failureModuleIndex(definition) || runsFailureModule(definition, canceledEnding('')))

/** Cancels a run. */
export const cancel = (run: RunState, reason: string): Transition => {
  const canceled = canceledEnding(reason)
  if (run.ending === null) return leaveStep(run, canceled)
  return ignoresCancel(run) ? unchanged(run) : stop(run, canceled)
}

/**
 * Ends the run without undo and failure module [flows 11.3]. A run that is already ending keeps the status
 * that was decided before.
 */
export const breakOff = (run: RunState, error: JobError): Transition => {
  const failedStep = run.step === null ? null : stepAt(run.definition, run.index).key
  return stop(run, run.ending ?? { status: 'failed', error, failedStep }, error)
}

const stop = (run: RunState, ending: Ending, error = ending.error): Transition => {
  const status = ending.status === 'canceled' ? 'canceled' : 'failure'
  const stopped = stopStep(run, { status, result: null, error })
  return after(stopped.effects, endAs(stopped.run, ending))
}

/** Ends the step that the run is at, if it is at one, with its children. */
const stopStep = (run: RunState, end: StepEnd): Transition => {
  const ended = run.step === null ? unchanged(run) : endStep(run, end)
  return after([cancelChildren(run)], ended)
}

const failed = (error: JobError): ChildOutcome => ({ kind: 'failure', error })

export const endRun = (run: RunState, end: RunEnd): Transition => {
  const { status, result, error } = end
  const outcome: ChildOutcome =
    status === 'completed'
      ? { kind: 'success', value: result }
      : failed(error ?? canceledError('The run was canceled.'))
  // a subflow's step has one slot, and its run is the only attempt
  const parentEvent: ChildEnded = { kind: 'child_ended', slot: 0, attempt: 1, outcome }
  return {
    run: { ...run, status, step: null, awaitsRoom: false, end },
    effects: [{ kind: 'end_run', ...end, parentEvent }],
  }
}
