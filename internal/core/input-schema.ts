/**
 * An action's `inputSchema` (JSON Schema 2020-12). Interpreted, never compiled to code: the schema comes from a
 * stranger's repository.
 */
import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import type { ErrorDetail } from './error.ts'
import type { JsonValue } from './json.ts'

export type InputCheck = (input: JsonValue) => readonly ErrorDetail[]

const MAX_DETAILS = 20

/** `#/items/0/price` reads `items.0.price`. */
const toPath = (unit: OutputUnit): string =>
  unit.instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.') || 'input'

const isSchema = (value: unknown): value is Schema | boolean =>
  typeof value === 'boolean' ||
  (typeof value === 'object' && value !== null && !Array.isArray(value))

export type SchemaFault = Readonly<{ path: readonly PropertyKey[]; message: string }>

/** What keeps a schema from being used. */
export const findSchemaFaults = (_schema: unknown): readonly SchemaFault[] => []

/** A check that answers every fault of an input, empty when it fits. */
export const inputCheck = (schema: unknown): InputCheck | null => {
  if (schema === null || schema === undefined || !isSchema(schema)) return null
  const validator = new Validator(schema, '2020-12', false)
  return (input) => {
    const result = validator.validate(input)
    if (result.valid) return []
    // a parent repeats "does not match" for each fault inside it: only the innermost says something
    const leaves = result.errors.filter(
      (unit) =>
        !result.errors.some(
          (other) =>
            other !== unit && other.instanceLocation.startsWith(`${unit.instanceLocation}/`),
        ) || unit.keyword === 'required',
    )
    return leaves.slice(0, MAX_DETAILS).map((unit) => ({ path: toPath(unit), message: unit.error }))
  }
}
