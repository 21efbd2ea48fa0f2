/** Steps that begin, and the children that do them: jobs pinned to the run's deployment, and runs of other flows. */
import { AppError } from '#core/error.ts'
import type { FlowDecision, Slot } from '#core/flow/run.ts'
import { chooseArm } from '#core/flow/steps/branch-one.ts'
import type { FlowStep } from '#core/flow/steps/opening.ts'
import { inputCheck } from '#core/input-schema.ts'
import { type JobError, TRIGGER_KINDS, type TriggerKind } from '#core/job.ts'
import type { JsonValue } from '#core/json.ts'
import { type FlowJob, insertFlowJob } from '#store/flow-jobs.ts'
import { deleteFlowSlot, insertFlowSlots, insertFlowStep } from '#store/flow-steps.ts'
import type { NewJob } from '#store/job-queue.ts'
import type { Deps } from '../deps.ts'
import { type JobRequest, pinJob } from '../pin-job.ts'
import { slotPlace } from './cipher.ts'
import {
  failed,
  guardOf,
  type Plan,
  type PlannedRun,
  stepOf,
  tell,
  untouched,
} from './planned-run.ts'

export type PlanDeps = Pick<Deps, 'newId' | 'limits'>

type OpenDecision = Extract<FlowDecision, { kind: 'open_step' }>

export const openStep = (
  deps: PlanDeps,
  plan: Plan,
  run: PlannedRun,
  { index, slots, start }: OpenDecision,
): void => {
  const guard = guardOf(plan)
  run.index = index
  run.status = 'running'
  run.waitMs = null
  run.keepsWait = false
  run.step = {
    status: 'running',
    open: start,
    nextSlot: start < slots.length ? start : null,
    ended: new Map(),
  }
  plan.statements.push(insertFlowStep({ ...stepOf(run, index), status: 'running' }, guard))
  // what no action takes fails the step before anything of it is started
  for (const [slot, { target, input }] of slots.entries()) {
    const error = target.kind === 'action' ? faultOf(run, target.key, input) : null
    if (error === null) continue
    run.step = { ...run.step, open: 1, nextSlot: null }
    tell(plan, run, { kind: 'child_ended', slot, attempt: 1, outcome: failed(error) })
    return
  }
  for (const [slot, what] of slots.slice(0, start).entries()) {
    startSlot(deps, plan, run, { index, slot, attempt: 1, delayMs: 0, what })
  }
  const waiting = slots.slice(start).map(({ input }, at) => {
    const slot = start + at
    return [
      slot,
      run.cipher.seal(slotPlace({ runId: run.id, index, slot }, 'input'), input),
    ] as const
  })
  if (waiting.length > 0) {
    plan.statements.push(insertFlowSlots({ runId: run.id, index, slots: waiting }, guard))
  }
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

export const startSlot = (deps: PlanDeps, plan: Plan, run: PlannedRun, start: Start): void => {
  const { target } = start.what
  if (target.kind === 'subflow') startSubflow(deps, plan, run, start)
  else startJob(deps, plan, run, start)
}

const asTriggerKind = (kind: string): TriggerKind =>
  TRIGGER_KINDS.find((known) => known === kind) ?? 'api'

const startJob = (deps: PlanDeps, plan: Plan, run: PlannedRun, start: Start): void => {
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
    return
  }
  const { key } = stepOf(run, index)
  const flow: FlowJob = { runId: run.id, step: key, index, slot, attempt, delayMs }
  const context = run.cipher.seal(slotPlace(place, 'context'), contextOf(run, index))
  plan.statements.push(...insertFlowJob({ job, flow, context }, guardOf(plan)))
}

/** What ctx tells of the run: who approved what, just before. */
const contextOf = (run: PlannedRun, index: number): JsonValue => {
  const before = run.definition.steps[index - 1]
  const after = run.definition.steps[index + 1]
  const values = before?.kind === 'approval' ? run.results.get(before.key) : undefined
  return {
    run_id: run.id,
    flow: run.definition.key,
    step: stepOf(run, index).key,
    resume_value: values ?? null,
    // links are for the approval that comes next
    approval_index: after?.kind === 'approval' ? index + 1 : null,
  }
}

const slotInput = (run: PlannedRun, slot: number): JsonValue => {
  const sealed = run.inputs.get(slot)
  if (sealed === undefined) throw new Error(`The input of slot ${slot} was not read.`)
  return run.cipher.open(slotPlace({ runId: run.id, index: run.index, slot }, 'input'), sealed)
}

/** Of a slot that is begun later, or tried again. Results never change, so a branch chooses the same arm once more. */
const slotAction = (run: PlannedRun, slot: number): Slot['target'] => {
  const { definition, index } = run
  const step = definition.steps[index]
  return { kind: 'action', key: slotKey(run, step, slot) ?? '' }
}

const slotKey = (
  { definition, input, results }: PlannedRun,
  step: FlowStep | undefined,
  slot: number,
): string | undefined => {
  if (step === undefined) return definition.failureModule?.action
  if (step.kind === 'branchall') return step.branches?.[slot]?.action
  if (step.kind === 'branchone') return chooseArm(step, { input, results }).arm?.action
  return step.action
}

export const startWaitingSlot = (
  deps: PlanDeps,
  plan: Plan,
  run: PlannedRun,
  slot: number,
): void => {
  const { index } = run
  plan.statements.push(deleteFlowSlot({ runId: run.id, index, slot }, guardOf(plan)))
  run.nextSlots = run.nextSlots.filter((each) => each !== slot)
  if (run.step !== null) run.step = { ...run.step, nextSlot: run.nextSlots[0] ?? null }
  const what = { target: slotAction(run, slot), input: slotInput(run, slot) }
  startSlot(deps, plan, run, { index, slot, attempt: 1, delayMs: 0, what })
}

type RetryDecision = Extract<FlowDecision, { kind: 'retry_slot' }>

export const retrySlot = (
  deps: PlanDeps,
  plan: Plan,
  run: PlannedRun,
  { index, slot, attempt, delayMs }: RetryDecision,
): void => {
  const what = { target: slotAction(run, slot), input: slotInput(run, slot) }
  startSlot(deps, plan, run, { index, slot, attempt, delayMs, what })
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
