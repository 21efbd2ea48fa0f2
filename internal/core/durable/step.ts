/**
 * The rules of a durable run: what a call does when its attempt reaches it, decided by the journal alone [durable 1, 2]. They
 * are pure; the guest carries them out.
 */

import { type FailedAttempt, type RetryPolicy, retryDelayMs } from '../action/retry.ts'
import type { ErrorDetail } from '../error.ts'
import { LONGEST_HELD_DELAY_MS } from './limits.ts'

export type { RetryPolicy }

export const STEP_KINDS = ['step', 'sleep', 'event', 'job'] as const
export type StepKind = (typeof STEP_KINDS)[number]

/** The steps that only wait. */
export const WAIT_KINDS = ['sleep', 'event', 'job'] as const satisfies readonly StepKind[]
export type WaitKind = (typeof WAIT_KINDS)[number]

/**
 * An entry of the order in which a durable run took its results (sandbox/guest/deliveries.ts). One of three: the position of a
 * step whose result was delivered while others were open; a drawn value; or a cut. At a cut, the run took another way because a
 * failed step ran again, and only the given numbers of deliveries and draws before it stay valid.
 */
export type HistoryEntry = number | readonly [number | string] | readonly [number, number]

/** What a step of the kind `job` calls: an action by `ctx.call`, or a flow by `ctx.callFlow`. */
export const CALLED_KINDS = ['action', 'flow'] as const
export type CalledKind = (typeof CALLED_KINDS)[number]

export const STEP_STATUSES = ['running', 'success', 'failure'] as const
export type StepStatus = (typeof STEP_STATUSES)[number]

export type StepError = Readonly<{
  name: string
  message: string
  code?: string | undefined
  /** The faults of an input that the called action refused. */
  details?: readonly ErrorDetail[] | undefined
  /** The id of a called job that failed. */
  jobId?: string | undefined
  /** The id of a called flow run that failed. */
  flowRunId?: string | undefined
}>

/** The error of a step whose job ended before it. */
export const CUT_SHORT: StepError = {
  name: 'Canceled',
  message: 'The job ended before this step did.',
}

/** What the journal contains of a step. */
export type RecordedStep = Readonly<{
  name: string
  kind: StepKind
  /** The position of the call in the run that recorded it, counted from 1. */
  position: number
  status: StepStatus
  /** How often the function has run since it last failed for good. */
  tries: number
  /** Whether the failure is thrown again: the script continued from it to a suspension, or no attempt has failed since. */
  isCaught: boolean
  /** While it runs: milliseconds until a sleep ends, a wait times out, or the function is retried. */
  dueInMs: number | null
  /** The result of a success. */
  value: unknown
  /** Why it failed. */
  error: StepError | null
}>

export type Meeting =
  | Readonly<{ kind: 'return'; value: unknown }>
  | Readonly<{ kind: 'throw'; error: StepError }>
  /** The function runs, for the n-th time. */
  | Readonly<{ kind: 'run'; tries: number }>
  /** A sleep, a wait or a call begins. */
  | Readonly<{ kind: 'begin' }>
  /** It has begun and is not over. */
  | Readonly<{ kind: 'wait'; dueInMs: number | null }>
  | Readonly<{ kind: 'mismatch'; recorded: StepKind }>

const UNKNOWN_ERROR: StepError = { name: 'Error', message: 'The step failed.' }

const meetRunning = ({ kind, tries, dueInMs }: RecordedStep): Meeting => {
  const isDue = dueInMs !== null && dueInMs <= 0
  if (kind === 'step') {
    return isDue || dueInMs === null ? { kind: 'run', tries: tries + 1 } : { kind: 'wait', dueInMs }
  }
  // a called job or flow run ends by itself, however long it takes
  return isDue && kind !== 'job' ? { kind: 'return', value: null } : { kind: 'wait', dueInMs }
}

/** Decides what a call does. `recorded` is null for a step that was never recorded. */
export const meetStep = (recorded: RecordedStep | null, kind: StepKind): Meeting => {
  const begins: Meeting = kind === 'step' ? { kind: 'run', tries: 1 } : { kind: 'begin' }
  if (recorded === null) return begins
  if (recorded.kind !== kind) return { kind: 'mismatch', recorded: recorded.kind }
  if (recorded.status === 'success') return { kind: 'return', value: recorded.value }
  if (recorded.status === 'running') return meetRunning(recorded)
  return recorded.isCaught ? { kind: 'throw', error: recorded.error ?? UNKNOWN_ERROR } : begins
}

export type AfterThrow =
  | Readonly<{ kind: 'fail' }>
  /** The process waits for the delay. */
  | Readonly<{ kind: 'hold'; delayMs: number }>
  /** The delay is recorded, and may suspend the job. */
  | Readonly<{ kind: 'delay'; delayMs: number }>

/** Decides what follows when a step's function throws. */
export const afterThrow = (policy: RetryPolicy | null, failed: FailedAttempt): AfterThrow => {
  const delayMs = retryDelayMs(policy, failed)
  if (delayMs === null) return { kind: 'fail' }
  return delayMs <= LONGEST_HELD_DELAY_MS ? { kind: 'hold', delayMs } : { kind: 'delay', delayMs }
}

export type Progress = Readonly<{
  /** Calls that wait for a sleep, an event, a called job or flow run, or a delay. */
  waiting: number
  /** What can continue by itself: functions of steps, calls to svc, timers and requests of the script. */
  active: number
}>

/** Whether the script cannot continue before one of its waits is over [durable 3.1]. */
export const mustSuspend = ({ waiting, active }: Progress): boolean => waiting > 0 && active === 0
