/** How steps and runs end: the failure module, the run above, cancellation [flows 11, 13.1]. Parts of machine.ts. */
import type { JobError } from '../job/job-error.ts'
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

/** The interpreter answers by `admitted` before it writes anything. */
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

/** Other children of the step that are under way, or wait for room, are canceled with it. */
export const failOpen = (run: RunState, open: OpenStep, error: JobError): Transition => {
  const isAlone = open.open <= 1 && open.waiting.length === 0
  return after(isAlone ? [] : [cancelChildren(run)], failStep(run, error))
}

/** Also of what has not begun. */
export const cancelChildren = ({ definition, index }: RunState): FlowEffect => {
  const startsRuns = flowsOf(stepAt(definition, index)).length > 0
  return { kind: 'cancel_children', index, startsRuns }
}

export const failStep = (run: RunState, error: JobError): Transition => {
  const ended = endStep(run, { status: 'failure', result: null, error })
  return after(ended.effects, failRun(ended.run, error))
}

/** A step has failed for good: what was done is undone, and the failure module runs [flows 11.1, 15.1]. */
export const failRun = (run: RunState, error: JobError): Transition => {
  const failedStep = stepAt(run.definition, run.index).key
  return unwind({ ...run, step: null, ending: { status: 'failed', error, failedStep } })
}

/** @param run is ending; it waits for no room [flows 12.3] */
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
 * An undo action or the failure module has ended. Whatever became of it, the others run and the run ends as it was to
 * [flows 11.2, 15.4].
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

/** A run that is being undone goes on with it: a further cancel changes nothing [flows 13.1]. */
export const cancel = (run: RunState, reason: string): Transition => {
  const { definition, ending, undoable, index } = run
  const error = { name: 'Canceled', message: reason }
  const canceled: Ending = { status: 'canceled', error, failedStep: null }
  const isInModule = ending?.status === 'failed' && index === failureModuleIndex(definition)
  if (ending !== null && !isInModule) return unchanged(run)
  if (isInModule || (undoable.length === 0 && !runsFailureModule(definition, canceled))) {
    return stop(run, canceled)
  }
  const stopped = stopStep(run, { status: 'canceled', result: null, error })
  return after(stopped.effects, unwind({ ...stopped.run, ending: canceled }))
}

/** Ends the run without undo and failure module [flows 11.3]. A run that is ending already ends as it was to. */
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
      : failed(error ?? { name: 'Canceled', message: 'The run was canceled.' })
  // a subflow's step has one slot, and its run is the only attempt
  const parentEvent: ChildEnded = { kind: 'child_ended', slot: 0, attempt: 1, outcome }
  return {
    run: { ...run, status, step: null, awaitsRoom: false, end },
    effects: [{ kind: 'end_run', ...end, parentEvent }],
  }
}
