/** The tokens of a condition [flows 4.1]. */
import { PATH, type PathStep, parsePath } from '../value-path.ts'

const OPERATORS = [
  '===',
  '!==',
  '==',
  '!=',
  '<=',
  '>=',
  '<',
  '>',
  '&&',
  '||',
  '!',
  '(',
  ')',
] as const
export type Operator = (typeof OPERATORS)[number]

export type Token =
  | Readonly<{ kind: 'operator'; operator: Operator }>
  | Readonly<{ kind: 'literal'; value: number | string | boolean | null }>
  | Readonly<{ kind: 'reference'; root: string; path: readonly PathStep[]; text: string }>

export type Lexed =
  | Readonly<{ tokens: readonly Token[]; fault: null }>
  | Readonly<{ tokens: null; fault: string }>

const SPACE = /\s+/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y
const TEXT = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/y
const NAME = new RegExp(String.raw`([A-Za-z_]\w*)(${PATH})`, 'uy')
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

const unquote = (text: string): string =>
  text.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter)

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

type Word = Readonly<{ token: Token; length: number }>

const readWord = (text: string, at: number): Word | null => {
  const number = matchAt(NUMBER, text, at)
  if (number !== null) {
    return { token: { kind: 'literal', value: Number(number[0]) }, length: number[0].length }
  }
  const quoted = matchAt(TEXT, text, at)
  if (quoted !== null) {
    const value = unquote(quoted[1] ?? quoted[2] ?? '')
    return { token: { kind: 'literal', value }, length: quoted[0].length }
  }
  const operator = OPERATORS.find((each) => text.startsWith(each, at))
  if (operator !== undefined) {
    return { token: { kind: 'operator', operator }, length: operator.length }
  }
  const name = matchAt(NAME, text, at)
  return name === null ? null : readName(name)
}

const readName = ([whole, root = '', pathText = '']: RegExpExecArray): Word | null => {
  const constant = WORDS.get(whole)
  if (constant !== undefined) {
    return { token: { kind: 'literal', value: constant }, length: whole.length }
  }
  const path = parsePath(pathText)
  if (path === null) return null
  return { token: { kind: 'reference', root, path, text: whole }, length: whole.length }
}

/** A reference as inputs have it. */
const BRACED = /\$\{([^{}]{1,100})\}/y

const faultAt = (text: string, at: number): string => {
  const [, reference] = matchAt(BRACED, text, at) ?? []
  return reference === undefined
    ? `"${text.slice(at, at + 20)}" is not understood`
    : `a reference in a condition has no braces: write ${reference.trim()}`
}

export const lexCondition = (text: string): Lexed => {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; ) {
    const space = matchAt(SPACE, text, at)
    if (space !== null) {
      at += space[0].length
      continue
    }
    const word = readWord(text, at)
    if (word === null) {
      return { tokens: null, fault: faultAt(text, at) }
    }
    tokens.push(word.token)
    at += word.length
  }
  return { tokens, fault: null }
}
