/** zod with `.openapi(name)`, which names a shape in the OpenAPI document. */
import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'

extendZodWithOpenApi(z)

export { z }
