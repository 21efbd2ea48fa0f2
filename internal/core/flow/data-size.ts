/**
 * How much data a run may move [flows 12.2]. Sizes are bytes of JSON in UTF-8. They are counted while inputs are built, because
 * a small template may name a large result a thousand times.
 */
import { MIB } from '../byte-units.ts'
import type { JobError } from '../job/job-error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts'
import { limit } from '../limit.ts'

export const MAX_INPUT_BYTES = limit(
  'flow.input',
  4 * 1_024 * 1_024,
  'bytes',
  'Input of one action, arm or item after substitution. More: `FlowDataTooLarge`.',
)
export const MAX_STEP_BYTES = limit(
  'flow.step',
  16 * 1_024 * 1_024,
  'bytes',
  'Inputs of all arms or items of a step together, and their results together.',
)
export const MAX_RUN_BYTES = limit(
  'flow.run',
  32 * 1_024 * 1_024,
  'bytes',
  'Results of all steps of a run together.',
)

export const tooLarge = (what: string, limit: number): JobError => ({
  name: 'FlowDataTooLarge',
  message: `${what} would be larger than ${limit / MIB} MiB. Store it elsewhere and pass on where it is.`,
})

export const inputTooLarge = (step: string): JobError =>
  tooLarge(`An input of step "${step}"`, MAX_INPUT_BYTES)

/** Counts the values that one step builds. */
export type Meter = (value: JsonValue) => number

/**
 * Sizes of larger values are cached, so that each is counted once, however often it is named. For smaller ones a cache
 * costs more than it saves.
 */
const LARGE_BYTES = 1_024
/** Characters of a text whose size is remembered. */
const LARGE_TEXT = 131_072

/** Sizes of values whose text was measured. To count those of 270,000 keys takes 100 ms, and cannot be done in parts. */
const measured = new WeakMap<object, number>()
/** `1e20` is shorter than the number that is written for it, so a text with an exponent may be shorter than its value. */
const EXPONENT = /\d[eE]/

/** Remembers the size of a large value that was parsed from a text. @param bytes of the text in UTF-8 */
export const rememberSize = (value: JsonValue, json: string, bytes: number): void => {
  if (typeof value !== 'object' || value === null || json.length < LARGE_TEXT) return
  if (!EXPONENT.test(json)) measured.set(value, bytes)
}

/** @param limit where it stops counting; it then returns more than the limit */
export const createMeter = (limit: number): Meter => {
  const known = new Map<JsonValue, number>()
  const measure: Meter = (value) => {
    if (value === null) return 4
    if (typeof value === 'string') return textBytes(value, limit)
    if (typeof value !== 'object') return String(value).length
    const before = (known.size === 0 ? undefined : known.get(value)) ?? measured.get(value)
    if (before !== undefined) return before
    const bytes = isJsonObject(value) ? objectBytes(value) : listBytes(value)
    if (bytes > LARGE_BYTES) known.set(value, bytes)
    return bytes
  }
  // brackets; each item adds a comma, which is one too many
  const listBytes = (list: readonly JsonValue[]): number => {
    let bytes = 1
    for (const each of list) {
      bytes += measure(each) + 1
      if (bytes > limit) break
    }
    return Math.max(bytes, 2)
  }
  const objectBytes = (object: JsonObject): number => {
    let bytes = 1
    for (const key in object) {
      bytes += textBytes(key, limit) + 1 + measure(object[key] ?? null) + 1
      if (bytes > limit) break
    }
    return Math.max(bytes, 2)
  }
  return measure
}

/** @param limit where it stops counting */
export const jsonBytes = (value: JsonValue, limit: number): number => createMeter(limit)(value)

/** Characters. In longer texts, a search costs less than a look at each character. */
const MANY = 64
/** Characters that take more than one byte. */
const LONG = /[^ !#-[\]-~]/

/** Returns the bytes of a text with its quotes and escapes. */
const textBytes = (text: string, limit: number): number => {
  const { length } = text
  if (length > limit || (length > MANY && !LONG.test(text))) return length + 2
  let bytes = 2
  for (let at = 0; at < length; at += 1) bytes += unitBytes(text, at)
  return bytes
}

/**
 * Whether a unit has a short escape such as `\n`: backspace to carriage return without the vertical tab,
 * the quote, the backslash.
 */
const isShortEscape = (unit: number): boolean =>
  (unit >= 8 && unit <= 13 && unit !== 11) || unit === 34 || unit === 92

/**
 * Returns the bytes of one UTF-16 code unit: each half of a surrogate pair counts two, and a half without its pair is escaped.
 */
const unitBytes = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  if (unit < 0x80) {
    if (unit >= 0x20 && unit !== 34 && unit !== 92) return 1
    return isShortEscape(unit) ? 2 : 6
  }
  if (unit < 0x800) return 2
  if (unit < 0xd800 || unit > 0xdfff) return 3
  const isHigh = unit < 0xdc00
  const other = text.charCodeAt(isHigh ? at + 1 : at - 1)
  const isPair = isHigh ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other <= 0xdbff
  return isPair ? 2 : 6
}
