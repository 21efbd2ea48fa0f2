/** Texts of an action in the manifest that refer to its input, such as `customer:${input.customer}`. */
import { parsePath, valueAt } from '../flow/value-path.ts'
import type { JsonValue } from '../json/value.ts'

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
    return value === undefined || typeof value === 'object' ? orElse(whole) : String(value)
  })
