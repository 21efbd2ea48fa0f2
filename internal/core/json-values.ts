import { limit } from './limit.ts'

/** `JSON.parse` takes up to a microsecond for a value, and nothing else runs meanwhile. */
export const MAX_JSON_VALUES = limit(
  'job.json_values',
  1_000_000,
  'items',
  'Values, lists and objects in the JSON of a request together. More: 400.',
)

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Each value but the first of a list follows a comma. */
const COUNTED: ReadonlySet<number> = new Set([...',{['].map((char) => char.charCodeAt(0)))

/** True when `text` has more values, objects and arrays than `most`. Reads it once, without parsing it. */
export const hasMoreValuesThan = (text: string, most: number): boolean => {
  let count = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (COUNTED.has(code)) {
      count += 1
      if (count > most) return true
    }
  }
  return false
}
