/**
 * The data that a step may read [flows 3]: the results of steps that have ended, the start input, and the item inside a loop. A
 * step or field that does not exist fails the run, deterministically.
 */
import type { JobError } from '../job/job-error.ts'
import type { JsonValue } from '../json/value.ts'
import { type PathStep, valueAt } from './value-path.ts'

export type FlowData = Readonly<{
  input: JsonValue
  /** The results of ended steps by key; a skipped step has null. */
  results: ReadonlyMap<string, JsonValue>
  /** Only inside a loop. */
  item?: Readonly<{ value: JsonValue; index: number }>
  /** Only in the inputs of undo actions and of the failure module. */
  ending?: Readonly<{ error: JsonValue; failedStep: string | null }>
  /** References that were looked up before, by their text: those that all items of a loop share. */
  known?: ReadonlyMap<string, JsonValue>
}>

export type Found =
  | Readonly<{ value: JsonValue; error: null }>
  | Readonly<{ value: null; error: JobError }>

export const found = (value: JsonValue): Found => ({ value, error: null })

export const failed = (name: string, message: string): Found => ({
  value: null,
  error: { name, message },
})

const missing = (text: string, hint = lengthHint(text)): Found =>
  failed('MissingReference', `\${${text}} does not exist in this run.${hint}`)

const lengthHint = (text: string): string =>
  text.endsWith('.length') ? ' Only conditions have the length of a list or text.' : ''

const skippedHint = (step: string): string =>
  ` The result of step "${step}" is null, as that of a skipped step.`

export type Reference = Readonly<{
  root: string
  path: readonly PathStep[]
  /** The reference as the manifest has it, without its braces. */
  text: string
}>

const ROOTS = ['results', 'input', 'item', 'index'] as const

/**
 * Looks up own properties only. Once the run is ending, a missing value is null, because the failure
 * must be handled without it.
 */
export const lookUp = (data: FlowData, reference: Reference): Found => {
  const { ending } = data
  const { root, path } = reference
  if (ending === undefined) return lookUpOwn(data, reference)
  if (root === 'error') return found(valueAt(ending.error, path) ?? null)
  if (root === 'failedStep') return found(valueAt(ending.failedStep, path) ?? null)
  const value = lookUpOwn(data, reference)
  const isMissing = value.error !== null && (root === 'results' || root === 'input')
  return isMissing ? found(null) : value
}

const lookUpOwn = (data: FlowData, { root, path, text }: Reference): Found => {
  const known = data.known?.get(text)
  if (known !== undefined) return found(known)
  if (root === 'results') {
    const [step, ...rest] = path
    if (step === undefined) return found(Object.fromEntries(data.results))
    const result = typeof step === 'string' ? data.results.get(step) : undefined
    if (result === undefined) return missing(text)
    return result === null && rest.length > 0
      ? missing(text, skippedHint(String(step)))
      : within(result, rest, text)
  }
  if (root === 'input') return within(data.input, path, text)
  if (root === 'item' && data.item !== undefined) return within(data.item.value, path, text)
  if (root === 'index' && data.item !== undefined) return within(data.item.index, path, text)
  return failed(
    'MissingReference',
    ROOTS.some((known) => known === root)
      ? `\${${text}} is valid only inside a loop.`
      : `\${${text}} must begin with ${ROOTS.join(', ')}.`,
  )
}

const within = (value: JsonValue, path: readonly PathStep[], text: string): Found => {
  const at = valueAt(value, path)
  return at === undefined ? missing(text) : found(at)
}
