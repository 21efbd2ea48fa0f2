/** The parts of the OpenAPI document that the reference page reads. */
import { z } from 'zod'
import { METHODS, type Method } from '../endpoint.ts'

/** A JSON Schema. Fields that the page does not show are omitted. */
const schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.json()).optional(),
  const: z.json().optional(),
  default: z.json().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), schema).optional()
  },
  get items() {
    return schema.optional()
  },
  get additionalProperties() {
    return z.union([z.boolean(), schema]).optional()
  },
  get anyOf() {
    return z.array(schema).optional()
  },
  get oneOf() {
    return z.array(schema).optional()
  },
  get allOf() {
    return z.array(schema).optional()
  },
})
export type Schema = z.infer<typeof schema>

const content = z.record(z.string(), z.object({ schema: schema.optional() }))

const response = z.object({ description: z.string(), content: content.optional() })

const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))).default([]),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean().default(false),
        schema,
      }),
    )
    .default([]),
  requestBody: z.object({ required: z.boolean().default(false), content }).optional(),
  responses: z.record(z.string(), z.union([response, z.object({ $ref: z.string() })])),
})

const described = z.object({
  paths: z.record(z.string(), z.partialRecord(z.enum(METHODS), operation)),
  components: z.object({ schemas: z.record(z.string(), schema).default({}) }),
})

export type Operation = Omit<z.infer<typeof operation>, 'responses'> &
  Readonly<{
    method: Method
    path: string
    responses: Readonly<Record<string, z.infer<typeof response>>>
    /** Statuses whose refusals are the same for all operations; the page explains them once. */
    sharedStatuses: readonly string[]
  }>

export type Description = Readonly<{
  operations: readonly Operation[]
  /** Follows a reference to a named schema. */
  resolve: (found: Schema) => Schema
}>

const splitResponses = ({
  responses,
}: z.infer<typeof operation>): Pick<Operation, 'responses' | 'sharedStatuses'> => ({
  responses: Object.fromEntries(
    Object.entries(responses).flatMap(([status, each]) =>
      '$ref' in each ? [] : [[status, each] as const],
    ),
  ),
  sharedStatuses: Object.entries(responses).flatMap(([status, each]) =>
    '$ref' in each ? [status] : [],
  ),
})

/** @param document as returned by `openApiDocument` */
export const readDescription = (document: unknown): Description => {
  const { paths, components } = described.parse(document)
  return {
    operations: Object.entries(paths).flatMap(([path, methods]) =>
      METHODS.flatMap((method) => {
        const found = methods[method]
        return found === undefined ? [] : [{ ...found, ...splitResponses(found), method, path }]
      }),
    ),
    resolve: (found) => {
      const name = found.$ref?.split('/').at(-1)
      return name === undefined ? found : (components.schemas[name] ?? {})
    },
  }
}

/** The JSON schema of a body or response. */
export const jsonSchemaOf = (found: z.infer<typeof content> | undefined): Schema | null =>
  found?.['application/json']?.schema ?? null
