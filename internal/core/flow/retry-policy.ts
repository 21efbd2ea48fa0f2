/** Whether and when a slot is retried, by the policy of its step or of its action. */
import { type RetryPolicy, retryDelayMs } from '../action/retry.ts'
import { type FlowStep, kindOf } from './kinds.ts'
import type { ChildOutcome } from './run.ts'

/** After these errors another attempt is not wanted, or would end the same [flows 5.4]. */
const NEVER_RETRIED = ['Canceled', 'InvalidInput']

type Failure = Extract<ChildOutcome, { kind: 'failure' }>

/**
 * Returns the policy of a slot. The step's `retry` replaces the action's [flows 5.1]: they never multiply.
 * @param ofAction the policy of the action that a slot runs; null if it has none
 */
export const retryPolicyOf = (step: FlowStep, ofAction: RetryPolicy | null): RetryPolicy | null =>
  (kindOf(step).retries ? step.retry : undefined) ?? ofAction

/** Milliseconds until the next attempt of a slot; null if there is none. */
export const nextAttemptMs = (
  policy: RetryPolicy | null,
  { error, isFinal = false, random = 0.5 }: Failure,
  attempt: number,
): number | null =>
  NEVER_RETRIED.includes(error.name)
    ? null
    : retryDelayMs(policy, { failures: attempt, error, isFinal, random })
