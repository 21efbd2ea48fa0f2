/** The group in which an action's `concurrency.limit` counts [jobs 9.6]. */

import { invalid } from './error.ts'
import { parsePath, valueAt } from './flow/value-path.ts'
import type { JsonValue } from './json.ts'
import { limit } from './limit.ts'

const REFERENCE = /\$\{input((?:\.|\[)[^}]*)?\}/g

/** The fault that a deploy reports for a `concurrency.key` whose references lead nowhere, or null. */
export const keyReferenceFault = (text: string): string | null => {
  const rest = text.replace(REFERENCE, (whole, path: string | undefined) =>
    parsePath(path ?? '') === null ? whole : '',
  )
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
  return rest.includes('${') ? 'may refer to the input only, as ${input.customer} does' : null
}

/** Keys are kept in an index. */
const MAX_KEY_LENGTH = limit(
  'job.concurrency_key',
  512,
  'characters',
  'Concurrency key of a job after substitution. More: 400.',
)

export type ConcurrencySlot = Readonly<{ key: string; limit: number }>

type Target = Readonly<{
  ws: string
  app: string
  action: Readonly<{ key: string; concurrency: Readonly<{ limit: number; key: string }> | null }>
}>

/**
 * Resolves `key: "${input.customer}"` for one input. Keys never cross workspaces, apps or actions.
 * @throws {AppError} invalid: the input lacks what the key refers to, or the key grows too long
 */
export const concurrencySlot = (target: Target, input: JsonValue): ConcurrencySlot | null => {
  const { concurrency } = target.action
  if (concurrency === null) return null
  const text = concurrency.key.replace(REFERENCE, (whole, path: string | undefined) => {
    const steps = parsePath(path ?? '')
    const value = steps === null ? undefined : valueAt(input, steps)
    if (value === undefined || (typeof value === 'object' && value !== null)) {
      throw invalid(
        `The action limits its concurrency by ${whole}: the input must hold a text, number or boolean there.`,
        { code: 'missing_concurrency_key' },
      )
    }
    return String(value)
  })
  const key = `${target.ws}/${target.app}/${target.action.key}/${text}`
  if (key.length > MAX_KEY_LENGTH) {
    throw invalid(
      `The concurrency key is longer than ${MAX_KEY_LENGTH} characters. Use a shorter value.`,
    )
  }
  return { key, limit: concurrency.limit }
}
