/**
 * Checks a JSON text without building its values. `JSON.parse` needs about a second for four megabytes of empty
 * lists. This needs a fraction of that, keeps a stack of `depth` entries, and can run in parts, so that a hostile
 * text does not block other work.
 */

import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './characters.ts'
import { endOfNumber, isDigit } from './numbers.ts'

export type JsonLimits = Readonly<{
  /** The deepest nesting of objects and arrays. */
  depth: number
  /** The number of objects and arrays in total. @default any number */
  containers?: number
}>

export type JsonVerdict = 'valid' | 'invalid' | 'too_deep' | 'too_many'

export interface JsonScan {
  /** Reads about this many more characters. Returns null if it has not reached the end. */
  advance(characters: number): JsonVerdict | null
}

/** What may come next. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'end'

type State = Readonly<{ text: string; depth: number }> & {
  /** Negative for any number. */
  containersLeft: number
  /** The closing bracket of each open container. */
  readonly closers: number[]
  expected: Expected
  at: number
  isInString: boolean
  isKey: boolean
}

/** Null while no fault is found. */
type Step = JsonVerdict | null

const ZERO = 0x30
const LITERALS: Readonly<Record<number, string>> = { 116: 'true', 102: 'false', 110: 'null' }
const ESCAPES: ReadonlySet<number> = new Set([...'"\\/bfnrtu'].map((char) => char.charCodeAt(0)))
/** Four hexadecimal digits follow it. */
const UNICODE_ESCAPE = 0x75

const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
const isHexDigit = (code: number): boolean =>
  isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)

const afterValue = (state: State): null => {
  state.expected = state.closers.length === 0 ? 'end' : 'comma or end'
  return null
}

const open = (state: State, code: number): Step => {
  if (state.closers.length >= state.depth) return 'too_deep'
  if (state.containersLeft === 0) return 'too_many'
  state.containersLeft -= 1
  // in ASCII the code of each closing bracket is two more than that of its opening one
  state.closers.push(code + 2)
  state.expected = code === OPEN_OBJECT ? 'key or end' : 'value or end'
  state.at += 1
  return null
}

const close = (state: State, code: number): Step => {
  if (state.closers.pop() !== code) return 'invalid'
  state.at += 1
  return afterValue(state)
}

/** Returns the place after the digits at `from`; `from` itself if there are none. */
const skipDigits = ({ text }: State, from: number): number => {
  let at = from
  while (isDigit(text.charCodeAt(at))) at += 1
  return at
}

const readNumber = (state: State): Step => {
  const { text } = state
  const first = text.charCodeAt(state.at) === 0x2d ? state.at + 1 : state.at
  let at = text.charCodeAt(first) === ZERO ? first + 1 : skipDigits(state, first)
  if (at === first) return 'invalid'
  if (text.charCodeAt(at) === 0x2e) {
    const end = skipDigits(state, at + 1)
    if (end === at + 1) return 'invalid'
    at = end
  }
  if ((text.charCodeAt(at) | 0x20) === 0x65) {
    const sign = text.charCodeAt(at + 1)
    const digits = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1
    at = skipDigits(state, digits)
    if (at === digits) return 'invalid'
  }
  if (endOfNumber(text, first) < 0) return 'invalid'
  state.at = at
  return afterValue(state)
}

const beginString = (state: State, isKey: boolean): null => {
  state.isInString = true
  state.isKey = isKey
  state.at += 1
  return null
}

const readValue = (state: State, code: number): Step => {
  if (code === OPEN_OBJECT || code === OPEN_LIST) return open(state, code)
  if (code === QUOTE) return beginString(state, false)
  const literal = LITERALS[code]
  if (literal === undefined) return readNumber(state)
  if (!state.text.startsWith(literal, state.at)) return 'invalid'
  state.at += literal.length
  return afterValue(state)
}

const readKey = (state: State, code: number): Step =>
  code === QUOTE ? beginString(state, true) : 'invalid'

const isEscape = (text: string, from: number): boolean => {
  const code = text.charCodeAt(from)
  if (code !== UNICODE_ESCAPE) return ESCAPES.has(code)
  for (let digit = from + 1; digit <= from + 4; digit += 1) {
    if (!isHexDigit(text.charCodeAt(digit))) return false
  }
  return true
}

/** Reads to the end of the string, or to `until`. */
const readString = (state: State, until: number): Step => {
  const { text } = state
  while (state.at < until) {
    const code = text.charCodeAt(state.at)
    if (code < 0x20) return 'invalid'
    if (code === BACKSLASH && !isEscape(text, state.at + 1)) return 'invalid'
    state.at += code === BACKSLASH ? 2 : 1
    if (code === QUOTE) {
      state.isInString = false
      if (!state.isKey) return afterValue(state)
      state.expected = 'colon'
      return null
    }
  }
  return null
}

const readComma = (state: State, code: number): Step => {
  if (code !== COMMA) return 'invalid'
  state.expected = state.closers.at(-1) === CLOSE_OBJECT ? 'key' : 'value'
  state.at += 1
  return null
}

const readColon = (state: State, code: number): Step => {
  if (code !== COLON) return 'invalid'
  state.expected = 'value'
  state.at += 1
  return null
}

const readToken = (state: State, code: number): Step => {
  const isCloser = code === CLOSE_LIST || code === CLOSE_OBJECT
  switch (state.expected) {
    case 'value':
      return readValue(state, code)
    case 'value or end':
      return isCloser ? close(state, code) : readValue(state, code)
    case 'key':
      return readKey(state, code)
    case 'key or end':
      return isCloser ? close(state, code) : readKey(state, code)
    case 'colon':
      return readColon(state, code)
    case 'comma or end':
      return isCloser ? close(state, code) : readComma(state, code)
    case 'end':
      return 'invalid'
  }
}

const advance = (state: State, characters: number): Step => {
  const { text } = state
  const until = Math.min(text.length, state.at + characters)
  while (state.at < until) {
    const code = text.charCodeAt(state.at)
    if (!state.isInString && isSpace(code)) state.at += 1
    else {
      const step = state.isInString ? readString(state, until) : readToken(state, code)
      if (step !== null) return step
    }
  }
  if (state.at < text.length) return null
  return state.expected === 'end' && !state.isInString ? 'valid' : 'invalid'
}

export const createJsonScan = (text: string, bounds: JsonLimits): JsonScan => {
  const state: State = {
    text,
    depth: bounds.depth,
    containersLeft: bounds.containers ?? -1,
    closers: [],
    expected: 'value',
    at: 0,
    isInString: false,
    isKey: false,
  }
  return { advance: (characters) => advance(state, characters) }
}

/** Checks the whole text at once, for texts whose length is bounded. */
export const scanJson = (text: string, bounds: JsonLimits): JsonVerdict =>
  createJsonScan(text, bounds).advance(text.length) ?? 'invalid'
