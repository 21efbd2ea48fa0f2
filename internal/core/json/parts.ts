/**
 * Parses a long JSON text in parts, because `JSON.parse` takes 100 ms for 8 MB of small values and nothing else runs meanwhile.
 * Children of a list or object are parsed together, up to the size of a part, and each character once. A list or object that
 * is larger than a part is built from the parts of its children.
 */

import { CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OPEN_OBJECT } from './characters.ts'
import { nextMark } from './marks.ts'
import type { JsonValue } from './value.ts'

/** `JSON.parse` takes up to 15 ms for a part: a key that it has not met before costs a microsecond. */
const PART_CHARACTERS = 131_072

/** A list or object whose end is not reached. */
type Open = Readonly<{ isList: boolean; start: number }> & {
  /** Null until a part of its children is parsed. Then the value of each container around it is not null either. */
  value: JsonValue[] | Record<string, JsonValue> | null
  /** Where its children begin that are not parsed. */
  from: number
  /** Where its last child begins. */
  lastStart: number
  /** Whether `from` directly follows a child that was parsed in parts. */
  isBehindChild: boolean
  /** In an object the key of the child that is parsed in parts. */
  key: string
}

type State = Readonly<{ text: string; partCharacters: number; stack: Open[] }> & {
  at: number
  /** Where the text begins that is not parsed. */
  parsedTo: number
  /** The outermost list or object, once its end is reached. */
  root: Readonly<{ open: Open; end: number }> | null
}

const BLANK = /^[ \t\n\r]*$/

const malformed = (from: number, until: number, cause?: unknown): SyntaxError =>
  new SyntaxError(`There is a fault between the characters ${from} and ${until}.`, { cause })

const isBlank = ({ text }: State, from: number, until: number): boolean =>
  BLANK.test(text.slice(from, until))

/** An assignment to `__proto__` would set the prototype. */
const put = (target: Record<string, JsonValue>, key: string, value: JsonValue): void => {
  const property = { value, configurable: true, enumerable: true, writable: true }
  if (key === '__proto__') Object.defineProperty(target, key, property)
  else target[key] = value
}

const add = (open: Open, children: JsonValue[] | Record<string, JsonValue>): void => {
  const { value } = open
  if (Array.isArray(value)) for (const child of Object.values(children)) value.push(child)
  else if (value !== null) {
    for (const [key, child] of Object.entries(children)) put(value, key, child)
  }
}

const parsePart = (text: string, from: number, until: number) => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw malformed(from, until, cause)
  }
}

/** Parses the children up to a comma or the end of their container. */
const takeChildren = (state: State, open: Open, until: number): void => {
  const { from, isList, isBehindChild } = open
  open.from = until + 1
  open.isBehindChild = false
  // a comma needs a child on each side
  if (isBlank(state, from, until) !== isBehindChild) throw malformed(from, until)
  if (isBehindChild) return
  const children = state.text.slice(from, until)
  add(open, parsePart(isList ? `[${children}]` : `{${children}}`, from, until))
}

/** Parses what precedes a child that is parsed in parts, and its key. */
const beginChild = (state: State, parent: Open, { start }: Open): void => {
  const { lastStart, isList } = parent
  if (lastStart > parent.from) takeChildren(state, parent, lastStart - 1)
  else if (parent.isBehindChild) throw malformed(parent.from, start)
  if (isList) {
    if (!isBlank(state, lastStart, start)) throw malformed(lastStart, start)
    return
  }
  const named = parsePart(`{${state.text.slice(lastStart, start)}null}`, lastStart, start)
  parent.key = Object.keys(named)[0] ?? ''
}

const readComma = (state: State, at: number): void => {
  const { stack, partCharacters } = state
  const last = stack.at(-1)
  if (last === undefined) throw malformed(state.parsedTo, at)
  last.lastStart = at + 1
  if (!last.isBehindChild && at - state.parsedTo < partCharacters) return
  for (const [depth, open] of stack.entries()) {
    if (open.value !== null) continue
    const parent = stack[depth - 1]
    if (parent !== undefined) beginChild(state, parent, open)
    open.value = open.isList ? [] : {}
  }
  takeChildren(state, last, at)
  state.parsedTo = at + 1
}

const readEnd = (state: State, at: number, isList: boolean): void => {
  const open = state.stack.pop()
  if (open === undefined) throw malformed(state.parsedTo, at)
  const parent = state.stack.at(-1)
  if (parent === undefined) state.root = { open, end: at + 1 }
  if (open.value === null) return
  if (open.isList !== isList) throw malformed(open.from, at)
  takeChildren(state, open, at)
  state.parsedTo = at + 1
  if (parent === undefined) return
  add(parent, parent.isList ? [open.value] : Object.fromEntries([[parent.key, open.value]]))
  parent.from = at + 1
  parent.isBehindChild = true
}

const readMark = (state: State, code: number): void => {
  const { at, stack } = state
  if (code === COMMA) readComma(state, at)
  else if (code === CLOSE_LIST || code === CLOSE_OBJECT) readEnd(state, at, code === CLOSE_LIST)
  else if (code === OPEN_LIST || code === OPEN_OBJECT) {
    if (state.root !== null) throw malformed(state.root.end, at)
    const start = at + 1
    const isList = code === OPEN_LIST
    const rest = { value: null, from: start, lastStart: start, isBehindChild: false, key: '' }
    stack.push({ isList, start: at, ...rest })
  }
}

const advance = (state: State): void => {
  const { text } = state
  const until = Math.min(text.length, state.at + state.partCharacters)
  for (;;) {
    state.at = nextMark(text, state.at, until)
    if (state.at >= until) return
    readMark(state, text.charCodeAt(state.at))
    state.at += 1
  }
}

const finish = (state: State): JsonValue => {
  const { text, root, stack } = state
  const outermost = stack[0] ?? root?.open
  // for example one long text
  if (outermost === undefined || outermost.value === null) return JSON.parse(text)
  const end = root?.end ?? text.length
  const isWhole =
    root !== null && isBlank(state, 0, outermost.start) && isBlank(state, end, text.length)
  if (!isWhole) throw malformed(end, text.length)
  return outermost.value
}

/**
 * Parses a JSON text as `JSON.parse` does. Iterate with a turn of the event loop after each part.
 * @param partCharacters characters that are parsed at once
 * @throws {SyntaxError} the text is not JSON
 */
export function* parseInParts(
  text: string,
  partCharacters: number = PART_CHARACTERS,
): Generator<undefined, JsonValue, undefined> {
  if (text.length <= partCharacters) return JSON.parse(text)
  const state: State = { text, partCharacters, stack: [], at: 0, parsedTo: 0, root: null }
  while (state.at < text.length) {
    advance(state)
    yield
  }
  return finish(state)
}
