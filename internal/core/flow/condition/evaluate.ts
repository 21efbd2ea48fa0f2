/**
 * Evaluates a condition over a run's data. Nothing but the grammar is executed. `&&` and `||` skip a side that cannot change
 * the result. `<` and the like compare two numbers or two texts; anything else fails the run [flows 4.2, 4.3].
 */
import type { JobError } from '../../job/job-error.ts'
import type { JsonValue } from '../../json/value.ts'
import { type FlowData, type Found, failed, found, lookUp, type Reference } from '../data.ts'
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
  const { value, error } = evaluate(condition, data)
  return error === null ? { holds: isTruthy(value), error: null } : { holds: null, error }
}

const isTruthy = (value: JsonValue): boolean =>
  value !== null && value !== false && value !== 0 && value !== ''

const evaluate = (condition: Condition, data: FlowData): Found => {
  switch (condition.kind) {
    case 'literal':
      return found(condition.value)
    case 'reference':
      return evaluateReference(condition.reference, data)
    case 'not': {
      const operand = evaluate(condition.operand, data)
      return operand.error === null ? found(!isTruthy(operand.value)) : operand
    }
    case 'and':
    case 'or': {
      const left = evaluate(condition.left, data)
      if (left.error !== null) return left
      const isDecided = isTruthy(left.value) === (condition.kind === 'or')
      return isDecided ? left : evaluate(condition.right, data)
    }
    case 'compare': {
      const left = evaluate(condition.left, data)
      if (left.error !== null) return left
      const right = evaluate(condition.right, data)
      return right.error === null ? compare(condition.operator, left.value, right.value) : right
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

const compare = (operator: Comparison, left: JsonValue, right: JsonValue): Found => {
  switch (operator) {
    case '==':
    case '===':
      return found(isSame(left, right))
    case '!=':
    case '!==':
      return found(!isSame(left, right))
    case '<':
    case '<=':
    case '>':
    case '>=':
      return order(operator, left, right)
  }
}

/** Whether both have the same type and, for lists and objects, the same content. */
const isSame = (left: JsonValue, right: JsonValue): boolean => {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object') return false
  if (left === null || right === null || Array.isArray(left) !== Array.isArray(right)) return false
  const [mine, theirs] = [Object.entries(left), new Map(Object.entries(right))]
  return (
    mine.length === theirs.size &&
    mine.every(([key, value]) => {
      const other = theirs.get(key)
      return other !== undefined && isSame(value, other)
    })
  )
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
