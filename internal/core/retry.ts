import { limit } from './limit.ts'

/** An action's or a flow step's `retry` [jobs 8.4] [flows 5.1]. */
export type RetryPolicy = Readonly<{ maxAttempts: number; delayMs: number; backoffFactor: number }>

export const MAX_RETRY_DELAY_MS = limit(
  'job.retry_delay',
  86_400_000,
  'ms',
  'Delay before a retry, whatever `backoffFactor` makes of it.',
)

/**
 * Milliseconds to wait before the next try, or null when the policy allows none.
 * @param failures how often the script has failed so far, this time included (1 or more)
 */
export const retryDelayMs = (policy: RetryPolicy | null, failures: number): number | null => {
  if (policy === null || failures >= policy.maxAttempts) return null
  const delay = policy.delayMs * policy.backoffFactor ** (failures - 1)
  return Math.min(Math.round(delay), MAX_RETRY_DELAY_MS)
}
