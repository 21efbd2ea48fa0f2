/** Steps that begin, and the children that do them: jobs pinned to the run's deployment, and runs of other flows. */
import { AppError } from '#core/error.ts'
import { itemInput } from '#core/flow/kinds/loop.ts'
import { asksPeople, targetAt } from '#core/flow/kinds.ts'
import type { FlowDecision, Slot } from '#core/flow/run.ts'
import { inputCheck } from '#core/input-schema.ts'
import { type JobError, TRIGGER_KINDS, type TriggerKind } from '#core/job.ts'
import { isJsonObject, type JsonValue } from '#core/json.ts'
import { type FlowJob, insertFlowJob } from '#store/flow-jobs.ts'
import type { NextSlot } from '#store/flow-runs.ts'
import { deleteFlowSlot, insertFlowSlots, insertFlowStep } from '#store/flow-steps.ts'
import type { NewJob } from '#store/job-queue.ts'
import type { Deps } from '../deps.ts'
import { type JobRequest, pinJob } from '../pin-job.ts'
import { slotPlace, stepPlace } from './cipher.ts'
import {
  failed,
  guardOf,
  type Plan,
  type PlannedRun,
  stepOf,
  tell,
  untouched,
} from './planned-run.ts'

export type PlanDeps = Pick<Deps, 'newId' | 'limits' | 'gate'>

/** Of checking the input of one slot, in characters. */
const SLOT_WEIGHT = 16_384

type OpenDecision = Extract<FlowDecision, { kind: 'open_step' }>

export const openStep = async (
  deps: PlanDeps,
  plan: Plan,
  run: PlannedRun,
  decision: OpenDecision,
): Promise<void> => {
  const { index, slots, start } = decision
  run.index = index
  run.status = 'running'
  run.waitMs = null
  run.keepsWait = false
  const fault = await firstFault(plan, run, slots)
  // what no action takes fails the step before anything of it is started
  const begun = fault === null ? await takeRoom(deps, run, decision) : 1
  const isWaiting = fault === null && begun < slots.length
  run.awaitsRoom = fault === null && begun < start
  run.step = {
    status: 'running',
    open: begun,
    nextSlot: isWaiting ? begun : null,
    ended: new Map(),
    bytes: 0,
  }
  const frame =
    isWaiting && decision.frame !== undefined
      ? { frame: run.cipher.seal(stepPlace(run.id, index, 'frame'), decision.frame) }
      : {}
  plan.statements.push(
    insertFlowStep({ ...stepOf(run, index), status: 'running', ...frame }, guardOf(plan)),
  )
  if (fault !== null) {
    const { slot, error } = fault
    tell(plan, run, { kind: 'child_ended', slot, attempt: 1, outcome: failed(error) })
    return
  }
  for (const [slot, what] of slots.slice(0, begun).entries()) {
    await startSlot(deps, plan, run, { index, slot, attempt: 1, delayMs: 0, what })
  }
  if (isWaiting) await keepWaiting(plan, run, { ...decision, begun })
}

/** A subflow is no job: its own first step looks for room. */
const takeRoom = async (
  { gate }: PlanDeps,
  { ws }: PlannedRun,
  { slots, start }: OpenDecision,
): Promise<number> => (slots[0]?.target.kind === 'flow' ? start : gate.take(ws, start))

type SlotFault = Readonly<{ slot: number; error: JobError }>

const firstFault = async (
  plan: Plan,
  run: PlannedRun,
  slots: readonly Slot[],
): Promise<SlotFault | null> => {
  for (const [slot, { target, input }] of slots.entries()) {
    const error = target.kind === 'action' ? faultOf(run, target.key, input) : null
    if (error !== null) return { slot, error }
    await plan.pace(SLOT_WEIGHT)
  }
  return null
}

/** Slots that begin later. Of a loop an item is kept for each, and what their inputs share once for the step. */
const keepWaiting = async (
  plan: Plan,
  run: PlannedRun,
  { index, slots, frame, begun }: OpenDecision & Readonly<{ begun: number }>,
): Promise<void> => {
  const areItems = frame !== undefined
  const waiting: (readonly [number, string])[] = []
  for (const [at, { input, item }] of slots.slice(begun).entries()) {
    const slot = begun + at
    const place = slotPlace({ runId: run.id, index, slot }, areItems ? 'item' : 'input')
    const text = run.cipher.seal(place, areItems ? (item ?? null) : input)
    waiting.push([slot, text])
    await plan.pace(text.length)
  }
  plan.statements.push(
    insertFlowSlots({ runId: run.id, index, slots: waiting, areItems }, guardOf(plan)),
  )
}

/** Why an action takes no such input, as its schema says; no other try would do better. */
export const faultOf = ({ pinned }: PlannedRun, key: string, input: JsonValue): JobError | null => {
  const definition = pinned.actions.get(key)
  if (definition === undefined) {
    return { name: 'InvalidInput', message: `The app has no action "${key}".` }
  }
  const [fault] = inputCheck(definition.inputSchema)?.(input) ?? []
  return fault === undefined
    ? null
    : {
        name: 'InvalidInput',
        message: `The input does not fit the schema of "${key}": ${fault.path} ${fault.message}`,
      }
}

type Start = Readonly<{ index: number; slot: number; attempt: number; delayMs: number; what: Slot }>

export const startSlot = async (
  deps: PlanDeps,
  plan: Plan,
  run: PlannedRun,
  start: Start,
): Promise<void> => {
  const { target } = start.what
  if (target.kind === 'flow') startSubflow(deps, plan, run, start)
  else await plan.pace(startJob(deps, plan, run, start))
}

const asTriggerKind = (kind: string): TriggerKind =>
  TRIGGER_KINDS.find((known) => known === kind) ?? 'api'

/** @returns how long the input is */
const startJob = (deps: PlanDeps, plan: Plan, run: PlannedRun, start: Start): number => {
  const { index, slot, attempt, delayMs, what } = start
  const definition = run.pinned.actions.get(what.target.key)
  if (definition === undefined) throw new Error(`The app has no action ${what.target.key}.`)
  const place = { runId: run.id, index, slot }
  const request: JobRequest = {
    ws: run.ws,
    app: run.app,
    action: what.target.key,
    input: what.input,
    inputJson: run.cipher.seal(slotPlace(place, 'input'), what.input),
    triggerKind: asTriggerKind(run.triggerKind),
    createdBy: run.createdBy,
    permissionedAs: run.permissionedAs,
  }
  let job: NewJob
  try {
    // each try is a job of its own: the run counts them, by the step's policy or the action's
    const known = {
      deploymentId: run.deploymentId,
      definition: { ...definition, retry: null },
      checkInput: null,
    }
    job = pinJob(deps, { request, known, jobId: deps.newId() })
  } catch (refusal) {
    // its concurrency key needs what the input lacks
    if (!(refusal instanceof AppError)) throw refusal
    const error = { name: 'InvalidInput', message: refusal.message }
    tell(plan, run, { kind: 'child_ended', slot, attempt, outcome: failed(error) })
    return 0
  }
  const { key } = stepOf(run, index)
  const flow: FlowJob = { runId: run.id, step: key, index, slot, attempt, delayMs }
  const context = run.cipher.seal(slotPlace(place, 'context'), contextOf(run, index))
  plan.statements.push(...insertFlowJob({ job, flow, context }, guardOf(plan)))
  return request.inputJson.length
}

/** What ctx tells of the run: who approved what, just before. */
const contextOf = (run: PlannedRun, index: number): JsonValue => {
  const before = run.definition.steps[index - 1]
  const after = run.definition.steps[index + 1]
  const values =
    before !== undefined && asksPeople(before) ? run.results.get(before.key) : undefined
  return {
    run_id: run.id,
    flow: run.definition.key,
    step: stepOf(run, index).key,
    resume_value: values ?? null,
    // links are for the approval that comes next
    approval_index: after !== undefined && asksPeople(after) ? index + 1 : null,
  }
}

/** Of a child that has ended: another try takes its input over. */
const endedInput = (run: PlannedRun, slot: number): JsonValue => {
  const sealed = run.inputs.get(slot)
  if (sealed === undefined) throw new Error(`The input of slot ${slot} was not read.`)
  return run.cipher.open(slotPlace({ runId: run.id, index: run.index, slot }, 'input'), sealed)
}

/** @throws {Error} the item does not give the input that it gave when the step began */
const waitingInput = (run: PlannedRun, { slot, text, isItem }: NextSlot): JsonValue => {
  const { id: runId, index, cipher } = run
  const address = { runId, index, slot }
  if (!isItem) return cipher.open(slotPlace(address, 'input'), text)
  const step = run.definition.steps[index]
  if (step === undefined) throw new Error('A loop lacks its step.')
  const frame = run.frame === null ? {} : cipher.open(stepPlace(runId, index, 'frame'), run.frame)
  const value = cipher.open(slotPlace(address, 'item'), text)
  const input = itemInput(step, isJsonObject(frame) ? frame : {}, { value, index: slot })
  if (input.error !== null) throw new Error(input.error.message)
  return input.value
}

/** Of a slot that is begun later, or tried again. Results never change, so a branch chooses the same arm once more. */
const slotTarget = (run: PlannedRun, slot: number): Slot['target'] => {
  const { definition, index, input, results } = run
  const step = definition.steps[index]
  const target =
    step === undefined
      ? ({ kind: 'action', key: definition.failureModule?.action ?? '' } as const)
      : targetAt(step, slot, { input, results })
  if (target === null) throw new Error(`The slot ${slot} of the run ${run.id} has no target.`)
  return target
}

/** With the queue full it goes on waiting. */
export const startWaitingSlot = async (
  deps: PlanDeps,
  plan: Plan,
  run: PlannedRun,
  slot: number,
): Promise<void> => {
  const { index, step } = run
  const next = run.nextSlots.find((each) => each.slot === slot)
  if (step === null || next === undefined) throw new Error(`The slot ${slot} was not read.`)
  if ((await deps.gate.take(run.ws, 1)) === 0) {
    run.awaitsRoom = true
    return
  }
  plan.statements.push(deleteFlowSlot({ runId: run.id, index, slot }, guardOf(plan)))
  run.nextSlots = run.nextSlots.filter((each) => each !== next)
  run.step = { ...step, open: step.open + 1, nextSlot: run.nextSlots[0]?.slot ?? null }
  const what = { target: slotTarget(run, slot), input: waitingInput(run, next) }
  await startSlot(deps, plan, run, { index, slot, attempt: 1, delayMs: 0, what })
}

type RetryDecision = Extract<FlowDecision, { kind: 'retry_slot' }>

/** A slot that has found its room keeps it: another try waits for none. */
export const retrySlot = async (
  deps: PlanDeps,
  plan: Plan,
  run: PlannedRun,
  { index, slot, attempt, delayMs }: RetryDecision,
): Promise<void> => {
  const what = { target: slotTarget(run, slot), input: endedInput(run, slot) }
  await startSlot(deps, plan, run, { index, slot, attempt, delayMs, what })
}

const startSubflow = (
  deps: PlanDeps,
  plan: Plan,
  run: PlannedRun,
  { index, what }: Start,
): void => {
  const definition = run.pinned.flows.get(what.target.key)
  if (definition === undefined) throw new Error(`The app has no flow ${what.target.key}.`)
  const child: PlannedRun = {
    ...run,
    id: deps.newId(),
    definition,
    triggerKind: 'subflow',
    input: what.input,
    parent: { runId: run.id, index },
    depth: run.depth + 1,
    version: null,
    origin: { trigger: null, restartedFrom: null },
    ...untouched(),
  }
  plan.runs.set(child.id, child)
  plan.pending.push({ kind: 'start', run: child })
}
