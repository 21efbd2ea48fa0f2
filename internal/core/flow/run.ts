/** The states of a flow run and of its steps [flows 8], and what happens to them. */
import type { JobError } from '../job.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import type { RetryPolicy } from '../retry.ts'

export const RUN_STATUSES = [
  'running',
  'waiting_approval',
  'completed',
  'failed',
  'canceled',
] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

export const STEP_STATUSES = [
  'pending',
  'running',
  'waiting_approval',
  'success',
  'failure',
  'skipped',
  'rejected',
  'timed_out',
  'canceled',
] as const
export type StepStatus = (typeof STEP_STATUSES)[number]

export const isRunOver = (status: RunStatus): boolean =>
  status === 'completed' || status === 'failed' || status === 'canceled'

/** The part of a step that one child does: an arm, an item, or the whole. */
export type Slot = Readonly<{
  /** An action of the app, which a job runs, or another flow of it, which becomes a run of its own. */
  target: Readonly<{ kind: 'action' | 'flow'; key: string }>
  input: JsonValue
  /** Of a loop: the input is computed again from the item and the step's frame (kinds/loop.ts). */
  item?: JsonValue
}>

/** The step that a run has come to. */
export type OpenStep = Readonly<{
  status: 'running' | 'waiting_approval'
  /** Children under way. */
  open: number
  /** The first slot that was never started; null: all were. */
  nextSlot: number | null
  /**
   * Results of the slots that have ended. Whoever calls gives them when no other child is under way and no slot is left,
   * since only then they are looked at.
   */
  ended: ReadonlyMap<number, JsonValue>
  /** Of the results of all slots that have ended. */
  bytes: number
}>

export type RunState = Readonly<{
  status: RunStatus
  input: JsonValue
  /** Of the step that the run has come to. */
  index: number
  /** Of steps that ended well or were skipped, by key: at least of those that later ones name, and the previous one. */
  results: ReadonlyMap<string, JsonValue>
  /** Of the results of all steps that have ended. */
  bytes: number
  /** Null while the failure module runs. */
  step: OpenStep | null
  /** Why the run will have failed, while its failure module runs. */
  failure: JobError | null
}>

export type ChildOutcome =
  | Readonly<{
      kind: 'success'
      value: JsonValue
      /** Of the value as JSON, where that is known; else it is counted. */
      bytes?: number
    }>
  | Readonly<{
      kind: 'failure'
      error: JobError
      /** The action's own policy, for a step without one. Absent: the action has none, or this failure is not the script's. */
      retry?: RetryPolicy
    }>

export type FlowEvent =
  | Readonly<{ kind: 'child_ended'; slot: number; attempt: number; outcome: ChildOutcome }>
  /** As many as were required. @see approval.ts */
  | Readonly<{ kind: 'approved'; values: JsonObject }>
  | Readonly<{ kind: 'rejected'; by: string; reason: string | null }>
  | Readonly<{ kind: 'approval_timed_out' }>
  | Readonly<{ kind: 'failure_handled' }>
  /** The workspace's queue has room for one more job of the step. */
  | Readonly<{ kind: 'room_made' }>
  /** What follows from another event could not be worked out: the run fails by it. */
  | Readonly<{ kind: 'planning_failed'; error: JobError }>
  | Readonly<{ kind: 'canceled'; reason: string }>

/** What is to be done, all of it in one write. `index` names the step. */
export type FlowDecision =
  | Readonly<{
      kind: 'open_step'
      index: number
      slots: readonly Slot[]
      /** Of the slots so many may begin at once; those that find no room in the queue begin later. */
      start: number
      /** Of a loop: what the inputs of all items have in common. */
      frame?: JsonObject
    }>
  | Readonly<{ kind: 'wait_for_approval'; index: number; timeoutMs: number | null }>
  | Readonly<{ kind: 'start_slot'; index: number; slot: number }>
  | Readonly<{ kind: 'retry_slot'; index: number; slot: number; attempt: number; delayMs: number }>
  | Readonly<{
      kind: 'end_step'
      index: number
      status: Exclude<StepStatus, 'pending' | 'running' | 'waiting_approval'>
      result: JsonValue
      /** Of a step that ended well: of its result. */
      bytes?: number
      error: JobError | null
    }>
  /** Children of the step that are under way. */
  | Readonly<{ kind: 'cancel_children'; index: number }>
  | Readonly<{ kind: 'run_failure_module'; slot: Slot; failure: JobError }>
  | Readonly<{
      kind: 'end_run'
      status: Extract<RunStatus, 'completed' | 'failed' | 'canceled'>
      result: JsonValue
      error: JobError | null
    }>
