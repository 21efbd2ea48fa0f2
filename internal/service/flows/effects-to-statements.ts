/** Turns effects of the machine into statements. Another interpreter of effects runs flows in memory for `svc dev`. */

import { isWait } from '#core/flow/kinds.ts'
import { findStep } from '#core/flow/position.ts'
import type { FlowEffect } from '#core/flow/run-state.ts'
import type { JobError } from '#core/job/job-error.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { Statement } from '#store/database.ts'
import { takeEarlierEvent } from '#store/events/events.ts'
import { insertFlowWait, leaveFlowWait, wakeRun } from '#store/flows/event-waits.ts'
import { endFlowStep, insertFlowStep } from '#store/flows/steps.ts'
import { endStepOfRun, wakeCallerOfRun } from '#store/jobs/called-runs.ts'
import { cancelChildren } from './cancel-children.ts'
import { type Place, runPlace, stepPlace } from './cipher.ts'
import {
  changeRun,
  guardOf,
  type Plan,
  type PlannedRun,
  runIn,
  stepColumns,
} from './planned-run.ts'
import { type ChildDeps, startChild } from './start-child.ts'
import { deleteSlots, endedInput, keepRefused, keepWaiting, takeWaiting } from './stored-slots.ts'

type Effect<Kind extends FlowEffect['kind']> = Extract<FlowEffect, { kind: Kind }>

/**
 * Returns what an effect writes. It also changes the run's row in the plan, adds runs of subflows to the plan, and leaves
 * events for other runs in it.
 */
export const toStatements = async (
  deps: ChildDeps,
  plan: Plan,
  id: string,
  effect: FlowEffect,
): Promise<readonly Statement[]> => {
  const run = runIn(plan, id)
  const { index } = effect.kind === 'end_run' ? run.state : effect
  switch (effect.kind) {
    case 'open_step':
      return openStep(deps, plan, run, effect)
    case 'start_slot': {
      const { slot, what } = effect
      return startChild(deps, plan, run, { index, slot, attempt: 1, delayMs: 0, what })
    }
    case 'start_waiting': {
      const { slot, target } = effect
      const { input, statements } = await takeWaiting(plan, run, slot)
      const what = { target, input }
      const start = { index, slot, attempt: 1, delayMs: 0, what }
      return [...statements, ...(await startChild(deps, plan, run, start))]
    }
    case 'retry_slot': {
      const { slot, target, attempt, delayMs } = effect
      const what = { target, input: await endedInput(run, slot) }
      return startChild(deps, plan, run, { index, slot, attempt, delayMs, what, isRetry: true })
    }
    case 'remind':
      return remind(deps, plan, run, effect)
    case 'end_step':
      return endStep(deps, plan, run, effect)
    case 'cancel_children':
      return cancelChildren(deps, plan, run, effect)
    case 'end_run':
      return endRun(plan, run, effect)
  }
}

const openStep = async (
  deps: ChildDeps,
  plan: Plan,
  run: PlannedRun,
  { index, status, until, event, remindMs, shown, waiting, refused, frame }: Effect<'open_step'>,
): Promise<readonly Statement[]> => {
  changeRun(plan, run.id, { wait: until, remindMs: remindMs ?? null })
  const seal = (field: 'frame' | 'shown', value: JsonValue | undefined) =>
    value === undefined ? {} : { [field]: run.cipher.seal(stepPlace(run.id, index, field), value) }
  const row = {
    ...stepColumns(run, index),
    status,
    ...seal('frame', frame),
    ...seal('shown', shown),
    refused: refused.length,
  }
  return [
    insertFlowStep(row, guardOf(plan)),
    ...(await keepWaiting(plan, run, { index, waiting, areItems: frame !== undefined })),
    ...(await keepRefused(plan, run, { index, refused })),
    ...(event === undefined ? [] : waitForEvent(deps, plan, run, { index, event })),
  ]
}

/** Opens a wait. If it finds an earlier event, it ends at once: its run is due. */
const waitForEvent = (
  { newId, limits }: ChildDeps,
  plan: Plan,
  run: PlannedRun,
  { index, event }: Required<Pick<Effect<'open_step'>, 'index' | 'event'>>,
): readonly Statement[] => {
  const { runId, key: step } = stepColumns(run, index)
  const wait = { id: newId(), ws: run.ws, runId, index, step, ...event }
  return [
    insertFlowWait(wait, guardOf(plan)),
    takeEarlierEvent(wait.id, limits.eventLookbackMs),
    wakeRun(wait),
  ]
}

/** Starts a reminder. The input of the reminders is kept for the next one. */
const remind = async (
  deps: ChildDeps,
  plan: Plan,
  run: PlannedRun,
  { index, slot, target, attempt, everyMs }: Effect<'remind'>,
): Promise<readonly Statement[]> => {
  changeRun(plan, run.id, { remindMs: everyMs })
  if (attempt === null) return []
  const { input } = await takeWaiting(plan, run, slot)
  const what = { target, input }
  return startChild(deps, plan, run, { index, slot, attempt, delayMs: 0, what })
}

/** Statuses in which a step no longer waits, although nothing has come. */
const LEFT: ReadonlySet<string> = new Set(['canceled', 'failure'])

const sealError = ({ cipher }: PlannedRun, place: Place, error: JobError | null): string | null =>
  error === null ? null : cipher.seal(place, { ...error })

const endStep = async (
  deps: ChildDeps,
  plan: Plan,
  run: PlannedRun,
  { index, status, result, error }: Effect<'end_step'>,
): Promise<readonly Statement[]> => {
  changeRun(plan, run.id, { wait: null, remindMs: null })
  const ended = {
    ...stepColumns(run, index),
    status,
    result:
      status === 'success'
        ? await run.cipher.write(stepPlace(run.id, index, 'result'), result)
        : null,
    error: sealError(run, stepPlace(run.id, index, 'error'), error),
  }
  const step = findStep(run.state.definition, index)
  // children that could not begin were kept until the step ended
  const hasSlots = step?.continueOnError === true
  const isLeft = step !== null && isWait(step) && LEFT.has(status)
  return [
    endFlowStep(ended, guardOf(plan)),
    ...(hasSlots ? await deleteSlots(deps, { runId: run.id, index }, guardOf(plan)) : []),
    ...(isLeft ? [leaveFlowWait({ runId: run.id, index }, guardOf(plan))] : []),
  ]
}

/** Ends a run, and a durable step that waits for it. The row of the run is written from the plan's run (plan-statements.ts). */
const endRun = async (
  plan: Plan,
  run: PlannedRun,
  { status, result, parentEvent }: Effect<'end_run'>,
): Promise<readonly Statement[]> => {
  const { id, ws, parent, isBoundToJob } = run
  const sealedResult =
    status === 'completed' ? await run.cipher.write(runPlace(id, 'result'), result) : null
  changeRun(plan, id, { wait: null, remindMs: null, sealedResult })
  if (parent !== null) {
    const { runId, index, slot } = parent
    plan.pending.push({ kind: 'event', ws, runId, index, event: { ...parentEvent, slot } })
  }
  if (!isBoundToJob) return []
  const called = { ws, runId: id }
  const guard = guardOf(plan)
  return [endStepOfRun(called, null, guard), wakeCallerOfRun(called, guard)]
}
