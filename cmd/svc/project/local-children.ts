/** What the steps of a local flow run start: jobs in the sandbox, and runs of other flows. */
import { setTimeout } from 'node:timers/promises'
import type { FlowDefinition } from '#core/flow/definition.ts'
import { asksPeople } from '#core/flow/kinds.ts'
import type { ChildOutcome, FlowEvent, RunState, Slot } from '#core/flow/run.ts'
import type { JobError } from '#core/job.ts'
import { isJsonObject, type JsonValue } from '#core/json.ts'
import type { LocalAction } from './app-folder.ts'
import { inputFault, type LocalActions } from './local-actions.ts'
import type { LocalApprovals } from './local-approvals.ts'

export type LocalStep = Readonly<{
  /** Of a subflow's step with the names of the steps above it: `outer/inner`. */
  path: string
  status: string
  result: JsonValue
  error: JobError | null
  log: string
  ms: number
}>

export type LocalRunEnd = Readonly<{
  status: 'completed' | 'failed' | 'canceled'
  result: JsonValue
  error: JobError | null
}>

export type FlowWorld = Readonly<{
  flows: ReadonlyMap<string, FlowDefinition>
  actions: ReadonlyMap<string, LocalAction>
  runner: LocalActions
  approvals: LocalApprovals
  onStep: (step: LocalStep) => void
  signal: AbortSignal
}>

export type FlowStart = Readonly<{ definition: FlowDefinition; input: JsonValue; above?: string }>

export type ChildEnded = Extract<FlowEvent, { kind: 'child_ended' }>

export type Run = {
  readonly id: string
  readonly world: FlowWorld
  readonly definition: FlowDefinition
  readonly above: string
  /** A run below this one. */
  readonly runFlow: (start: FlowStart) => Promise<LocalRunEnd>
  state: RunState
  slots: readonly Slot[]
  started: number
  ended: Map<number, JsonValue>
  /** Of their results. */
  slotBytes: number
  /** Each with the event of its end. */
  children: Map<string, Promise<ChildEnded>>
  /** Ends the children of the step. */
  abort: AbortController
  log: string
  openedAt: number
  end: LocalRunEnd | null
}

export const stepKey = ({ definition }: Run, index: number): string =>
  definition.steps[index]?.key ?? definition.failureModule?.key ?? ''

const failure = (error: JobError): ChildOutcome => ({ kind: 'failure', error })

/** What ctx.flow tells: who approved what, just before. */
const contextOf = (run: Run, index: number) => {
  const before = run.definition.steps[index - 1]
  const values =
    before !== undefined && asksPeople(before) ? run.state.results.get(before.key) : undefined
  const base = { runId: run.id, step: stepKey(run, index) }
  return isJsonObject(values) ? { ...base, resumeValue: values } : base
}

export const faultOf = ({ world }: Run, { target, input }: Slot): JobError | null => {
  if (target.kind === 'flow') return null
  const action = world.actions.get(target.key)
  return action === undefined
    ? { name: 'InvalidInput', message: `The app has no action "${target.key}".` }
    : inputFault(action, input)
}

const runSubflow = async (
  run: Run,
  index: number,
  { target, input }: Slot,
): Promise<ChildOutcome> => {
  const definition = run.world.flows.get(target.key)
  if (definition === undefined) throw new Error(`The app has no flow ${target.key}.`)
  const above = `${run.above}${stepKey(run, index)}/`
  const { status, result, error } = await run.runFlow({ definition, input, above })
  if (status === 'completed') return { kind: 'success', value: result }
  return failure(error ?? { name: 'Canceled', message: 'The run was canceled.' })
}

type Job = Readonly<{ index: number; attempt: number; what: Slot; delayMs: number }>

const runChild = async (
  run: Run,
  { index, attempt, what, delayMs }: Job,
): Promise<ChildOutcome> => {
  if (what.target.kind === 'flow') return runSubflow(run, index, what)
  const fault = faultOf(run, what)
  const action = run.world.actions.get(what.target.key)
  if (fault !== null || action === undefined) {
    return failure(fault ?? { name: 'InvalidInput', message: 'There is no such action.' })
  }
  const after = run.definition.steps[index + 1]
  const signal = AbortSignal.any([run.world.signal, run.abort.signal])
  if (delayMs > 0) await setTimeout(delayMs, undefined, { signal }).catch(() => undefined)
  const { outcome, log } = await run.world.runner.run({
    action,
    attempt,
    signal,
    input: what.input,
    flow: contextOf(run, index),
    isBeforeApproval: after !== undefined && asksPeople(after),
  })
  // what a child that was given up still wrote belongs to no step
  if (!signal.aborted) run.log += log
  const { retry } = action.definition
  return outcome.kind === 'failure' && retry !== null ? { ...outcome, retry } : outcome
}

export const startChild = (run: Run, slot: number, job: Job): void => {
  const { attempt } = job
  const ended = runChild(run, job).then(
    (outcome): ChildEnded => ({ kind: 'child_ended', slot, attempt, outcome }),
  )
  run.children.set(`${slot} ${attempt}`, ended)
}

export const startSlot = (
  run: Run,
  index: number,
  slot: number,
  again = { attempt: 1, delayMs: 0 },
) => {
  const what = run.slots[slot]
  if (what === undefined) throw new Error(`The step ${stepKey(run, index)} has no slot ${slot}.`)
  startChild(run, slot, { index, what, ...again })
}
