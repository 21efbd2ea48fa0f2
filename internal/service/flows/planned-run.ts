/**
 * A plan turns events into one write. It contains the runs that a transition affects (the end of a subflow may advance its
 * parent run, and that one its own parent) and the statements for them. Every statement is guarded by the transition, so that
 * all of them are written or none.
 */
import type { ConcurrencyLimit } from '#core/action/concurrency-key.ts'
import { flowLimitOf } from '#core/flow/concurrency.ts'
import type { FlowDefinition } from '#core/flow/definition.ts'
import { startLater } from '#core/flow/machine.ts'
import { BEFORE_FIRST_STEP, stepAt } from '#core/flow/position.ts'
import type { Deadline, FlowEvent } from '#core/flow/run.ts'
import { newRun, type RunState } from '#core/flow/run-state.ts'
import type { FlowTriggerKind } from '#core/job/trigger-kind.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { Statement } from '#store/database.ts'
import { isTransition, type NextSlot } from '#store/flows/runs.ts'
import { createPace, type Pace } from '../portions/pace.ts'
import type { FlowCipher } from './cipher.ts'
import type { PinnedApp } from './pinned-flows.ts'

/** A run with the content of its row. A plan replaces it as a whole. */
export type PlannedRun = Readonly<{
  ws: string
  id: string
  app: string
  deploymentId: string
  pinned: PinnedApp
  cipher: FlowCipher
  createdBy: string
  permissionedAs: string
  triggerKind: FlowTriggerKind
  chainDepth: number
  holdsAppsWrite: boolean
  /** All jobs of the run and of its subflows have it. */
  priority: number
  /** All jobs of the run and of its subflows have it; if null, they have the tags of their actions. */
  tag: string | null
  parent: Readonly<{ runId: string; index: number; slot: number }> | null
  depth: number
  /** Whether it is canceled with a job, which may wait for its end. */
  isBoundToJob: boolean
  /** Null if the plan inserts the run. */
  version: number | null
  /** Columns of a run that the plan inserts. */
  origin: Readonly<{
    trigger: string | null
    restartedFrom: string | null
    /** Null if the flow does not limit its runs. */
    concurrency: ConcurrencyLimit | null
  }>
  state: RunState
  /** Why the parent run canceled it; null if it did not. The next transition begins with the cancel. */
  cancelReason: string | null
  /** When the wait is over; null if it does not wait, or waits without end; `kept`: unchanged in the row. */
  wait: Deadline | null | 'kept'
  /** Milliseconds until the next reminder; null if there is none; `kept`: unchanged in the row. */
  remindMs: number | null | 'kept'
  /** The result, encrypted, once the run is completed. */
  sealedResult: string | null
  stored: StoredSlots
}>

/** What the database has of the step's children, encrypted. */
export type StoredSlots = Readonly<{
  /** Inputs of children that have ended, which a further attempt reuses. */
  inputs: ReadonlyMap<number, string>
  /** The first children that have not begun, in order. */
  next: readonly NextSlot[]
  /** What the inputs of a loop's waiting items have in common. */
  frame: string | null
}>

const NOTHING_STORED: StoredSlots = { inputs: new Map(), next: [], frame: null }

/** The fields of a run that has not begun. */
export const notBegun = (
  definition: FlowDefinition,
  input: JsonValue,
  { unwinding }: Pick<PinnedApp, 'unwinding'>,
) => ({
  state: newRun(definition, input, unwinding),
  cancelReason: null,
  version: null,
  wait: null,
  remindMs: null,
  sealedResult: null,
  stored: NOTHING_STORED,
})

/**
 * Lets a new run wait for a concurrency slot, if its flow limits how many are under way (store/flows/concurrency.ts).
 * @throws {AppError} invalid: the input lacks what the key refers to
 */
export const underLimit = (run: PlannedRun): PlannedRun => {
  const { state, origin } = run
  const concurrency = flowLimitOf(run, state.definition, state.input)
  if (concurrency === null) return run
  return { ...run, state: startLater(state), origin: { ...origin, concurrency } }
}

/** Whether a new run begins in the write that inserts it. */
export const beginsAtOnce = ({ state }: PlannedRun): boolean => state.index !== BEFORE_FIRST_STEP

export type Pending =
  | Readonly<{ kind: 'start'; runId: string }>
  /** An event of a run that may have to be read first: a parent. */
  | Readonly<{
      kind: 'event'
      ws: string
      runId: string
      /** The index of the step that the event is for. A run that has moved on ignores it. */
      index: number
      event: FlowEvent
    }>

export type Plan = Readonly<{
  transition: string
  runs: Map<string, PlannedRun>
  /** The run whose row the guard checks. */
  mainId: string
  statements: Statement[]
  /** Ids of the jobs that the plan inserts and that are due at once. */
  dueJobs: string[]
  /** Consequences for other runs, which follow before the plan is written. */
  pending: Pending[]
  /** Awaited after each piece of work on large values. */
  pace: Pace
}>

/** Begins the plan of one transition of the run `main`; runs that it affects are added to it. */
export const openPlan = (transition: string, main: PlannedRun): Plan => ({
  transition,
  runs: new Map([[main.id, main]]),
  mainId: main.id,
  statements: [],
  dueJobs: [],
  pending: [],
  pace: createPace(),
})

/** @throws {Error} the plan does not contain the run */
export const runIn = (plan: Plan, id: string): PlannedRun => {
  const run = plan.runs.get(id)
  if (run === undefined) throw new Error(`The plan lacks the run ${id}.`)
  return run
}

/** Replaces fields of a run in the plan. @throws {Error} the plan does not contain the run */
export const changeRun = (
  plan: Plan,
  id: string,
  change: Partial<
    Pick<PlannedRun, 'state' | 'cancelReason' | 'wait' | 'remindMs' | 'sealedResult'>
  >,
): void => void plan.runs.set(id, { ...runIn(plan, id), ...change })

/**
 * Whether the plan has not canceled the run: each run above it that the plan contains is still at the step that started it.
 * @throws {Error} the plan does not contain the run
 */
export const isWanted = (plan: Plan, id: string): boolean => {
  const { parent } = runIn(plan, id)
  const above = parent === null ? undefined : plan.runs.get(parent.runId)
  if (parent === null || above === undefined) return true
  const { step, index } = above.state
  return step !== null && index === parent.index && isWanted(plan, above.id)
}

/** The condition under which the plan's statements have an effect: the main run has just made this transition. */
export const guardOf = (plan: Plan): Statement =>
  isTransition(runIn(plan, plan.mainId).ws, plan.mainId, plan.transition)

/** The columns that name a step. */
export const stepColumns = ({ ws, id, state }: PlannedRun, index: number) => ({
  ws,
  runId: id,
  index,
  key: stepAt(state.definition, index).key,
})
