/** The keywords that check a value by itself (JSON Schema 2020-12, Validation). */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts'
import { formatSteps, hasFormat } from './format.ts'
import { type At, addFault, counted, patternSteps, type Run, spend } from './run.ts'

export type Assertion = Readonly<{ run: Run; schema: JsonObject; at: At }>

const TYPE_NAMES: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  number: 'a number',
  integer: 'a whole number',
  string: 'a string',
}

const hasType = (value: JsonValue, type: JsonValue): boolean => {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

export const assertValue = (assertion: Assertion): void => {
  const { run, schema, at } = assertion
  const { value } = at
  const report = (message: string): void => addFault(run, at, message)
  if (schema.type !== undefined) {
    const types: readonly JsonValue[] = Array.isArray(schema.type) ? schema.type : [schema.type]
    spend(run, types.length)
    if (!types.some((type) => hasType(value, type))) {
      report(`must be ${types.map((type) => TYPE_NAMES[String(type)] ?? type).join(' or ')}`)
    }
  }
  assertChoice(assertion, report)
  if (typeof value === 'number') assertNumber(value, schema, report)
  else if (typeof value === 'string') assertText(assertion, value, report)
  else if (Array.isArray(value)) assertList(assertion, value, report)
  else if (isJsonObject(value)) assertObject(assertion, value, report)
}

type Report = (message: string) => void

const STEPS_PER_TEXT = 4

/** Returns JSON with sorted keys, so that equal values have equal texts. Spends steps, because inputs may be large. */
const canonical = (run: Run, value: JsonValue): string => {
  spend(run, STEPS_PER_TEXT)
  if (Array.isArray(value)) {
    return `[${value.map((item: JsonValue) => canonical(run, item)).join()}]`
  }
  if (!isJsonObject(value)) {
    const text = JSON.stringify(value)
    spend(run, text.length / 16)
    return text
  }
  const fields = Object.entries(value)
  // a sort compares each of n names about log2(n) times
  spend(run, fields.length * (STEPS_PER_TEXT + 2 * Math.log2(fields.length + 1)))
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(run, field)}`).join()}}`
}

const MAX_SHOWN = 200

const isScalar = (value: JsonValue): boolean => typeof value !== 'object' || value === null

/** Compares scalars directly, which costs a fraction of a step for each choice. */
const isAmong = (run: Run, value: JsonValue, choices: readonly JsonValue[]): boolean => {
  if (isScalar(value)) {
    spend(run, choices.length / 8)
    return choices.includes(value)
  }
  const text = canonical(run, value)
  return choices.some((choice) => canonical(run, choice) === text)
}

const shorten = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text

/** Lists values as JSON for a message. */
const listed = (run: Run, values: readonly JsonValue[]): string => {
  const text = values.map((value) => JSON.stringify(value)).join(', ')
  spend(run, text.length / 16)
  return shorten(text)
}

const assertChoice = ({ run, schema, at }: Assertion, report: Report): void => {
  if (Object.hasOwn(schema, 'const') && schema.const !== undefined) {
    if (!isAmong(run, at.value, [schema.const])) {
      report(`must be ${listed(run, [schema.const])}`)
    }
  }
  if (!Array.isArray(schema.enum) || isAmong(run, at.value, schema.enum)) return
  report(`must be one of ${listed(run, schema.enum)}`)
}

const isMultiple = (value: number, of: number): boolean => {
  if (Number.isInteger(value) && Number.isInteger(of)) return value % of === 0
  const times = value / of
  // 0.3 is a multiple of 0.1, but not in binary
  return Math.abs(times - Math.round(times)) <= Number.EPSILON * Math.max(1, Math.abs(times)) * 2
}

const assertNumber = (value: number, schema: JsonObject, report: Report): void => {
  const { multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum } = schema
  if (typeof maximum === 'number' && value > maximum) report(`must be at most ${maximum}`)
  if (typeof minimum === 'number' && value < minimum) report(`must be at least ${minimum}`)
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) {
    report(`must be less than ${exclusiveMaximum}`)
  }
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) {
    report(`must be greater than ${exclusiveMinimum}`)
  }
  if (typeof multipleOf === 'number' && !isMultiple(value, multipleOf)) {
    report(`must be a multiple of ${multipleOf}`)
  }
}

const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}

const assertText = ({ run, schema }: Assertion, value: string, report: Report): void => {
  const { minLength, maxLength, pattern, format } = schema
  if (minLength !== undefined || maxLength !== undefined) {
    spend(run, value.length / 8)
    const length = lengthOf(value)
    if (length < Number(minLength ?? 0))
      report(`must have at least ${counted(minLength, 'character')}`)
    if (length > Number(maxLength ?? length))
      report(`must have at most ${counted(maxLength, 'character')}`)
  }
  const compiled = typeof pattern === 'string' ? run.schema.patterns.get(pattern) : undefined
  if (compiled !== undefined) {
    spend(run, patternSteps(value, compiled.size))
    if (!compiled.test(value)) report(`must match the pattern ${shorten(String(pattern))}`)
  }
  if (typeof format !== 'string') return
  spend(run, formatSteps(value))
  if (!hasFormat(value, format)) report(`must be a valid ${format}`)
}

const assertList = (
  { run, schema }: Assertion,
  value: readonly JsonValue[],
  report: Report,
): void => {
  const { minItems, maxItems, uniqueItems } = schema
  if (value.length < Number(minItems ?? 0))
    report(`must have at least ${counted(minItems, 'item')}`)
  if (value.length > Number(maxItems ?? value.length))
    report(`must have at most ${counted(maxItems, 'item')}`)
  if (uniqueItems !== true) return
  const texts = new Set(value.map((item) => canonical(run, item)))
  if (texts.size < value.length) report('must not contain duplicate items')
}

const assertObject = ({ run, schema, at }: Assertion, value: JsonObject, report: Report): void => {
  const { minProperties, maxProperties, required, dependentRequired } = schema
  // to list 50,000 fields takes 10 ms
  if (minProperties !== undefined || maxProperties !== undefined) {
    const count = Object.keys(value).length
    if (count < Number(minProperties ?? 0))
      report(`must have at least ${counted(minProperties, 'field')}`)
    if (count > Number(maxProperties ?? count))
      report(`must have at most ${counted(maxProperties, 'field')}`)
  }
  const need = (names: JsonValue | undefined): void => {
    if (!Array.isArray(names)) return
    spend(run, names.length)
    for (const name of names.filter((one: JsonValue) => !Object.hasOwn(value, String(one)))) {
      addFault(run, at, `must have the field "${name}"`)
    }
  }
  need(required)
  if (!isJsonObject(dependentRequired)) return
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(dependentRequired, name)) need(dependentRequired[name])
  }
}
