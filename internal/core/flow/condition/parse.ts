/**
 * The grammar of a condition, from the loosest binding: `||`, `&&`, one comparison, `!`, then a literal, a
 * reference or parentheses.
 */
import { limit } from '../../limit.ts'
import type { Reference } from '../data.ts'
import { lexCondition, type Operator, type Token } from './lex.ts'

const COMPARISONS = ['===', '!==', '==', '!=', '<=', '>=', '<', '>'] as const
export type Comparison = (typeof COMPARISONS)[number]

type Literal = number | string | boolean | null

export type Condition =
  | Readonly<{ kind: 'literal'; value: Literal }>
  | Readonly<{ kind: 'reference'; reference: Reference }>
  | Readonly<{ kind: 'not'; operand: Condition }>
  | Readonly<{ kind: 'and' | 'or'; left: Condition; right: Condition }>
  | Readonly<{ kind: 'compare'; operator: Comparison; left: Condition; right: Condition }>

export type ParsedCondition =
  | Readonly<{ condition: Condition; fault: null }>
  | Readonly<{ condition: null; fault: string }>

/** Bounds on length and depth [flows 4.7]. */
const MAX_LENGTH = limit('flow.condition', 2_048, 'characters', 'Condition of a step.')
const MAX_DEPTH = limit('flow.condition_depth', 32, 'levels', 'Nesting of a condition.')

class ConditionSyntaxError extends Error {
  override readonly name = 'ConditionSyntaxError'
}

type Cursor = Readonly<{
  /** Takes the next token if it is one of these. */
  take: <const Wanted extends Operator>(...wanted: readonly Wanted[]) => Wanted | null
  next: () => Token | null
  isAtEnd: () => boolean
}>

const openCursor = (tokens: readonly Token[]): Cursor => {
  let at = 0
  return {
    take: (...wanted) => {
      const token = tokens[at]
      if (token?.kind !== 'operator') return null
      const taken = wanted.find((each) => each === token.operator)
      if (taken === undefined) return null
      at += 1
      return taken
    },
    next: () => {
      const token = tokens[at] ?? null
      at += 1
      return token
    },
    isAtEnd: () => at >= tokens.length,
  }
}

const parseOr = (cursor: Cursor, depth: number): Condition => {
  let left = parseAnd(cursor, depth)
  while (cursor.take('||') !== null) left = { kind: 'or', left, right: parseAnd(cursor, depth) }
  return left
}

const parseAnd = (cursor: Cursor, depth: number): Condition => {
  let left = parseComparison(cursor, depth)
  while (cursor.take('&&') !== null) {
    left = { kind: 'and', left, right: parseComparison(cursor, depth) }
  }
  return left
}

const parseComparison = (cursor: Cursor, depth: number): Condition => {
  const left = parseNot(cursor, depth)
  const operator = cursor.take(...COMPARISONS)
  if (operator === null) return left
  const compared: Condition = { kind: 'compare', operator, left, right: parseNot(cursor, depth) }
  if (cursor.take(...COMPARISONS) !== null) {
    throw new ConditionSyntaxError('two comparisons in a row need && or ||')
  }
  return compared
}

const parseNot = (cursor: Cursor, depth: number): Condition => {
  if (depth > MAX_DEPTH) throw new ConditionSyntaxError(`it nests deeper than ${MAX_DEPTH} levels`)
  if (cursor.take('!') === null) return parsePrimary(cursor, depth)
  return { kind: 'not', operand: parseNot(cursor, depth + 1) }
}

const parsePrimary = (cursor: Cursor, depth: number): Condition => {
  if (cursor.take('(') !== null) {
    const inner = parseOr(cursor, depth + 1)
    if (cursor.take(')') === null) throw new ConditionSyntaxError('a ")" is missing')
    return inner
  }
  const token = cursor.next()
  if (token === null) throw new ConditionSyntaxError('it ends where a value is expected')
  if (token.kind === 'literal') return token
  if (token.kind === 'operator') {
    throw new ConditionSyntaxError(`"${token.operator}" is where a value is expected`)
  }
  const { root, path, text } = token
  return { kind: 'reference', reference: { root, path, text } }
}

export const parseCondition = (text: string): ParsedCondition => {
  if (text.length > MAX_LENGTH) {
    return { condition: null, fault: `it has more than ${MAX_LENGTH} characters` }
  }
  const { tokens, fault } = lexCondition(text)
  if (tokens === null) return { condition: null, fault }
  try {
    const cursor = openCursor(tokens)
    const condition = parseOr(cursor, 0)
    if (!cursor.isAtEnd()) return { condition: null, fault: 'there is more text after its end' }
    return { condition, fault: null }
  } catch (error) {
    if (error instanceof ConditionSyntaxError) return { condition: null, fault: error.message }
    throw error
  }
}

/** Returns all references of a condition, in order. */
export const referencesOfCondition = (condition: Condition): readonly Reference[] => {
  switch (condition.kind) {
    case 'literal':
      return []
    case 'reference':
      return [condition.reference]
    case 'not':
      return referencesOfCondition(condition.operand)
    case 'and':
    case 'or':
    case 'compare':
      return [...referencesOfCondition(condition.left), ...referencesOfCondition(condition.right)]
  }
}

/** Returns the references of a condition that it compares with `==` or `!=` to a value that it names. */
export const comparedReferences = (
  condition: Condition,
): readonly Readonly<{ reference: Reference; value: Literal }>[] => {
  switch (condition.kind) {
    case 'literal':
    case 'reference':
      return []
    case 'not':
      return comparedReferences(condition.operand)
    case 'and':
    case 'or':
      return [...comparedReferences(condition.left), ...comparedReferences(condition.right)]
    case 'compare': {
      const { operator, left, right } = condition
      if (!operator.endsWith('==') && !operator.startsWith('!')) return []
      const [one, other] = left.kind === 'reference' ? [left, right] : [right, left]
      return one.kind === 'reference' && other.kind === 'literal'
        ? [{ reference: one.reference, value: other.value }]
        : []
    }
  }
}
