/**
 * Evaluates a condition over a run's data. Nothing but the grammar is executed. `&&` and `||` skip a side that cannot change
 * the result. `<` and the like compare two numbers or two texts; anything else fails the run [flows 4.2, 4.3].
 */
import type { JobError } from '../../job/job-error.ts'
import type { JsonValue } from '../../json/value.ts'
import { type FlowData, type Found, failed, found, lookUp, type Reference } from '../data.ts'
import { createEffort, type Effort, isSame, MAX_COMPARED, mayRead } from './compare.ts'
import { type Comparison, type Condition, parseCondition } from './parse.ts'

export type Verdict =
  | Readonly<{ holds: boolean; error: null }>
  | Readonly<{ holds: null; error: JobError }>

/** @param text the condition as the manifest has it */
export const evaluateCondition = (text: string, data: FlowData): Verdict => {
  const { condition, fault } = parseCondition(text)
  if (condition === null) {
    const message = `The condition \`${text.slice(0, 200)}\` is not understood: ${fault}.`
    return { holds: null, error: { name: 'BadCondition', message } }
  }
  const { value, error } = evaluate(condition, data, createEffort())
  return error === null ? { holds: isTruthy(value), error: null } : { holds: null, error }
}

const isTruthy = (value: JsonValue): boolean =>
  value !== null && value !== false && value !== 0 && value !== ''

const evaluate = (condition: Condition, data: FlowData, effort: Effort): Found => {
  switch (condition.kind) {
    case 'literal':
      return found(condition.value)
    case 'reference':
      return evaluateReference(condition.reference, data)
    case 'not': {
      const operand = evaluate(condition.operand, data, effort)
      return operand.error === null ? found(!isTruthy(operand.value)) : operand
    }
    case 'and':
    case 'or': {
      const left = evaluate(condition.left, data, effort)
      if (left.error !== null) return left
      const isDecided = isTruthy(left.value) === (condition.kind === 'or')
      return isDecided ? left : evaluate(condition.right, data, effort)
    }
    case 'compare': {
      const left = evaluate(condition.left, data, effort)
      if (left.error !== null) return left
      const right = evaluate(condition.right, data, effort)
      if (right.error !== null) return right
      return compare(condition.operator, left.value, right.value, effort) ?? TOO_MUCH
    }
  }
}

/** Resolves a reference. `.length` is that of a list or a text, unless there is a field of that name. */
const evaluateReference = (reference: Reference, data: FlowData): Found => {
  const { path, text } = reference
  if (path.at(-1) === 'length') {
    const owner = lookUp(data, { ...reference, path: path.slice(0, -1), text })
    if (owner.error === null && (typeof owner.value === 'string' || Array.isArray(owner.value))) {
      return found(owner.value.length)
    }
  }
  return lookUp(data, reference)
}

const TOO_MUCH = failed(
  'BadCondition',
  `The condition compares more than ${MAX_COMPARED} values of lists and objects. Compare a part of them, or their number.`,
)

/** @returns null if there is more to compare than the effort allows */
const compare = (
  operator: Comparison,
  left: JsonValue,
  right: JsonValue,
  effort: Effort,
): Found | null => {
  switch (operator) {
    case '==':
    case '===':
    case '!=':
    case '!==': {
      const same = isSame(left, right, effort)
      return same === null ? null : found(same === operator.startsWith('='))
    }
    case '<':
    case '<=':
    case '>':
    case '>=':
      return typeof left === 'string' && !mayRead(left, effort)
        ? null
        : order(operator, left, right)
  }
}

const order = (operator: '<' | '<=' | '>' | '>=', left: JsonValue, right: JsonValue): Found => {
  const areNumbers = typeof left === 'number' && typeof right === 'number'
  const areTexts = typeof left === 'string' && typeof right === 'string'
  if (!areNumbers && !areTexts) {
    const [a, b] = [typeName(left), typeName(right)]
    return failed(
      'BadCondition',
      `\`${operator}\` compares two numbers or two texts, not ${a} and ${b}.`,
    )
  }
  if (operator === '<') return found(left < right)
  if (operator === '<=') return found(left <= right)
  return found(operator === '>' ? left > right : left >= right)
}

const typeName = (value: JsonValue): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
