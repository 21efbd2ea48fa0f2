/**
 * Checks once, when an app is deployed, whether a schema can be used: every keyword has a value of its type, every `$ref` leads
 * somewhere inside the schema and none in a circle, every pattern can run in linear time.
 */
import { isJsonObject, type JsonValue } from '../json/value.ts'
import { limit } from '../limit.ts'
import { type Child, childrenOf, IN_PLACE, keywordFault } from './keywords.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { type CheckedSchema, isSchema, type Schema } from './schema.ts'

export type SchemaFault = Readonly<{ path: readonly PropertyKey[]; message: string }>

type Path = readonly PropertyKey[]

/** Instructions of all patterns together. Compiling takes about a millisecond for a thousand. */
const MAX_PATTERN_SIZE = 5_000
const MAX_SCHEMAS = limit(
  'app.schemas',
  10_000,
  'items',
  'Schemas within an `inputSchema`, except `true` and `false`. More: 422.',
)
/** A check ends after as many schemas that apply to the same value. */
const MAX_CHAIN = 400

const TOO_LARGE = `is too large: all patterns of a schema together have at most ${MAX_PATTERN_SIZE} instructions`

const CIRCLE = 'refers back to itself, so a check would never end'
const TOO_LONG = `is the end of a chain of more than ${MAX_CHAIN} schemas, which a check does not follow`

export type CheckResult =
  | Readonly<{ ok: true; schema: CheckedSchema }>
  | Readonly<{ ok: false; faults: readonly SchemaFault[] }>

/** Resolves `#`, `#/$defs/name` or `#anchor`; undefined if it leads nowhere inside the schema. */
const resolve = (
  root: Schema,
  reference: string,
  anchors: ReadonlyMap<string, Schema>,
): JsonValue | undefined => {
  const id = typeof root === 'object' && typeof root.$id === 'string' ? root.$id : ''
  const local = id !== '' && reference.startsWith(id) ? reference.slice(id.length) : reference
  if (local === '#' || (local === '' && id !== '')) return root
  if (!local.startsWith('#/')) return anchors.get(local.replace(/^#/, ''))
  let at: JsonValue | undefined = root
  for (const part of local.slice(2).split('/')) {
    const name = decode(part)
    if (Array.isArray(at)) at = at[Number(name)]
    else if (isJsonObject(at) && Object.hasOwn(at, name)) at = at[name]
    else return undefined
  }
  return at
}

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}

/** @param value JSON from a manifest */
export const checkSchema = (value: JsonValue): CheckResult => {
  const faults: SchemaFault[] = []
  const visited = new Set<Schema>()
  const references = new Map<string, Path>()
  const patterns = new Map<string, Pattern>()
  const anchors = new Map<string, Schema>()
  let patternSize = 0
  let isTooLarge = false

  const addPattern = (source: string, path: Path): void => {
    // a pattern takes milliseconds to compile, and a manifest can contain thousands of them
    if (patterns.has(source) || patternSize > MAX_PATTERN_SIZE) return
    const pattern = compilePattern(source)
    if (typeof pattern === 'string') {
      faults.push({ path, message: `is not a pattern that RE2 supports: ${pattern}` })
      return
    }
    patternSize += pattern.size
    if (patternSize > MAX_PATTERN_SIZE) faults.push({ path, message: TOO_LARGE })
    else patterns.set(source, pattern)
  }

  const checkKeyword = (name: string, given: JsonValue, at: Path): void => {
    const message = keywordFault(name, given)
    if (message !== null) faults.push({ path: at, message })
    else if (name === '$id' && at.length > 1) {
      faults.push({ path: at, message: 'is allowed only in the root schema' })
    } else if (name === '$ref') references.set(String(given), at)
    else if (name === 'pattern') addPattern(String(given), at)
    else if (name === 'patternProperties' && isJsonObject(given)) {
      for (const source of Object.keys(given)) addPattern(source, [...at, source])
    }
  }

  /** @returns the schemas directly below, to be visited next */
  const visit = ({ schema, path }: Child): readonly Child[] => {
    if (!isSchema(schema)) {
      faults.push({ path, message: 'must be a schema: a mapping, true or false' })
      return []
    }
    if (typeof schema === 'boolean' || visited.has(schema)) return []
    if (visited.size === MAX_SCHEMAS) {
      isTooLarge = true
      faults.push({ path: [], message: `is too large: it holds more than ${MAX_SCHEMAS} schemas` })
      return []
    }
    visited.add(schema)
    if (typeof schema.$anchor === 'string') anchors.set(schema.$anchor, schema)
    for (const [name, given] of Object.entries(schema)) checkKeyword(name, given, [...path, name])
    return childrenOf(schema, path)
  }

  /** Visits a schema and those below it, without recursion, because a deep schema would exhaust the stack. */
  const visitAll = (root: Child): void => {
    const pending = [root]
    for (let next = pending.pop(); next !== undefined && !isTooLarge; next = pending.pop()) {
      for (const child of visit(next).toReversed()) pending.push(child)
    }
  }

  visitAll({ schema: value, path: [] })
  if (!isSchema(value) || isTooLarge) return { ok: false, faults }
  const resolved = new Map<string, Schema>()
  // the target of a reference may contain references itself
  for (const [reference, path] of references) {
    const target = resolve(value, reference, anchors)
    if (!isSchema(target)) {
      faults.push({
        path,
        message: `does not resolve to a schema in this document: ${reference.slice(0, 200)}`,
      })
      continue
    }
    resolved.set(reference, target)
    visitAll({ schema: target, path })
  }
  const circle = faults.length === 0 ? findCircle(visited, resolved) : null
  if (circle !== null)
    faults.push({ path: references.get(circle.reference) ?? [], message: circle.message })
  return faults.length === 0
    ? { ok: true, schema: { root: value, references: resolved, patterns } }
    : { ok: false, faults }
}

/** @param open the schemas that are followed to `target` */
const chainFault = (open: ReadonlySet<Schema>, target: Schema): string | null => {
  if (open.has(target)) return CIRCLE
  return open.size < MAX_CHAIN ? null : TOO_LONG
}

type Circle = Readonly<{ reference: string; message: string }>

/** Finds the `$ref` that closes a circle in which no part of the value is ever entered, or ends a chain that is too long. */
const findCircle = (
  schemas: ReadonlySet<Schema>,
  references: ReadonlyMap<string, Schema>,
): Circle | null => {
  const done = new Set<Schema>()
  const open = new Set<Schema>()
  const follow = (schema: JsonValue | undefined): Circle | null => {
    if (!isSchema(schema) || typeof schema === 'boolean' || done.has(schema)) return null
    open.add(schema)
    const reference = typeof schema.$ref === 'string' ? schema.$ref : null
    const target = reference === null ? undefined : references.get(reference)
    const message = target === undefined ? null : chainFault(open, target)
    if (reference !== null && message !== null) return { reference, message }
    for (const next of [target, ...childrenOf(schema, [], IN_PLACE).map((child) => child.schema)]) {
      const found = follow(next)
      if (found !== null) return found
    }
    open.delete(schema)
    done.add(schema)
    return null
  }
  for (const schema of schemas) {
    const found = follow(schema)
    if (found !== null) return found
  }
  return null
}
