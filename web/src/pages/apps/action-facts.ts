/** What the API gives of an action's manifest, read for people. Pure. */
import { isObject } from '../../form/schema-field.ts'

export type Retry = Readonly<{ maxAttempts: number; delayMs: number; backoffFactor: number }>

/** @returns null if the action is not retried */
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

/** @returns null if the action has no limit of its own */
export const readConcurrency = (concurrency: unknown): Concurrency | null => {
  if (!isObject(concurrency)) return null
  const { limit, key } = concurrency
  return typeof limit === 'number' && typeof key === 'string' ? { limit, key } : null
}
