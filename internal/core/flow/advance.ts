/**
 * The law of a flow run [flows 2, 5, 8]: what follows from an event. It
 * knows no clock and no database; service/flows/ carries the decisions out in one write.
 */
import type { JobError } from '../job.ts'
import type { JsonValue } from '../json.ts'
import { evaluateCondition } from './condition/evaluate.ts'
import { jsonBytes, MAX_RUN_BYTES, MAX_STEP_BYTES, tooLarge } from './data-size.ts'
import type { FlowDefinition } from './definition.ts'
import { type FlowStep, kindOf } from './kinds.ts'
import { nextTryMs, retryPolicyOf } from './retry-policy.ts'
import type { ChildOutcome, FlowDecision, FlowEvent, OpenStep, RunState } from './run.ts'

/** The first step of a new run. */
export const startFlow = (definition: FlowDefinition, input: JsonValue): readonly FlowDecision[] =>
  enter({ definition, input, results: new Map(), bytes: 0 }, 0, input)

export type ResumePoint = Readonly<{
  /** Of the first step that runs. */
  index: number
  /** Of the steps before it, by key; a skipped one has null. */
  results: ReadonlyMap<string, JsonValue>
  /** Of all of them. */
  bytes: number
  /** Of the step before, passing over skipped ones. */
  previous: JsonValue
}>

/** A run that begins in the middle, with what an earlier one has found. */
export const resumeFlow = (
  definition: FlowDefinition,
  input: JsonValue,
  { index, results, bytes, previous }: ResumePoint,
): readonly FlowDecision[] => enter({ definition, input, results, bytes }, index, previous)

/** An event that the run does not wait for (a child that was given up, a decision that comes late) changes nothing. */
export const advance = (
  definition: FlowDefinition,
  run: RunState,
  event: FlowEvent,
): readonly FlowDecision[] => {
  const at: At = { definition, input: run.input, results: run.results, bytes: run.bytes }
  const isOver = event.kind === 'canceled' || event.kind === 'planning_failed'
  if (run.step === null && !isOver) return endFailed(at, run, event)
  switch (event.kind) {
    case 'canceled':
      return cancel(run, event.reason)
    case 'planning_failed':
      return giveUp(run, event.error)
    case 'child_ended':
      return run.step?.status === 'running' ? endChild(at, run, event) : []
    case 'room_made':
      return run.step?.status === 'running' ? startWaiting(at, run.index, run.step) : []
    case 'approved':
    case 'rejected':
    case 'approval_timed_out':
      return resume(at, run, event)
    case 'failure_handled':
      return []
  }
}

type At = Readonly<{
  definition: FlowDefinition
  input: JsonValue
  results: ReadonlyMap<string, JsonValue>
  bytes: number
}>

const stepAt = ({ definition }: At, index: number): FlowStep => {
  const step = definition.steps[index]
  if (step === undefined) throw new Error(`The flow ${definition.key} has no step ${index}.`)
  return step
}

/** Goes on to a step, and past it while steps are skipped or done at once. */
const enter = (at: At, index: number, previous: JsonValue): readonly FlowDecision[] => {
  if (index >= at.definition.steps.length) {
    return [{ kind: 'end_run', status: 'completed', result: previous, error: null }]
  }
  const step = stepAt(at, index)
  const data = { ...at, previous }
  if (step.skipIf !== undefined) {
    const { holds, error } = evaluateCondition(step.skipIf, data)
    if (error !== null) return failStep(at, index, error)
    if (holds) return skip(at, index, previous)
  }
  const opening = kindOf(step).open(step, data)
  switch (opening.kind) {
    case 'slots':
      return [{ ...opening, kind: 'open_step', index }]
    case 'wait':
      return [{ kind: 'wait_for_approval', index, timeoutMs: opening.timeoutMs }]
    case 'done':
      return endStep(at, index, measured(opening.result))
    case 'skip':
      return skip(at, index, previous)
    case 'fail':
      return failStep(at, index, opening.error)
  }
}

/** Its result is null; whoever takes the previous result passes over it. */
const skip = (at: At, index: number, previous: JsonValue): readonly FlowDecision[] => {
  const results = new Map(at.results).set(stepAt(at, index).key, null)
  return [
    { kind: 'end_step', index, status: 'skipped', result: null, error: null },
    ...enter({ ...at, results }, index + 1, previous),
  ]
}

type Measured = Readonly<{ result: JsonValue; bytes: number }>

const measured = (result: JsonValue): Measured => ({
  result,
  bytes: jsonBytes(result, MAX_RUN_BYTES),
})

const endStep = (at: At, index: number, { result, bytes }: Measured): readonly FlowDecision[] => {
  const step = stepAt(at, index)
  const total = at.bytes + bytes
  if (total > MAX_RUN_BYTES) return failStep(at, index, ALL_RESULTS)
  const after = { ...at, results: new Map(at.results).set(step.key, result), bytes: total }
  const ended: FlowDecision = {
    kind: 'end_step',
    index,
    status: 'success',
    result,
    bytes,
    error: null,
  }
  if (step.stopAfterIf !== undefined) {
    const { holds, error } = evaluateCondition(step.stopAfterIf, after)
    if (error !== null) return [ended, ...failRun(after, index, error)]
    if (holds) return [ended, { kind: 'end_run', status: 'completed', result, error: null }]
  }
  return [ended, ...enter(after, index + 1, result)]
}

const failStep = (at: At, index: number, error: JobError): readonly FlowDecision[] => [
  { kind: 'end_step', index, status: 'failure', result: null, error },
  ...failRun(at, index, error),
]

/** The failure module runs once, just before the end. */
const failRun = (at: At, index: number, failure: JobError): readonly FlowDecision[] => {
  const { failureModule } = at.definition
  if (failureModule === undefined) {
    return [{ kind: 'end_run', status: 'failed', result: null, error: failure }]
  }
  const { name, message } = failure
  const input = { failedStep: stepAt(at, index).key, error: { name, message } }
  const target = { kind: 'action', key: failureModule.action } as const
  return [{ kind: 'run_failure_module', slot: { target, input }, failure }]
}

type ChildEnded = Extract<FlowEvent, { kind: 'child_ended' }>

const ALL_RESULTS = tooLarge('The results of all steps of this run together', MAX_RUN_BYTES)

const endChild = (
  at: At,
  { index, step: open }: RunState,
  { slot, attempt, outcome }: ChildEnded,
): readonly FlowDecision[] => {
  if (open === null) return []
  const step = stepAt(at, index)
  if (outcome.kind === 'failure') {
    const policy = retryPolicyOf(step, outcome.retry ?? null)
    const delayMs = nextTryMs(policy, outcome, attempt)
    if (delayMs !== null) {
      return [{ kind: 'retry_slot', index, slot, attempt: attempt + 1, delayMs }]
    }
    return failWithOthers(at, index, { open, error: outcome.error })
  }
  const bytes = open.bytes + outcomeBytes(outcome)
  if (bytes > MAX_STEP_BYTES) {
    const error = tooLarge(`All results of step "${step.key}" together`, MAX_STEP_BYTES)
    return failWithOthers(at, index, { open, error })
  }
  if (open.nextSlot !== null) return [{ kind: 'start_slot', index, slot: open.nextSlot }]
  if (open.open > 1) return []
  const result = join(step, new Map(open.ended).set(slot, outcome.value))
  return endStep(at, index, { result, bytes })
}

/** Of a child's result as JSON; 0 of a failure. */
export const outcomeBytes = (outcome: ChildOutcome): number =>
  outcome.kind === 'success' ? (outcome.bytes ?? jsonBytes(outcome.value, MAX_STEP_BYTES)) : 0

type Failing = Readonly<{ open: OpenStep; error: JobError }>

/** What else of the step is under way, or waits for room, goes with it. */
const failWithOthers = (
  at: At,
  index: number,
  { open, error }: Failing,
): readonly FlowDecision[] => {
  const others: readonly FlowDecision[] =
    open.open > 1 || open.nextSlot !== null ? [{ kind: 'cancel_children', index }] : []
  return [...others, ...failStep(at, index, error)]
}

/** A slot that found no room in the queue, as far as the step may have one more under way. */
const startWaiting = (
  at: At,
  index: number,
  { open, nextSlot }: OpenStep,
): readonly FlowDecision[] =>
  nextSlot === null || open >= mostAtOnce(stepAt(at, index))
    ? []
    : [{ kind: 'start_slot', index, slot: nextSlot }]

const mostAtOnce = (step: FlowStep): number => kindOf(step).atOnce?.(step) ?? 1

const join = (step: FlowStep, results: ReadonlyMap<number, JsonValue>): JsonValue => {
  const kind = kindOf(step)
  return kind.join === undefined ? (results.get(0) ?? null) : kind.join(step, results)
}

/** An event that a waiting step may wait for. */
const resume = (
  at: At,
  { index, step: open }: RunState,
  event: FlowEvent,
): readonly FlowDecision[] => {
  const step = stepAt(at, index)
  const end = open?.status === 'waiting_approval' ? kindOf(step).resume?.(step, event) : null
  if (end === null || end === undefined) return []
  if (end.status === 'success') return endStep(at, index, measured(end.result))
  const { status, error } = end
  return [{ kind: 'end_step', index, status, result: null, error }, ...failRun(at, index, error)]
}

/** Whatever became of the failure module, the run has failed as it had. Its action's `retry` holds. */
const endFailed = (
  { definition }: At,
  { failure }: RunState,
  event: FlowEvent,
): readonly FlowDecision[] => {
  if (event.kind === 'failure_handled' && failure !== null) {
    return [{ kind: 'end_run', status: 'failed', result: null, error: failure }]
  }
  if (event.kind !== 'child_ended' || event.outcome.kind !== 'failure') return []
  const { slot, attempt, outcome } = event
  const delayMs = nextTryMs(outcome.retry ?? null, outcome, attempt)
  if (delayMs === null) return []
  const index = definition.steps.length
  return [{ kind: 'retry_slot', index, slot, attempt: attempt + 1, delayMs }]
}

const cancel = ({ index, step }: RunState, reason: string): readonly FlowDecision[] => {
  const error = { name: 'Canceled', message: reason }
  const ended: readonly FlowDecision[] =
    step === null ? [] : [{ kind: 'end_step', index, status: 'canceled', result: null, error }]
  return [
    { kind: 'cancel_children', index },
    ...ended,
    { kind: 'end_run', status: 'canceled', result: null, error },
  ]
}

/** Without the failure module: to plan that might fail as well. */
const giveUp = ({ index, step, failure }: RunState, error: JobError): readonly FlowDecision[] => {
  const ended: readonly FlowDecision[] =
    step === null ? [] : [{ kind: 'end_step', index, status: 'failure', result: null, error }]
  return [
    { kind: 'cancel_children', index },
    ...ended,
    { kind: 'end_run', status: 'failed', result: null, error: failure ?? error },
  ]
}
