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

export type Concurrency = Readonly<{ limit: number; key: string }>

/** @returns null if the action has no concurrency limit */
export const readConcurrency = (concurrency: unknown): Concurrency | null => {
  if (!isObject(concurrency)) return null
  const { limit, key } = concurrency
  return typeof limit === 'number' && typeof key === 'string' ? { limit, key } : null
}
