/** The keywords that check a value by itself (JSON Schema 2020-12, Validation). */
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import { formatSteps, hasFormat } from './format.ts'
import { type At, patternSteps, type Run, spend, tell } from './run.ts'

export type Assertion = Readonly<{ run: Run; schema: JsonObject; at: At }>

const TYPE_NAMES: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  number: 'a number',
  integer: 'a whole number',
  string: 'a text',
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
  const say = (message: string): void => tell(run, at, message)
  if (schema.type !== undefined) {
    const types: readonly JsonValue[] = Array.isArray(schema.type) ? schema.type : [schema.type]
    spend(run, types.length)
    if (!types.some((type) => hasType(value, type))) {
      say(`must be ${types.map((type) => TYPE_NAMES[String(type)] ?? type).join(' or ')}`)
    }
  }
  assertChoice(assertion, say)
  if (typeof value === 'number') assertNumber(value, schema, say)
  else if (typeof value === 'string') assertText(assertion, value, say)
  else if (Array.isArray(value)) assertList(assertion, value, say)
  else if (isJsonObject(value)) assertObject(assertion, value, say)
}

type Say = (message: string) => void

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

/** Returns the JSON of a value for a message, which truncates it. */
const shown = (run: Run, value: JsonValue): string => {
  const text = JSON.stringify(value)
  spend(run, text.length / 16)
  return text
}

const assertChoice = ({ run, schema, at }: Assertion, say: Say): void => {
  if (Object.hasOwn(schema, 'const') && schema.const !== undefined) {
    if (!isAmong(run, at.value, [schema.const])) {
      say(`must be ${shown(run, schema.const).slice(0, MAX_SHOWN)}`)
    }
  }
  if (!Array.isArray(schema.enum) || isAmong(run, at.value, schema.enum)) return
  say(`must be one of ${shown(run, schema.enum).slice(1, -1).slice(0, MAX_SHOWN)}`)
}

const isMultiple = (value: number, of: number): boolean => {
  const times = value / of
  // 0.3 is a multiple of 0.1, but not in binary
  return Math.abs(times - Math.round(times)) <= Number.EPSILON * Math.max(1, Math.abs(times)) * 2
}

const assertNumber = (value: number, schema: JsonObject, say: Say): void => {
  const { multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum } = schema
  if (typeof maximum === 'number' && value > maximum) say(`must be at most ${maximum}`)
  if (typeof minimum === 'number' && value < minimum) say(`must be at least ${minimum}`)
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) {
    say(`must be less than ${exclusiveMaximum}`)
  }
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) {
    say(`must be more than ${exclusiveMinimum}`)
  }
  if (typeof multipleOf === 'number' && !isMultiple(value, multipleOf)) {
    say(`must be a multiple of ${multipleOf}`)
  }
}

const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}

const assertText = ({ run, schema }: Assertion, value: string, say: Say): void => {
  const { minLength, maxLength, pattern, format } = schema
  if (minLength !== undefined || maxLength !== undefined) {
    spend(run, value.length / 8)
    const length = lengthOf(value)
    if (length < Number(minLength ?? 0)) say(`must have at least ${minLength} characters`)
    if (length > Number(maxLength ?? length)) say(`must have at most ${maxLength} characters`)
  }
  const compiled = typeof pattern === 'string' ? run.schema.patterns.get(pattern) : undefined
  if (compiled !== undefined) {
    spend(run, patternSteps(value, compiled.size))
    if (!compiled.test(value)) say(`must match ${String(pattern).slice(0, MAX_SHOWN)}`)
  }
  if (typeof format !== 'string') return
  spend(run, formatSteps(value))
  if (!hasFormat(value, format)) say(`must be a valid ${format}`)
}

const assertList = ({ run, schema }: Assertion, value: readonly JsonValue[], say: Say): void => {
  const { minItems, maxItems, uniqueItems } = schema
  if (value.length < Number(minItems ?? 0)) say(`must have at least ${minItems} items`)
  if (value.length > Number(maxItems ?? value.length)) say(`must have at most ${maxItems} items`)
  if (uniqueItems !== true) return
  const texts = new Set(value.map((item) => canonical(run, item)))
  if (texts.size < value.length) say('must not hold an item twice')
}

const assertObject = ({ run, schema, at }: Assertion, value: JsonObject, say: Say): void => {
  const { minProperties, maxProperties, required, dependentRequired } = schema
  const count = Object.keys(value).length
  if (count < Number(minProperties ?? 0)) say(`must have at least ${minProperties} fields`)
  if (count > Number(maxProperties ?? count)) say(`must have at most ${maxProperties} fields`)
  const need = (names: JsonValue | undefined): void => {
    if (!Array.isArray(names)) return
    spend(run, names.length)
    for (const name of names.filter((one: JsonValue) => !Object.hasOwn(value, String(one)))) {
      tell(run, at, `needs the field "${name}"`)
    }
  }
  need(required)
  if (!isJsonObject(dependentRequired)) return
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(dependentRequired, name)) need(dependentRequired[name])
  }
}
