/**
 * Checks a value against a schema (JSON Schema 2020-12: applicators, validation, unevaluated). The schema is interpreted within
 * a budget of steps, so that neither a schema that multiplies itself by its references nor a long input blocks the server.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts'
import { type Assertion, assertValue } from './assertions.ts'
import {
  type At,
  addFault,
  counted,
  type Faults,
  patternSteps,
  type Run,
  spend,
  TooManySteps,
} from './run.ts'
import { isSchema, type Schema } from './schema.ts'

/** What a schema has evaluated, for `unevaluated…`: fields by name, and list items up to an index or one by one. */
type Seen = { readonly fields: Set<string>; items: number; readonly single: Set<number> }

const MAX_DEPTH = 400
/** For adding the name of a field to lists and sets. */
const STEPS_PER_NAME = 5

const nothing = (): Seen => ({ fields: new Set(), items: 0, single: new Set() })

const merge = (run: Run, into: Seen, from: Seen | null): void => {
  if (from === null) return
  spend(run, STEPS_PER_NAME * (from.fields.size + from.single.size))
  for (const field of from.fields) into.fields.add(field)
  for (const index of from.single) into.single.add(index)
  into.items = Math.max(into.items, from.items)
}

/** @returns null if it does not fit; `at.faults` then has the reasons */
export const evaluate = (run: Run, schema: Schema, at: At): Seen | null => {
  spend(run, 1)
  if (schema === true) return nothing()
  if (schema === false) {
    addFault(run, at, 'is not allowed')
    return null
  }
  run.depth += 1
  if (run.depth > MAX_DEPTH) throw new TooManySteps('The check of an input went too deep.')
  const before = at.faults.length
  const seen = nothing()
  const assertion: Assertion = { run, schema, at }
  assertValue(assertion)
  applyReferences(assertion, seen)
  applyLogic(assertion, seen)
  if (isJsonObject(at.value)) applyToFields({ ...assertion, value: at.value }, seen)
  if (Array.isArray(at.value)) applyToItems({ ...assertion, value: at.value }, seen)
  run.depth -= 1
  return at.faults.length === before ? seen : null
}

type Applied = Readonly<{ run: Run; schema: JsonObject; at: At }>

const sub = (schema: JsonObject, name: string): Schema | undefined => {
  const value = Object.hasOwn(schema, name) ? schema[name] : undefined
  return isSchema(value) ? value : undefined
}

const list = ({ run, schema }: Applied, name: string): readonly Schema[] => {
  const value = Object.hasOwn(schema, name) ? schema[name] : undefined
  if (!Array.isArray(value)) return []
  spend(run, value.length)
  return value.filter(isSchema)
}

const named = (schema: JsonObject, name: string): JsonObject => {
  const value = Object.hasOwn(schema, name) ? schema[name] : undefined
  return isJsonObject(value) ? value : {}
}

/** Evaluates a schema without reporting its faults. */
const tryOut = ({ run, at }: Applied, schema: Schema): Seen | null =>
  evaluate(run, schema, { ...at, faults: [] })

const applyReferences = ({ run, schema, at }: Applied, seen: Seen): void => {
  const target =
    typeof schema.$ref === 'string' ? run.schema.references.get(schema.$ref) : undefined
  if (target !== undefined) merge(run, seen, evaluate(run, target, at))
}

const applyLogic = (applied: Applied, seen: Seen): void => {
  const { run, schema, at } = applied
  for (const one of list(applied, 'allOf')) merge(run, seen, evaluate(run, one, at))
  applyChoice(applied, 'anyOf', seen)
  applyChoice(applied, 'oneOf', seen)
  const not = sub(schema, 'not')
  if (not !== undefined && tryOut(applied, not) !== null) {
    addFault(run, at, 'must not match the schema in "not"')
  }
  const condition = sub(schema, 'if')
  if (condition === undefined) return
  const fits = tryOut(applied, condition)
  merge(run, seen, fits)
  const branch = sub(schema, fits === null ? 'else' : 'then')
  if (branch !== undefined) merge(run, seen, evaluate(run, branch, at))
}

const MATCHES_NONE = {
  anyOf: 'must match at least one schema in "anyOf"',
  oneOf: 'must match exactly one schema in "oneOf", but matches none',
} as const

const applyChoice = (applied: Applied, name: 'anyOf' | 'oneOf', seen: Seen): void => {
  const { run, at } = applied
  const choices = list(applied, name)
  if (choices.length === 0) return
  const tries = choices.map((choice) => {
    const faults: Faults = []
    return { faults, fits: evaluate(run, choice, { ...at, faults }) }
  })
  const fitting = tries.filter(({ fits }) => fits !== null)
  for (const { fits } of fitting) merge(run, seen, fits)
  if (name === 'oneOf' && fitting.length > 1) {
    addFault(run, at, `must match exactly one schema in "oneOf", but matches ${fitting.length}`)
  }
  if (fitting.length > 0) return
  // report the faults of the schema that fits best
  const nearest = tries.reduce((best, one) => (one.faults.length < best.faults.length ? one : best))
  const [reason] = nearest.faults
  const inside = reason !== undefined && reason.path.length > at.path.length
  if (!inside) addFault(run, at, MATCHES_NONE[name])
  else for (const { path, message } of nearest.faults) addFault(run, { ...at, path }, message)
}

type Fields = Applied & Readonly<{ value: JsonObject }>

const applyToFields = (applied: Fields, seen: Seen): void => {
  const { run, schema, at, value } = applied
  const names = Object.keys(value)
  spend(run, STEPS_PER_NAME * names.length)
  const enter = (name: string, to: Schema): void => {
    seen.fields.add(name)
    const field = value[name] ?? null
    evaluate(run, to, { value: field, path: [...at.path, name], faults: at.faults })
  }
  const known = named(schema, 'properties')
  // iterate over the fields of the value, which are already paid for: a schema may have thousands of properties
  for (const name of names) {
    const to = sub(known, name)
    if (to !== undefined) enter(name, to)
  }
  const matched = applyPatterns(applied, names, enter)
  const others = names.filter((name) => !Object.hasOwn(known, name) && !matched.has(name))
  const additional = sub(schema, 'additionalProperties')
  if (additional !== undefined)
    for (const name of others) enterOther(applied, name, additional, enter)
  const dependent = named(schema, 'dependentSchemas')
  for (const name of names) {
    const to = sub(dependent, name)
    if (to !== undefined) merge(run, seen, evaluate(run, to, at))
  }
  const rule = sub(schema, 'propertyNames')
  if (rule !== undefined) {
    for (const name of names) {
      evaluate(run, rule, { value: name, path: [...at.path, name], faults: at.faults })
    }
  }
  const rest = sub(schema, 'unevaluatedProperties')
  if (rest === undefined) return
  for (const name of names.filter((one) => !seen.fields.has(one))) {
    enterOther(applied, name, rest, enter)
  }
}

const enterOther = (
  { run, at }: Fields,
  name: string,
  to: Schema,
  enter: (name: string, to: Schema) => void,
): void => {
  if (to !== false) enter(name, to)
  else addFault(run, { ...at, path: [...at.path, name] }, 'is not a field of this input')
}

const applyPatterns = (
  { run, schema }: Fields,
  names: readonly string[],
  enter: (name: string, to: Schema) => void,
): ReadonlySet<string> => {
  const matched = new Set<string>()
  const known = Object.entries(named(schema, 'patternProperties'))
  spend(run, known.length)
  for (const [source, to] of known) {
    const pattern = run.schema.patterns.get(source)
    if (pattern === undefined || !isSchema(to)) continue
    for (const name of names) {
      spend(run, patternSteps(name, pattern.size))
      if (!pattern.test(name)) continue
      matched.add(name)
      enter(name, to)
    }
  }
  return matched
}

type Items = Applied & Readonly<{ value: readonly JsonValue[] }>

const applyToItems = (applied: Items, seen: Seen): void => {
  const { run, schema, at, value } = applied
  spend(run, value.length)
  const enter = (index: number, to: Schema, faults: Faults): Seen | null =>
    evaluate(run, to, { value: value[index] ?? null, path: [...at.path, index], faults })
  const prefix = list(applied, 'prefixItems')
  for (const [index, to] of prefix.slice(0, value.length).entries()) enter(index, to, at.faults)
  seen.items = Math.max(seen.items, Math.min(prefix.length, value.length))
  const items = sub(schema, 'items')
  if (items !== undefined) {
    for (let index = prefix.length; index < value.length; index += 1) enter(index, items, at.faults)
    seen.items = value.length
  }
  const contains = sub(schema, 'contains')
  if (contains !== undefined) {
    const found = [...value.keys()].filter((index) => enter(index, contains, []) !== null)
    for (const index of found) seen.single.add(index)
    const least = typeof schema.minContains === 'number' ? schema.minContains : 1
    const most = typeof schema.maxContains === 'number' ? schema.maxContains : value.length
    const matching = (count: number): string =>
      `${counted(count, 'item')} matching the schema in "contains"`
    if (found.length < least) addFault(run, at, `must have at least ${matching(least)}`)
    if (found.length > most) addFault(run, at, `must have at most ${matching(most)}`)
  }
  const rest = sub(schema, 'unevaluatedItems')
  if (rest === undefined) return
  for (let index = seen.items; index < value.length; index += 1) {
    if (!seen.single.has(index)) enter(index, rest, at.faults)
  }
  seen.items = value.length
}
