/**
 * From the engine's decisions to one write. A plan holds the runs that a transition touches (a subflow's end may take its
 * parent further, and that one its own), and the statements that belong to it; every one of them is guarded by the
 * transition, so that all are written or none.
 */
import type { FlowDefinition } from '#core/flow/definition.ts'
import type { ChildOutcome, FlowEvent, OpenStep, RunStatus } from '#core/flow/run.ts'
import type { JobError } from '#core/job.ts'
import type { JsonValue } from '#core/json.ts'
import type { Statement } from '#store/database.ts'
import { isTransition, type NextSlot } from '#store/flow-runs.ts'
import type { FlowCipher } from './cipher.ts'
import { createPace, type Pace } from './pace.ts'
import type { PinnedApp } from './pinned-flows.ts'

/** A run as a plan knows it; what the plan changes of it is changed here first. */
export type PlannedRun = {
  readonly ws: string
  readonly id: string
  readonly app: string
  readonly deploymentId: string
  readonly definition: FlowDefinition
  readonly pinned: PinnedApp
  readonly cipher: FlowCipher
  readonly createdBy: string
  readonly permissionedAs: string
  readonly triggerKind: string
  readonly input: JsonValue
  readonly parent: Readonly<{ runId: string; index: number }> | null
  readonly depth: number
  /** Null: the plan makes it. */
  readonly version: number | null
  /** Of a run that the plan makes: what its row holds beside. */
  readonly origin: Readonly<{ trigger: string | null; restartedFrom: string | null }>
  status: RunStatus
  index: number
  results: Map<string, JsonValue>
  /** Of the results of all steps that have ended. */
  bytes: number
  step: OpenStep | null
  result: JsonValue
  error: JobError | null
  failure: JobError | null
  waitMs: number | null
  keepsWait: boolean
  /** The result, encrypted, once the run is completed. */
  sealedResult: string | null
  /** Sealed inputs of children that have ended: another try takes them over. */
  readonly inputs: ReadonlyMap<number, string>
  /** Of the step's slots that have not begun the first ones, in their order. */
  nextSlots: readonly NextSlot[]
  /** Sealed: what the inputs of the items that have not begun have in common. */
  readonly frame: string | null
  /** Slots have not begun because the workspace's queue was full. */
  awaitsRoom: boolean
}

/** Of a run that nothing has happened to. */
export const untouched = () => ({
  status: 'running' as const,
  index: 0,
  results: new Map<string, JsonValue>(),
  bytes: 0,
  step: null,
  result: null,
  error: null,
  failure: null,
  waitMs: null,
  keepsWait: false,
  inputs: new Map<number, string>(),
  sealedResult: null,
  nextSlots: [],
  frame: null,
  awaitsRoom: false,
})

export type Pending =
  | Readonly<{ kind: 'start'; run: PlannedRun }>
  /** To a run that may still have to be read: a parent. */
  | Readonly<{ kind: 'tell'; ws: string; runId: string; event: FlowEvent }>

export type Plan = Readonly<{
  transition: string
  runs: Map<string, PlannedRun>
  /** The run whose row the guard looks at. */
  mainId: string
  statements: Statement[]
  /** What follows from what was planned; whoever drives the plan does it next. */
  pending: Pending[]
  /** Waited for after each piece of work on large values. */
  pace: Pace
}>

export const openPlan = (transition: string, main: PlannedRun): Plan => ({
  transition,
  runs: new Map([[main.id, main]]),
  mainId: main.id,
  statements: [],
  pending: [],
  pace: createPace(),
})

export const guardOf = (plan: Plan): Statement => {
  const main = plan.runs.get(plan.mainId)
  if (main === undefined) throw new Error('A plan lacks its run.')
  return isTransition(main.ws, main.id, plan.transition)
}

/** The failure module stands behind the last step. */
export const stepOf = (run: PlannedRun, index: number) => ({
  runId: run.id,
  index,
  key: run.definition.steps[index]?.key ?? run.definition.failureModule?.key ?? '',
})

export const failed = (error: JobError): ChildOutcome => ({ kind: 'failure', error })

export const tell = (plan: Plan, { ws, id }: PlannedRun, event: FlowEvent): void => {
  plan.pending.push({ kind: 'tell', ws, runId: id, event })
}
