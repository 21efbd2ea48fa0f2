/** The statuses of a flow run and of its steps [flows 8], and the events that change them. */

import type { RetryPolicy } from '../action/retry.ts'
import type { JobError } from '../job/job-error.ts'
import type { JobStatus } from '../job/transitions.ts'
import type { JsonObject, JsonValue } from '../json/value.ts'

export const RUN_STATUSES = [
  'running',
  'waiting_approval',
  'completed',
  'failed',
  'canceled',
] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** A run in one of these statuses never changes again. */
export const OVER_STATUSES = ['completed', 'failed', 'canceled'] as const
export type OverStatus = (typeof OVER_STATUSES)[number]

/** The status of a job that stands for a run: among the jobs of a list, or as the child of another run. */
export const RUN_AS_JOB: Readonly<Record<RunStatus, JobStatus>> = {
  running: 'running',
  waiting_approval: 'running',
  completed: 'success',
  failed: 'failure',
  canceled: 'canceled',
}

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

export const isRunOver = (status: RunStatus): status is OverStatus =>
  OVER_STATUSES.some((over) => over === status)

/** The part of a step that one child does: an arm, an item, or the whole. */
export type Slot = Readonly<{
  /** An action of the app, which a job runs, or another flow of the app, which becomes its own run. */
  target: Readonly<{ kind: 'action' | 'flow'; key: string }>
  input: JsonValue
  /** The item of a loop: the input is computed again from it and the step's frame (kinds/loop.ts). */
  item?: JsonValue
  /** Why its input cannot be made, in a step that continues after failures. The slot does not begin. */
  fault?: JobError
}>

export type ChildOutcome =
  | Readonly<{
      kind: 'success'
      value: JsonValue
      /** Size of the value as JSON in bytes, if it is known; else it is counted. */
      bytes?: number
    }>
  | Readonly<{
      kind: 'failure'
      error: JobError
      /** The action's own policy, for a step without one. Absent if the action has none, or the script did not fail. */
      retry?: RetryPolicy
      /** Whether the script threw a `NonRetryableError` [jobs 8.14]. */
      isFinal?: boolean
      /** From 0 to below 1; it decides the jitter of the delay. Absent for no jitter. */
      random?: number
    }>

/** When a wait is over: some milliseconds after it begins, or at a time in milliseconds since 1970. */
export type Deadline = Readonly<{ afterMs: number } | { at: number }>

/** What a step without children waits for. */
export type Wait = Readonly<{
  /** The status of step and run until then. */
  status: 'running' | 'waiting_approval'
  /** Null if it waits without end. */
  until: Deadline | null
  /** Address of the event that ends it. A null key fits only events without a key. */
  event?: Readonly<{ name: string; key: string | null }>
  /** Starts an action repeatedly until the wait ends. */
  remind?: Readonly<{ everyMs: number; what: Slot }>
  /** What people see before they decide (approval/shown.ts). */
  shown?: JsonValue
}>

/** A slot whose input its action does not accept [flows 3.7]. */
export type SlotFault = Readonly<{ slot: number; error: JobError }>

export type ChildEnded = Readonly<{
  kind: 'child_ended'
  slot: number
  attempt: number
  outcome: ChildOutcome
}>

export type FlowEvent =
  | ChildEnded
  /** As many people approved as the step requires. @see approval/decide.ts */
  | Readonly<{ kind: 'approved'; values: JsonObject; by: readonly string[] }>
  | Readonly<{ kind: 'rejected'; by: string; reason: string | null }>
  /** The time of a waiting step is over. */
  | Readonly<{ kind: 'wait_timed_out' }>
  /** The event that the step waits for has come. */
  | Readonly<{ kind: 'event_received'; data: JsonValue }>
  /** A waiting step must remind people. `attempt`: the number of the reminder; null if the last one is still running. */
  | Readonly<{ kind: 'reminder_due'; attempt: number | null }>
  /** The answer to `RunState.admission`. `count`: how many of the requested children may begin now. */
  | Readonly<{
      kind: 'admitted'
      count: number
      fault: SlotFault | null
      /** Slots that do not begin, in a step that continues after failures [flows 2.11]. */
      refused?: readonly SlotFault[]
    }>
  /** The answer to `RunState.opening`: its next part may be computed. */
  | Readonly<{ kind: 'continued' }>
  /** The workspace's queue has room for one more job of the step. */
  | Readonly<{ kind: 'room_made' }>
  /** The consequences of another event could not be computed, so the run fails. */
  | Readonly<{ kind: 'planning_failed'; error: JobError }>
  | Readonly<{ kind: 'canceled'; reason: string }>
