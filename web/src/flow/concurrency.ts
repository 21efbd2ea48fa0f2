/** Parses the concurrency limit of an action or a flow from the API for display. Pure. */
import { isObject } from '../ui/json-object.ts'

export type Concurrency = Readonly<{ limit: number; key: string }>

/** @returns null if there is none */
export const readConcurrency = (concurrency: unknown): Concurrency | null => {
  if (!isObject(concurrency)) return null
  const { limit, key } = concurrency
  return typeof limit === 'number' && typeof key === 'string' ? { limit, key } : null
}
