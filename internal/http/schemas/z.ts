/** zod with `.openapi(name)`, which names a shape in the OpenAPI document. */
import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'

extendZodWithOpenApi(z)

/** Any JSON. Its type is spelled out, since the generator would follow the recursion of `z.json()` without end. */
export const jsonValue = z
  .json()
  .openapi({ type: ['object', 'array', 'string', 'number', 'boolean', 'null'] })

export { z }
