/** The groups in which the limits of an action count [jobs 9.6, 18.7]. */

import { invalid } from '../error.ts'
import type { JsonValue } from '../json/value.ts'
import { limit } from '../limit.ts'
import { fillReferences } from './input-text.ts'

/** Bounded because keys are kept in an index. */
const MAX_KEY_LENGTH = limit(
  'job.concurrency_key',
  512,
  'characters',
  'Concurrency, rate, debounce or fair key of a job or flow run after substitution. More: 400.',
)

/** What a key is for, as the error messages name it. */
const PURPOSES = {
  concurrency: 'limits its concurrency',
  rate: 'limits its rate',
  debounce: 'debounces its jobs',
  fair: 'shares its turns',
} as const

/**
 * Replaces references in a key such as `${input.customer}` by values of the input, and puts the group of the key before it.
 * @throws {AppError} invalid: the input lacks what the key refers to, or the key grows too long
 */
export const resolveKey = (
  purpose: keyof typeof PURPOSES,
  { group, key, of = 'action' }: Readonly<{ group: string; key: string; of?: 'action' | 'flow' }>,
  input: JsonValue,
): string => {
  const text = fillReferences(key, input, (reference) => {
    throw invalid(
      `The ${of} ${PURPOSES[purpose]} by ${reference}: the input must hold a text, number or boolean there.`,
      { code: `missing_${purpose}_key` },
    )
  })
  const resolved = `${group}/${text}`
  if (resolved.length > MAX_KEY_LENGTH) {
    throw invalid(
      `The ${purpose} key is longer than ${MAX_KEY_LENGTH} characters. Use a shorter value.`,
    )
  }
  return resolved
}

export type SharedScope = Readonly<{
  /** Where the limit is shared by name; without it, the jobs of the action count alone. */
  scope?: 'action' | 'app' | 'workspace' | undefined
  /** The name under which actions share the limit. */
  name?: string | undefined
}>

export type ConcurrencyPolicy = SharedScope & Readonly<{ limit: number; key: string }>
/** At most `limit` starts in any window of `perS` seconds. */
export type RatePolicy = SharedScope & Readonly<{ limit: number; perS: number; key: string }>

export type ConcurrencyLimit = Readonly<{ key: string; limit: number }>

type Place = Readonly<{ ws: string; app: string; action: Readonly<{ key: string }> }>
type Target = Place & Readonly<{ action: Readonly<{ concurrency: ConcurrencyPolicy | null }> }>

/** No key of an app or action begins with `*`, so a shared group never equals that of an action. */
export const groupOf = ({ ws, app, action }: Place, { scope, name }: SharedScope): string => {
  if (name === undefined || scope === undefined) return `${ws}/${app}/${action.key}`
  if (scope === 'workspace') return `${ws}/*${name}`
  return scope === 'app' ? `${ws}/${app}/*${name}` : `${ws}/${app}/${action.key}`
}

/**
 * Resolves `key: "${input.customer}"` for one input. Keys never cross workspaces, and cross apps and
 * actions only by their scope.
 * @throws {AppError} invalid: the input lacks what the key refers to, or the key grows too long
 */
export const concurrencyLimitOf = (target: Target, input: JsonValue): ConcurrencyLimit | null => {
  const { concurrency } = target.action
  if (concurrency === null) return null
  const { limit: most, key } = concurrency
  const group = groupOf(target, concurrency)
  return { key: resolveKey('concurrency', { group, key }, input), limit: most }
}
