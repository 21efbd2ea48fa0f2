/**
 * The state machine of a flow run [flows 2, 5, 8, 11]: `step` answers an event with the run after it and the effects that
 * follow. It is pure. Two interpreters carry the effects out: service/flows/ as statements of one write, and
 * internal/project/ in memory.
 */
import type { JobError } from '../job/job-error.ts'
import type { JsonValue } from '../json.ts'
import { evaluateCondition } from './condition/evaluate.ts'
import { jsonBytes, MAX_RUN_BYTES, MAX_STEP_BYTES, tooLarge } from './data-size.ts'
import {
  after,
  ask,
  breakOff,
  cancel,
  cancelChildren,
  endEnding,
  endRun,
  endStep,
  failOpen,
  failRun,
  failStep,
  unchanged,
} from './end-run.ts'
import type { Opening } from './kinds/step-kind.ts'
import { isWait, kindOf, passesOver, targetAt } from './kinds.ts'
import { stepAt } from './position.ts'
import { nextAttemptMs, retryPolicyOf } from './retry-policy.ts'
import type { ChildEnded, FlowEvent, Slot, Wait } from './run.ts'
import type { Admission, FlowEffect, OpenStep, RunState, Transition } from './run-state.ts'

/** The first step of a new run. */
export const start = (run: RunState): Transition => enter(run, 0, run.input)

/**
 * A new run that begins in the middle, with results of an earlier one.
 * @param previous result of the step before, passing over skipped ones
 */
export const resumeAt = (run: RunState, index: number, previous: JsonValue): Transition =>
  enter(run, index, previous)

/** An event that the run does not wait for (the end of a canceled child, a late decision) changes nothing. */
export const step = (run: RunState, event: FlowEvent): Transition => {
  const { step: open, admission } = run
  switch (event.kind) {
    case 'canceled':
      return cancel(run, event.reason)
    case 'planning_failed':
      return breakOff(run, event.error)
    case 'admitted':
      return admission === null ? unchanged(run) : admit(run, admission, event)
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

const waits = ({ definition, index }: RunState): boolean => isWait(stepAt(definition, index))

/** Goes on to a step, and past it while steps are skipped or end at once. */
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
  const opening = kindOf(here).open(here, data)
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
  }
}

/** The result of a skipped step is null; the step behind it takes the result of the one before. */
const skip = (run: RunState, previous: JsonValue): Transition => {
  const { index } = run
  const ended = endStep(run, { status: 'skipped', result: null, error: null })
  return after(ended.effects, enter(ended.run, index + 1, previous))
}

const openSlots = (
  run: RunState,
  { slots, start: count, frame }: Extract<Opening, { kind: 'slots' }>,
): Transition => {
  const admission = { slots, start: count, ...(frame === undefined ? {} : { frame }) }
  // a subflow is not a job: its own first step needs the room
  const needsRoom = slots[0]?.target.kind === 'action'
  return ask(run, { ...admission, needsRoom })
}

type Admitted = Extract<FlowEvent, { kind: 'admitted' }>

const admit = (asking: RunState, admission: Admission, { count, fault }: Admitted): Transition => {
  const run = { ...asking, admission: null }
  if (run.step !== null) return startNext(run, run.step, count)
  if (fault !== null) return refuse(run, fault.error)
  if (admission.wait !== undefined) return beginWait(run, admission.wait)
  const { index } = run
  const { slots, start: wanted, frame } = admission
  const waiting = slots.slice(count).map((what, at) => ({ slot: count + at, what }))
  return {
    run: {
      ...run,
      step: { ...OPENED, open: count, waiting: waiting.map(({ slot }) => slot) },
      awaitsRoom: count < wanted,
    },
    effects: [
      {
        kind: 'open_step',
        index,
        status: 'running',
        until: null,
        waiting,
        ...(frame === undefined || waiting.length === 0 ? {} : { frame }),
      },
      ...slots
        .slice(0, count)
        .map((what, slot): FlowEffect => ({ kind: 'start_slot', index, slot, what })),
    ],
  }
}

/** An input that does not fit fails the step before anything of it starts [flows 3.7]. */
const refuse = (run: RunState, error: JobError): Transition =>
  run.ending === null
    ? failStep(run, error)
    : endEnding(run, run.ending, { kind: 'failure', error })

const OPENED: OpenStep = { status: 'running', open: 0, waiting: [], ended: new Map(), bytes: 0 }

/** The input of reminders is checked as that of any child is, before the wait begins. */
const openWait = (run: RunState, wait: Wait, previous: JsonValue): Transition => {
  if (wait.remind === undefined) return beginWait(run, wait, previous)
  return ask(run, { slots: [wait.remind.what], start: 0, needsRoom: false, wait })
}

const beginWait = (
  run: RunState,
  { status, until, event, remind: reminder }: Wait,
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
        ...(event === undefined ? {} : { event }),
        ...(reminder === undefined ? {} : { remindMs: reminder.everyMs }),
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
  open: OpenStep,
  { slot, attempt, outcome }: ChildEnded,
): Transition => {
  const { index } = run
  const here = stepAt(run.definition, index)
  if (outcome.kind === 'failure') {
    const policy = retryPolicyOf(here, outcome.retry ?? null)
    const delayMs = nextAttemptMs(policy, outcome, attempt)
    if (delayMs !== null) {
      const target = targetOf(run, slot)
      const retry = { index, slot, target, attempt: attempt + 1, delayMs }
      return { run, effects: [{ kind: 'retry_slot', ...retry }] }
    }
  }
  if (run.ending !== null) return endEnding(run, run.ending, outcome)
  if (outcome.kind === 'failure') return failOpen(run, open, outcome.error)
  const bytes = open.bytes + (outcome.bytes ?? jsonBytes(outcome.value, MAX_STEP_BYTES))
  if (bytes > MAX_STEP_BYTES) {
    const what = `All results of step "${here.key}" together`
    return failOpen(run, open, tooLarge(what, MAX_STEP_BYTES))
  }
  const ended = new Map(open.ended).set(slot, outcome.value)
  const left = { ...open, open: open.open - 1, ended, bytes }
  if (left.waiting.length > 0) return askForNext({ ...run, step: left })
  if (left.open > 0) return unchanged({ ...run, step: left })
  const { join } = kindOf(here)
  const result = join === undefined ? outcome.value : join(here, ended)
  return succeed(run, { result, bytes })
}

/** A slot that waits begins as far as the step may have one more under way. */
const makeUseOfRoom = (run: RunState, open: OpenStep): Transition => {
  const here = stepAt(run.definition, run.index)
  const most = kindOf(here).atOnce?.(here) ?? 1
  if (open.waiting.length > 0 && open.open < most) return askForNext(run)
  // all that may be under way is
  return unchanged({ ...run, awaitsRoom: false })
}

/** Inputs of slots that wait were checked when the step began. */
const askForNext = (run: RunState): Transition => ask(run, { slots: [], start: 1, needsRoom: true })

const startNext = (run: RunState, open: OpenStep, count: number): Transition => {
  const [slot, ...waiting] = open.waiting
  if (slot === undefined) return unchanged(run)
  if (count === 0) return unchanged({ ...run, awaitsRoom: true })
  const { index } = run
  return {
    run: { ...run, step: { ...open, open: open.open + 1, waiting } },
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

type Measured = Readonly<{
  result: JsonValue
  bytes: number
  /** What the step behind takes, and the run that ends here. @default the result */
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
  const { stopAfterIf } = stepAt(run.definition, run.index)
  const ended = endStep({ ...run, bytes: total }, { status: 'success', result, error: null })
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
