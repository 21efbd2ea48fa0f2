/** Parses settings of an action's manifest from the API for display. Pure. */
import { isObject } from '../../ui/json-object.ts'

export type Retry = Readonly<{ maxAttempts: number; delayMs: number; backoffFactor: number }>

/** @returns null if the action has no retries */
export const readRetry = (retry: unknown): Retry | null => {
  if (!isObject(retry)) return null
  const { maxAttempts, delayMs, backoffFactor } = retry
  return typeof maxAttempts === 'number' &&
    typeof delayMs === 'number' &&
    typeof backoffFactor === 'number'
    ? { maxAttempts, delayMs, backoffFactor }
    : null
}
