import { limit } from '../limit.ts'

/** An action's or a flow step's `retry` [jobs 8.4] [flows 5.1]. */
export type RetryPolicy = Readonly<{
  maxAttempts: number
  delayMs: number
  backoffFactor: number
  /** The longest delay before jitter; absent for a day. */
  maxDelayMs?: number | undefined
  /** 0 to 1: how far the delay may differ from its value, in either direction; absent for 0. */
  jitter?: number | undefined
  /** Names of errors after which there is no further attempt. */
  notOn?: readonly string[] | undefined
}>

export const MAX_RETRY_DELAY_MS = limit(
  'job.retry_delay',
  86_400_000,
  'ms',
  'Delay before a retry, whatever `backoffFactor` makes of it.',
)

export const MAX_ATTEMPTS = 100
export const MAX_BACKOFF_FACTOR = 10

export type FailedAttempt = Readonly<{
  /** How often it has failed so far, this time included: 1 or more. */
  failures: number
  error: Readonly<{ name: string }>
  /** Whether the script threw a `NonRetryableError` [jobs 8.14]. */
  isFinal?: boolean
  /** From 0 to below 1; it decides the jitter. */
  random: number
}>

/** Milliseconds to wait before the next attempt, or null when the policy allows none. */
export const retryDelayMs = (
  policy: RetryPolicy | null,
  { failures, error, isFinal = false, random }: FailedAttempt,
): number | null => {
  if (policy === null || isFinal || failures >= policy.maxAttempts) return null
  if (policy.notOn?.includes(error.name) === true) return null
  const { jitter = 0, maxDelayMs = MAX_RETRY_DELAY_MS } = policy
  const delay = policy.delayMs * policy.backoffFactor ** (failures - 1)
  const factor = 1 + jitter * (2 * random - 1)
  return Math.min(Math.round(Math.min(delay, maxDelayMs) * factor), MAX_RETRY_DELAY_MS)
}
