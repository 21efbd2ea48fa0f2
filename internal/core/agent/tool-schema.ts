/** The input schema of a tool, from that of an action or flow [agents 2.2]. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts'

/** Clients expect an object as schema of each property. */
const toObject = (schema: JsonValue): JsonObject => {
  if (isJsonObject(schema)) return schema
  return schema === false ? { not: {} } : {}
}

/** Returns a JSON Schema of an object, as the protocol requires. An input is always an object. */
export const toToolSchema = (schema: JsonValue): JsonObject & Readonly<{ type: 'object' }> => {
  if (!isJsonObject(schema)) return { type: 'object' }
  const { properties } = schema
  if (!isJsonObject(properties)) return { ...schema, type: 'object' }
  // most schemas have no others, and to build an object of thousands of fields takes milliseconds
  if (Object.values(properties).every(isJsonObject)) return { ...schema, type: 'object' }
  const shown = Object.entries(properties).map(([name, each]) => [name, toObject(each)])
  return { ...schema, type: 'object', properties: Object.fromEntries(shown) }
}
