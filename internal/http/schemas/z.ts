/** zod with `.openapi(name)`, which names a shape in the OpenAPI document. */
import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json/value.ts'

extendZodWithOpenApi(z)

const ANY_TYPE = ['object', 'array', 'string', 'number', 'boolean', 'null'] as const

/**
 * Any JSON. `JSON.parse` made the value, so nothing in it is looked at: `z.json()` takes 4 s for a million empty lists.
 */
export const jsonValue: z.ZodType<JsonValue> = z
  .custom<JsonValue>((value) => value !== undefined, 'is missing')
  .openapi({ type: [...ANY_TYPE] })

/** A JSON object with any fields. */
export const jsonObject: z.ZodType<JsonObject> = z
  .custom<JsonObject>(isJsonObject, {
    error: ({ input }) => (input === undefined ? 'is missing' : 'must be an object'),
  })
  .openapi({ type: 'object', additionalProperties: { type: [...ANY_TYPE] } })

/** Any JSON that has its own type within the program. */
export const jsonDocument: z.ZodType<unknown> = jsonValue

export { z }
