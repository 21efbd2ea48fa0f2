/** Whether a slot is tried again, and when: by its step's policy or its action's. */
import { type RetryPolicy, retryDelayMs } from '../retry.ts'
import type { ChildOutcome } from './run.ts'
import type { FlowStep } from './steps/opening.ts'

/** Kinds whose own `retry` counts; that of a branchone does not [flows 2.2]. */
const MAY_RETRY: readonly FlowStep['kind'][] = [
  'action',
  'branchall',
  'forloop',
  'forloop_parallel',
]

/** Somebody took it away; no action takes such an input: another try is not wanted, or would do no better. */
const NEVER_RETRIED = ['Canceled', 'InvalidInput']

type Failure = Extract<ChildOutcome, { kind: 'failure' }>

/**
 * The step's `retry` replaces the action's [flows 5.1]: they never multiply.
 * @param ofAction of the action that a slot runs; null: it has none
 */
export const retryPolicyOf = (step: FlowStep, ofAction: RetryPolicy | null): RetryPolicy | null =>
  (MAY_RETRY.includes(step.kind) ? step.retry : undefined) ?? ofAction

/** Milliseconds until the next try of a slot; null: there is none. */
export const nextTryMs = (
  policy: RetryPolicy | null,
  { error }: Failure,
  attempt: number,
): number | null => (NEVER_RETRIED.includes(error.name) ? null : retryDelayMs(policy, attempt))
