/**
 * The JSON Schema of app.yaml, for editors and for docs/manifest.md. It is made from the schemas with which svc reads a
 * manifest. Rules between fields (a target that exists, either action or flow) are not part of it.
 */
import { z } from 'zod'
import { actionSchema } from '../action/definition.ts'
import { eventTargetSchema } from '../event/target.ts'
import { flowSchema } from '../flow/definition.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts'
import { scheduleSchema } from '../schedule/definition.ts'
import { webhookSchema } from '../webhook/definition.ts'
import { MANIFEST_DESCRIPTIONS } from './descriptions.ts'
import { manifestFrame } from './manifest.ts'

/** The path at which a server serves it. */
export const MANIFEST_SCHEMA_PATH = '/api/schemas/app.json'

const ROWS = {
  actions: actionSchema,
  flows: flowSchema,
  webhooks: webhookSchema,
  schedules: scheduleSchema,
  events: eventTargetSchema,
}

/** Puts the schema of the rows into each list, and a description on each field. */
export const manifestSchema = (): JsonObject => {
  const frame = toSchema(manifestFrame)
  const rows = toSchema(z.object(ROWS))
  const lists = Object.entries(objectAt(rows, 'properties')).map(([list, items]) => [
    list,
    { ...objectAt(objectAt(frame, 'properties'), list), items },
  ])
  const properties = { ...objectAt(frame, 'properties'), ...Object.fromEntries(lists) }
  const $defs = objectAt(rows, '$defs')
  return described({ title: 'app.yaml of svc', ...frame, properties, $defs }, '')
}

const toSchema = (schema: z.ZodType): JsonObject => {
  const made: JsonValue = z
    .json()
    .parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  return isJsonObject(made) ? made : {}
}

const objectAt = (schema: JsonObject, name: string): JsonObject => {
  const value = schema[name]
  return isJsonObject(value) ? value : {}
}

const described = (schema: JsonObject, path: string): JsonObject => {
  const { readOnly: _, ...rest } = schema
  const text = MANIFEST_DESCRIPTIONS[path]
  const { items, oneOf } = rest
  return {
    ...rest,
    ...(text === undefined ? {} : { description: text }),
    ...(isJsonObject(items) ? { items: described(items, `${path}[]`) } : {}),
    ...(Array.isArray(oneOf)
      ? { oneOf: oneOf.map((each) => (isJsonObject(each) ? described(each, path) : each)) }
      : {}),
    ...(rest.properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(objectAt(rest, 'properties')).map(([name, field]) => [
              name,
              isJsonObject(field)
                ? described(field, path === '' ? name : `${path}.${name}`)
                : field,
            ]),
          ),
        }),
  }
}
