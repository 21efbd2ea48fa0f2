/** Bounds what parsing a JSON text costs, before it is parsed. */

import { limit } from '../limit.ts'
import { BACKSLASH, CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT, QUOTE } from './characters.ts'
import { MAX_JSON_DEPTH } from './depth.ts'
import { endOfNumber, isDigit } from './numbers.ts'

/** `JSON.parse` takes up to 0.15 microseconds for a value, and nothing else runs meanwhile. */
export const MAX_JSON_VALUES = limit(
  'job.json_values',
  1_000_000,
  'items',
  'Values, lists and objects in the JSON of a request together. More: 400.',
)

/** `JSON.parse` takes about a microsecond for a key that it has not met at this place of an object. */
export const MAX_JSON_KEYS = limit(
  'job.json_keys',
  60_000,
  'items',
  'Different keys in the JSON of a request together. Objects that begin with the same keys in the same order share up to 1,000 of them, so the rows of a list count once. More: 400.',
)

/** V8 keeps larger objects as hash tables of their own, which share nothing. */
const SHARED_KEYS = 1_000
/** A shorter text has too few characters for a value or key too many: a key is at least `"":0,`. */
export const HARMLESS_JSON_LENGTH = Math.min(MAX_JSON_VALUES, 5 * MAX_JSON_KEYS)

/** `number`: one that is larger than a double holds. */
export type JsonExcess = 'depth' | 'values' | 'keys' | 'number'

export interface JsonBounds {
  /** Reads this many more characters. Returns what the text has too much of, or whether it is within bounds; null before the end. */
  advance(characters: number): JsonExcess | 'none' | null
}

/** Sets the bit by which the codes of `[` and `{`, and of `]` and `}`, differ. */
const BRACE = 0x20
/** The prime of FNV-1a, a hash for short texts. */
const HASH_PRIME = 0x01000193
const SEEN_BITS = 20

type State = Readonly<{
  text: string
  seed: number
  /** For each open container the hash of its keys so far: objects that begin alike have the same. */
  paths: number[]
  /** For each open object the number of its keys; -1 for a list. */
  sizes: number[]
  /** A bit for each hash. A coincidence counts a key too few, never one too many. */
  seen: Uint8Array
}> & {
  at: number
  values: number
  keys: number
  isInString: boolean
  isKey: boolean
  isInfinite: boolean
  path: number
}

/** Returns whether the path was not met before. */
const isNewPath = ({ seen }: State, path: number): boolean => {
  const bit = Math.imul(path ^ (path >>> 15), 0x2c1b3c6d) >>> (32 - SEEN_BITS)
  const at = bit >>> 3
  const mask = 1 << (bit & 7)
  const before = seen[at] ?? 0
  seen[at] = before | mask
  return (before & mask) === 0
}

const endKey = (state: State): void => {
  const { paths, sizes, path } = state
  const last = paths.length - 1
  const size = (sizes[last] ?? 0) + 1
  paths[last] = path
  sizes[last] = size
  if (isNewPath(state, path) || size > SHARED_KEYS) state.keys += 1
}

/** Reads to the end of the string, or to `until`. The hash of a key includes its quote, which separates it from the next. */
const readString = (state: State, until: number): void => {
  const { text, isKey } = state
  let { at, path } = state
  while (at < until && state.isInString) {
    const code = text.charCodeAt(at)
    at += code === BACKSLASH ? 2 : 1
    if (isKey) path = Math.imul(path ^ code, HASH_PRIME)
    if (code === QUOTE) state.isInString = false
    else if (isKey && code === BACKSLASH) path ^= text.charCodeAt(at - 1)
  }
  state.at = at
  state.path = path
  if (isKey && !state.isInString) endKey(state)
}

const readMark = (state: State, code: number): void => {
  const { paths, sizes, seed } = state
  state.at += 1
  if (code === QUOTE) {
    state.isInString = true
    state.path = paths.at(-1) ?? 0
  } else if ((code | BRACE) === CLOSE_OBJECT) {
    paths.pop()
    sizes.pop()
    state.isKey = false
  } else if (code === COMMA) {
    // each value but the first of a list follows a comma
    state.values += 1
    state.isKey = (sizes.at(-1) ?? -1) >= 0
  } else if ((code | BRACE) === OPEN_OBJECT) {
    state.values += 1
    state.isKey = code === OPEN_OBJECT
    paths.push(seed)
    sizes.push(state.isKey ? 0 : -1)
  } else if (code === COLON) state.isKey = false
  else if (isDigit(code)) {
    const end = endOfNumber(state.text, state.at - 1)
    if (end < 0) state.isInfinite = true
    else state.at = end
  }
}

const advance = (state: State, characters: number): ReturnType<JsonBounds['advance']> => {
  const { text, paths } = state
  const until = Math.min(text.length, state.at + characters)
  while (state.at < until) {
    if (state.isInString) readString(state, until)
    else readMark(state, text.charCodeAt(state.at))
    if (paths.length > MAX_JSON_DEPTH) return 'depth'
    if (state.values > MAX_JSON_VALUES) return 'values'
    if (state.keys > MAX_JSON_KEYS) return 'keys'
    if (state.isInfinite) return 'number'
  }
  return state.at < text.length ? null : 'none'
}

/**
 * Bounds what `JSON.parse` costs for a text, and how deep it nests. Reads it once, in parts, and does not check it further.
 * @param seed random, so that no caller knows which keys coincide
 */
export const createJsonBounds = (text: string, seed: number): JsonBounds => {
  const state: State = {
    text,
    seed,
    paths: [],
    sizes: [],
    seen: new Uint8Array(2 ** (SEEN_BITS - 3)),
    at: 0,
    values: 0,
    keys: 0,
    isInString: false,
    isKey: false,
    isInfinite: false,
    path: 0,
  }
  return { advance: (characters) => advance(state, characters) }
}
