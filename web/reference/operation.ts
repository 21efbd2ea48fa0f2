/** An operation with what the forms of the reference need, from the OpenAPI document of the server. */

export type Schema = Readonly<{
  $ref?: string
  type?: string | readonly string[]
  format?: string
  enum?: readonly unknown[]
  default?: unknown
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
}>

export type Parameter = Readonly<{
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}>

export type Operation = Readonly<{
  operationId: string
  method: string
  path: string
  parameters: readonly Parameter[]
  /** The preferred form of the body, or null if there is no body. */
  body: Readonly<{ type: string; isRequired: boolean; schema: Schema }> | null
  /** Whether a session may call it. */
  takesSession: boolean
  /** Whether it needs no credential. */
  isPublic: boolean
}>

type Described = Readonly<{
  operationId: string
  parameters?: readonly Parameter[]
  security?: readonly Readonly<Record<string, unknown>>[]
  requestBody?: Readonly<{
    required?: boolean
    content: Readonly<Record<string, Readonly<{ schema?: Schema }>>>
  }>
}>

export type OpenApi = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  components: Readonly<{ schemas: Readonly<Record<string, Schema>> }>
}>

const bodyOf = (
  { requestBody }: Described,
  schemas: Readonly<Record<string, Schema>>,
): Operation['body'] => {
  if (requestBody === undefined) return null
  const kinds = Object.entries(requestBody.content)
  const [type, { schema = {} }] = kinds.find(([each]) => each === 'application/json') ??
    kinds[0] ?? ['*/*', {}]
  const resolved = schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
  return { type, isRequired: requestBody.required === true, schema: resolved }
}

/** @returns undefined if the document lacks the operation, because another version has replaced the server */
export const findOperation = (
  { paths, components }: OpenApi,
  operationId: string,
): Operation | undefined => {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, one] of Object.entries(methods)) {
      if (one.operationId !== operationId) continue
      const { parameters = [], security = [] } = one
      return {
        operationId,
        method: method.toUpperCase(),
        path,
        parameters,
        body: bodyOf(one, components.schemas),
        takesSession: security.some((each) => 'session' in each),
        isPublic: security.length === 0,
      }
    }
  }
  return undefined
}
