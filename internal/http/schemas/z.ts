/** zod with `.openapi(name)`, which names a shape in the OpenAPI document. */
import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import type { JsonValue } from '#core/json.ts'

extendZodWithOpenApi(z)

/** Any JSON. Its type is explicit, because the generator would follow the recursion of `z.json()` without end. */
export const jsonValue: z.ZodType<JsonValue> = z
  .json()
  .openapi({ type: ['object', 'array', 'string', 'number', 'boolean', 'null'] })

/** Any JSON that has its own type within the program. */
export const jsonDocument: z.ZodType<unknown> = jsonValue

export { z }
