/**
 * The state machine of a flow run [flows 2, 5, 8, 11]: `step` takes an event and returns the new state of the run with the
 * effects that follow. It is pure. Two interpreters carry the effects out: service/flows/ as statements of one write, and
 * internal/project/ in memory.
 */
import { canceledError, type JobError } from '../job/job-error.ts'
import type { JsonValue } from '../json/value.ts'
import { formValuesOf } from './child-context.ts'
import { evaluateCondition } from './condition/evaluate.ts'
import { jsonBytes, MAX_RUN_BYTES, MAX_STEP_BYTES, tooLarge } from './data-size.ts'
import {
  after,
  ask,
  breakOff,
  cancel,
  cancelChildren,
  endEnding,
  endLeaving,
  endRun,
  endStep,
  failOpen,
  failRun,
  failStep,
  isLeaving,
  unchanged,
} from './end-run.ts'
import { failedItem, itemOf } from './item.ts'
import type { Opening } from './kinds/step-kind.ts'
import { type FlowStep, isWait, kindOf, passesOver, targetAt } from './kinds.ts'
import { BEFORE_FIRST_STEP, stepAt } from './position.ts'
import { nextAttemptMs, retryPolicyOf } from './retry-policy.ts'
import type { ChildEnded, FlowEvent, Slot, Wait } from './run.ts'
import type {
  Admission,
  FlowEffect,
  LongOpening,
  OpenStep,
  RunState,
  Transition,
} from './run-state.ts'

/** Enters the first step of a new run, or the first that it does not keep of an earlier run. */
export const start = ({ resume, ...run }: RunState): Transition =>
  resume === undefined ? enter(run, 0, run.input) : enter(run, resume.index, resume.previous)

/** Returns a new run that starts when `wait_timed_out` comes. */
export const startLater = (run: RunState): RunState => ({ ...run, index: BEFORE_FIRST_STEP })

/** Handles an event. One that the run does not wait for (the end of a canceled child, a late decision) changes nothing. */
export const step = (run: RunState, event: FlowEvent): Transition => {
  const { step: open, admission } = run
  if (run.index === BEFORE_FIRST_STEP) return beforeStart(run, event)
  switch (event.kind) {
    case 'canceled':
      return cancel(run, event.reason)
    case 'planning_failed':
      return breakOff(run, event.error)
    case 'admitted':
      return admission === null ? unchanged(run) : admit(run, admission, event)
    case 'continued':
      return run.opening === null ? unchanged(run) : openNextPart(run, run.opening)
    case 'child_ended':
      return open === null || waits(run) ? unchanged(run) : endChild(run, open, event)
    case 'room_made':
      return open === null || waits(run) ? unchanged(run) : makeUseOfRoom(run, open)
    case 'reminder_due':
      return open !== null && waits(run) ? remind(run, open, event.attempt) : unchanged(run)
    case 'approved':
    case 'rejected':
    case 'event_received':
    case 'wait_timed_out':
      return open !== null && waits(run) ? resume(run, open, event) : unchanged(run)
  }
}

/** Handles an event of a run that has no step yet: nothing is under way or to be undone. */
const beforeStart = (run: RunState, event: FlowEvent): Transition => {
  switch (event.kind) {
    case 'wait_timed_out':
      return start(run)
    case 'canceled': {
      const error = canceledError(event.reason)
      return endRun(run, { status: 'canceled', result: null, error })
    }
    case 'planning_failed':
      return endRun(run, { status: 'failed', result: null, error: event.error })
    default:
      return unchanged(run)
  }
}

const waits = ({ definition, index }: RunState): boolean => isWait(stepAt(definition, index))

/** Enters a step, and continues past it while steps are skipped or end at once. */
const enter = (run: RunState, index: number, previous: JsonValue): Transition => {
  if (index >= run.definition.steps.length) {
    return endRun(run, { status: 'completed', result: previous, error: null })
  }
  const at = { ...run, index }
  const here = stepAt(run.definition, index)
  const data = { input: run.input, results: run.results, previous }
  if (here.skipIf !== undefined) {
    const { holds, error } = evaluateCondition(here.skipIf, data)
    if (error !== null) return failStep(at, error)
    if (holds) return skip(at, previous)
  }
  return beginOpening(at, kindOf(here).open(here, data), previous)
}

const beginOpening = (at: RunState, opening: Opening, previous: JsonValue): Transition => {
  switch (opening.kind) {
    case 'slots':
      return openSlots(at, opening)
    case 'wait':
      return openWait(at, opening, previous)
    case 'done':
      return succeed(at, measured(opening.result))
    case 'skip':
      return skip(at, previous)
    case 'fail':
      return failStep(at, opening.error)
    case 'unfinished':
      return unchanged({ ...at, opening: { next: opening.next, previous } })
  }
}

const openNextPart = (run: RunState, { next, previous }: LongOpening): Transition =>
  beginOpening({ ...run, opening: null }, next(), previous)

/** Skips a step. Its result is null, and the next step takes the result of the step before. */
const skip = (run: RunState, previous: JsonValue): Transition => {
  const { index } = run
  const ended = endStep(run, { status: 'skipped', result: null, error: null })
  return after(ended.effects, enter(ended.run, index + 1, previous))
}

const openSlots = (
  run: RunState,
  { slots, start: count, frame }: Extract<Opening, { kind: 'slots' }>,
): Transition => {
  const goesOn = stepAt(run.definition, run.index).continueOnError === true
  const admission = { slots, start: count, goesOn, ...(frame === undefined ? {} : { frame }) }
  // a subflow is not a job: its own first step needs the room
  const needsRoom = slots.some(({ target }) => target.kind === 'action')
  return ask(run, { ...admission, needsRoom })
}

type Admitted = Extract<FlowEvent, { kind: 'admitted' }>

const admit = (asking: RunState, admission: Admission, admitted: Admitted): Transition => {
  const { count, fault, refused = [] } = admitted
  const run = { ...asking, admission: null }
  if (run.step !== null) return startNext(run, run.step, count)
  if (fault !== null) return refuse(run, fault.error)
  if (admission.wait !== undefined) return beginWait(run, admission.wait)
  const { index } = run
  const { slots, start: wanted, frame } = admission
  const here = stepAt(run.definition, index)
  const ended = new Map(refused.map(({ slot, error }) => [slot, failedItem(error)]))
  const bytes = sizeOf(ended)
  if (bytes > MAX_STEP_BYTES) return failStep(run, resultsTooLarge(here))
  const fit = slots.flatMap((what, slot) => (ended.has(slot) ? [] : [{ slot, what }]))
  if (fit.length === 0) return succeed(run, { result: joined(here, ended), bytes })
  const waiting = fit.slice(count)
  const begun = fit.slice(0, count)
  const runs = begun.filter(({ what }) => what.target.kind === 'flow').length
  const waitingSlots = waiting.map(({ slot }) => slot)
  const step = { ...OPENED, open: count, runs, waiting: waitingSlots, ended, bytes }
  return {
    run: { ...run, step, awaitsRoom: count < Math.min(wanted, fit.length) },
    effects: [
      {
        kind: 'open_step',
        index,
        status: 'running',
        until: null,
        waiting,
        refused,
        ...(frame === undefined || waiting.length === 0 ? {} : { frame }),
      },
      ...begun.map(({ slot, what }): FlowEffect => ({ kind: 'start_slot', index, slot, what })),
    ],
  }
}

/** Fails a step whose input does not fit, before anything of it starts [flows 3.7]. */
const refuse = (run: RunState, error: JobError): Transition =>
  run.ending === null
    ? failStep(run, error)
    : endEnding(run, run.ending, { kind: 'failure', error })

const OPENED: OpenStep = {
  status: 'running',
  open: 0,
  runs: 0,
  waiting: [],
  ended: new Map(),
  bytes: 0,
  isWhole: true,
}

const resultsTooLarge = ({ key }: FlowStep): JobError =>
  tooLarge(`All results of step "${key}" together`, MAX_STEP_BYTES)

const sizeOf = (ended: ReadonlyMap<number, JsonValue>): number =>
  [...ended.values()].reduce<number>((sum, item) => sum + jsonBytes(item, MAX_STEP_BYTES), 0)

const joined = (step: FlowStep, ended: ReadonlyMap<number, JsonValue>): JsonValue =>
  kindOf(step).join?.(step, ended) ?? null

/** Opens a wait. The input of reminders is checked like that of any child, before the wait begins. */
const openWait = (run: RunState, wait: Wait, previous: JsonValue): Transition => {
  if (wait.remind === undefined) return beginWait(run, wait, previous)
  return ask(run, { slots: [wait.remind.what], start: 0, needsRoom: false, wait })
}

const beginWait = (
  run: RunState,
  { status, until, event, remind: reminder, shown }: Wait,
  previous: JsonValue = null,
): Transition => {
  const { index } = run
  const kept = passesOver(stepAt(run.definition, index)) ? { previous } : {}
  const waiting = reminder === undefined ? [] : [{ slot: 0, what: reminder.what }]
  const step = { ...OPENED, status, ...kept, waiting: waiting.map(({ slot }) => slot) }
  return {
    run: { ...run, status, step },
    effects: [
      {
        kind: 'open_step',
        index,
        status,
        until,
        waiting,
        refused: [],
        ...(event === undefined ? {} : { event }),
        ...(reminder === undefined ? {} : { remindMs: reminder.everyMs }),
        ...(shown === undefined ? {} : { shown }),
      },
    ],
  }
}

const remind = (run: RunState, { waiting }: OpenStep, attempt: number | null): Transition => {
  const { index } = run
  const here = stepAt(run.definition, index)
  const everyMs = kindOf(here).remindMs?.(here) ?? null
  const [slot] = waiting
  if (slot === undefined || everyMs === null) return unchanged(run)
  const reminder = { index, slot, target: targetOf(run, slot), attempt, everyMs }
  return { run, effects: [{ kind: 'remind', ...reminder }] }
}

const resume = (run: RunState, open: OpenStep, event: FlowEvent): Transition => {
  const here = stepAt(run.definition, run.index)
  const end = kindOf(here).resume?.(here, event) ?? null
  if (end === null) return unchanged(run)
  const reminders = open.waiting.length > 0 ? [cancelChildren(run)] : []
  const isPassedOver = open.previous !== undefined
  if (end.status === 'success') {
    const next = isPassedOver ? { next: open.previous } : {}
    return after(reminders, succeed(run, { ...measured(end.result), ...next }))
  }
  const ended = endStep(run, { ...end, result: null })
  return after([...reminders, ...ended.effects], failRun(ended.run, end.error))
}

const endChild = (
  run: RunState,
  before: OpenStep,
  { slot, attempt, outcome }: ChildEnded,
): Transition => {
  const { index } = run
  const here = stepAt(run.definition, index)
  const open = { ...before, open: before.open - 1, runs: before.runs - runsOf(run, slot) }
  if (isLeaving(run)) return endLeaving(run, open)
  // a subflow is not retried
  if (outcome.kind === 'failure' && targetOf(run, slot).kind === 'action') {
    const policy = retryPolicyOf(here, outcome.retry ?? null)
    const delayMs = nextAttemptMs(policy, outcome, attempt)
    if (delayMs !== null) {
      const target = targetOf(run, slot)
      const retry = { index, slot, target, attempt: attempt + 1, delayMs }
      return { run, effects: [{ kind: 'retry_slot', ...retry }] }
    }
  }
  if (run.ending !== null) return endEnding(run, run.ending, outcome)
  const { item, error } = itemOf(here, outcome)
  if (item === null) return failOpen(run, open, error)
  const bytes = open.bytes + item.bytes
  if (bytes > MAX_STEP_BYTES) return failOpen(run, open, resultsTooLarge(here))
  const ended = new Map(open.ended).set(slot, item.value)
  const left = { ...open, ended, bytes }
  if (left.waiting.length > 0) return askForNext({ ...run, step: left })
  if (left.open > 0) return unchanged({ ...run, step: left })
  if (kindOf(here).join === undefined) return succeed(run, { result: item.value, bytes })
  return endJoined({ ...run, step: left }, left)
}

/** Ends a step whose slots have all ended. If not all of their results were read, the next event of the step joins them. */
const endJoined = (run: RunState, open: OpenStep): Transition => {
  const here = stepAt(run.definition, run.index)
  if (!open.isWhole) return unchanged({ ...run, awaitsRoom: true })
  return succeed(run, { result: joined(here, open.ended), bytes: open.bytes })
}

/** Begins the next waiting slot if the step may have one more under way. */
const makeUseOfRoom = (run: RunState, open: OpenStep): Transition => {
  if (isLeaving(run)) return unchanged({ ...run, awaitsRoom: false })
  const here = stepAt(run.definition, run.index)
  const most = kindOf(here).atOnce?.(here) ?? 1
  if (open.waiting.length > 0 && open.open < most) return askForNext(run)
  const hasJoin = kindOf(here).join !== undefined
  if (hasJoin && open.waiting.length === 0 && open.open === 0) return endJoined(run, open)
  // everything that may be under way is under way
  return unchanged({ ...run, awaitsRoom: false })
}

/** Requests an admission for the next slot. Inputs of waiting slots were checked when the step began. */
const askForNext = (run: RunState): Transition => {
  const [slot = 0] = run.step?.waiting ?? []
  return ask(run, { slots: [], start: 1, needsRoom: targetOf(run, slot).kind === 'action' })
}

const startNext = (run: RunState, open: OpenStep, count: number): Transition => {
  const [slot, ...waiting] = open.waiting
  if (slot === undefined) return unchanged(run)
  if (count === 0) return unchanged({ ...run, awaitsRoom: true })
  const { index } = run
  const runs = open.runs + runsOf(run, slot)
  return {
    run: { ...run, step: { ...open, open: open.open + 1, runs, waiting } },
    effects: [{ kind: 'start_waiting', index, slot, target: targetOf(run, slot) }],
  }
}

/** @throws {Error} the step starts no children */
const targetOf = (
  { definition, index, input, results }: RunState,
  slot: number,
): Slot['target'] => {
  const target = targetAt(stepAt(definition, index), slot, { input, results })
  if (target === null) throw new Error(`Slot ${slot} of step ${index} has no target.`)
  return target
}

/** Returns how many runs of subflows a slot has: one or none. */
const runsOf = (run: RunState, slot: number): number =>
  targetOf(run, slot).kind === 'flow' ? 1 : 0

type Measured = Readonly<{
  result: JsonValue
  bytes: number
  /** What the next step takes, or the run if it ends here. @default the result */
  next?: JsonValue
}>

const measured = (result: JsonValue): Measured => ({
  result,
  bytes: jsonBytes(result, MAX_RUN_BYTES),
})

const ALL_RESULTS = tooLarge('The results of all steps of this run together', MAX_RUN_BYTES)

const succeed = (run: RunState, { result, bytes, next = result }: Measured): Transition => {
  const total = run.bytes + bytes
  if (total > MAX_RUN_BYTES) return failStep(run, ALL_RESULTS)
  const here = stepAt(run.definition, run.index)
  const { stopAfterIf } = here
  const resumeValue = passesOver(here) ? run.resumeValue : formValuesOf(here, result)
  const at = { ...run, bytes: total, resumeValue }
  const ended = endStep(at, { status: 'success', result, error: null })
  const { input, results } = ended.run
  if (stopAfterIf !== undefined) {
    const { holds, error } = evaluateCondition(stopAfterIf, { input, results })
    if (error !== null) return after(ended.effects, failRun(ended.run, error))
    if (holds) {
      return after(
        ended.effects,
        endRun(ended.run, { status: 'completed', result: next, error: null }),
      )
    }
  }
  return after(ended.effects, enter(ended.run, run.index + 1, next))
}
