/**
 * How much data a run may move (contract-2, section 7: byte budgets). Sizes are bytes of JSON in UTF-8. They are counted
 * while inputs are built: a small template may name a large result a thousand times.
 */
import type { JobError } from '../job.ts'
import type { JsonValue } from '../json.ts'

const MIB = 1_048_576

/** Of the resolved input of one action, arm or item. */
export const MAX_INPUT_BYTES = 4 * MIB
/** Of all inputs of one step's arms or items together; of all their results together too. */
export const MAX_STEP_BYTES = 16 * MIB
/** Of the results of all steps of a run together. */
export const MAX_RUN_BYTES = 32 * MIB

export const tooLarge = (what: string, limit: number): JobError => ({
  name: 'FlowDataTooLarge',
  message: `${what} would be larger than ${limit / MIB} MiB. Store it elsewhere and pass on where it is.`,
})

export const inputTooLarge = (step: string): JobError =>
  tooLarge(`An input of step "${step}"`, MAX_INPUT_BYTES)

/** Looks at a value as often as it is named, and counts it once: it remembers texts and objects by what they are. */
export type Meter = (value: JsonValue) => number

/** Shorter texts are counted faster than they are found. */
const LONG_TEXT = 1_024

/** @param limit beyond which it counts no further; what it answers then is more than the limit */
export const createMeter = (limit: number): Meter => {
  const known = new Map<JsonValue, number>()
  const remember = (value: JsonValue, bytes: number): number => {
    known.set(value, bytes)
    return bytes
  }
  const measure: Meter = (value) => {
    if (value === null) return 4
    if (typeof value === 'string') {
      if (value.length < LONG_TEXT) return textBytes(value, limit)
      return known.get(value) ?? remember(value, textBytes(value, limit))
    }
    if (typeof value !== 'object') return String(value).length
    return known.get(value) ?? remember(value, measureItems(value))
  }
  const measureItems = (value: Extract<JsonValue, object>): number => {
    // brackets; each item brings a comma, of which one is too many
    let bytes = 1
    if (Array.isArray(value)) {
      for (const each of value) {
        bytes += measure(each) + 1
        if (bytes > limit) return bytes
      }
    } else {
      for (const [key, each] of Object.entries(value)) {
        bytes += textBytes(key, limit) + 1 + measure(each) + 1
        if (bytes > limit) return bytes
      }
    }
    return bytes === 1 ? 2 : bytes
  }
  return measure
}

/** @param limit beyond which it counts no further */
export const jsonBytes = (value: JsonValue, limit: number): number => createMeter(limit)(value)

/** With its quotes and escapes. */
const textBytes = (text: string, limit: number): number => {
  if (text.length > limit) return text.length + 2
  let bytes = 2
  for (let at = 0; at < text.length; at += 1) bytes += unitBytes(text, at)
  return bytes
}

/** `\b`, `\t`, `\n`, `\f`, `\r`, the quote and the backslash. */
const SHORT_ESCAPES = [8, 9, 10, 12, 13, 34, 92]

/** Of one UTF-16 code unit: of a surrogate pair each half counts two bytes; a half alone is escaped. */
const unitBytes = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  if (unit < 0x80) {
    if (unit >= 0x20 && unit !== 34 && unit !== 92) return 1
    return SHORT_ESCAPES.includes(unit) ? 2 : 6
  }
  if (unit < 0x800) return 2
  if (unit < 0xd800 || unit > 0xdfff) return 3
  const isHigh = unit < 0xdc00
  const other = text.charCodeAt(isHigh ? at + 1 : at - 1)
  const isPair = isHigh ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other <= 0xdbff
  return isPair ? 2 : 6
}
