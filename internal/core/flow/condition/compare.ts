/** Compares values in a condition by content [flows 4.2], within a limit, because results may have millions of values. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts'
import { limit } from '../../limit.ts'

export const MAX_COMPARED = limit(
  'flow.compared',
  1_000,
  'items',
  'Values in lists and objects that one condition compares; of a text, 1,024 characters count as one. More: `BadCondition`.',
)
/** Characters of a text that count as one value. */
const TEXT_PART = 1_024

/** Counts what a condition compares. @returns whether it may compare so many more */
export type Effort = (values: number) => boolean

export const createEffort = (): Effort => {
  let left = MAX_COMPARED
  return (values) => {
    left -= values
    return left >= 0
  }
}

/** To count 400,000 keys takes 100 ms, and a flow may compare the same object in each of its conditions. */
const keyCounts = new WeakMap<JsonObject, number>()

const countKeys = (object: JsonObject): number => {
  const known = keyCounts.get(object)
  if (known !== undefined) return known
  const { length } = Object.keys(object)
  if (length > MAX_COMPARED) keyCounts.set(object, length)
  return length
}

/** @returns null if there is more to compare than the effort allows */
export const isSame = (left: JsonValue, right: JsonValue, effort: Effort): boolean | null => {
  if (typeof left === 'string' && typeof right === 'string') {
    if (left.length !== right.length) return false
    return mayRead(left, effort) ? left === right : null
  }
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right)) return isSameList(left, right, effort)
  return isJsonObject(left) && isJsonObject(right) ? isSameObject(left, right, effort) : false
}

const isSameList = (
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  effort: Effort,
): boolean | null => {
  if (left.length !== right.length) return false
  if (!effort(left.length)) return null
  for (let at = 0; at < left.length; at += 1) {
    const same = isSame(left[at] ?? null, right[at] ?? null, effort)
    if (same !== true) return same
  }
  return true
}

const isSameObject = (left: JsonObject, right: JsonObject, effort: Effort): boolean | null => {
  const count = countKeys(left)
  if (count !== countKeys(right)) return false
  if (!effort(count)) return null
  for (const key in left) {
    if (!Object.hasOwn(right, key)) return false
    const same = isSame(left[key] ?? null, right[key] ?? null, effort)
    if (same !== true) return same
  }
  return true
}

/** Counts a text that is read to its end. */
export const mayRead = ({ length }: string, effort: Effort): boolean =>
  effort(Math.floor(length / TEXT_PART))
