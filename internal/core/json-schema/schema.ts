/** A JSON Schema (2020-12) that was checked: its references resolved, its patterns compiled. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts'
import type { Pattern } from './pattern.ts'

export type Schema = boolean | JsonObject

export const isSchema = (value: JsonValue | undefined): value is Schema =>
  typeof value === 'boolean' || isJsonObject(value)

export type CheckedSchema = Readonly<{
  root: Schema
  /** By the text of `$ref`. */
  references: ReadonlyMap<string, Schema>
  /** By the text of `pattern`, and of the keys of `patternProperties`. */
  patterns: ReadonlyMap<string, Pattern>
}>
