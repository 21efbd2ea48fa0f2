/** Texts of an action in the manifest that refer to its input, such as `customer:${input.customer}`. */
import { parsePath, valueAt } from '../flow/value-path.ts'
import type { JsonValue } from '../json/value.ts'

/** Characters of a value that are used. Keys and labels are shorter; a value of megabytes would take long to join. */
const MAX_VALUE_LENGTH = 1_000

const REFERENCE = /\$\{input((?:\.|\[)[^}]*)?\}/g

/** Returns the fault that a deploy reports for a text with invalid references, or null. */
export const referenceFault = (text: string): string | null => {
  const rest = text.replace(REFERENCE, (whole, path: string | undefined) =>
    parsePath(path ?? '') === null ? whole : '',
  )
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
  return rest.includes('${') ? 'may refer to the input only, as ${input.customer} does' : null
}

/**
 * Replaces each reference by the value of the input.
 * @param orElse returns what replaces a reference to no text, number or boolean
 */
export const fillReferences = (
  text: string,
  input: JsonValue,
  orElse: (reference: string) => string,
): string =>
  text.replace(REFERENCE, (whole, path: string | undefined) => {
    const steps = parsePath(path ?? '')
    const value = steps === null ? undefined : valueAt(input, steps)
    if (value === undefined || typeof value === 'object') return orElse(whole)
    return String(value).slice(0, MAX_VALUE_LENGTH)
  })
