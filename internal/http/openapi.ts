/** The OpenAPI document, from the endpoints alone: it needs neither a database nor a handler. */
import {
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type RouteConfig,
} from '@asteasolutions/zod-to-openapi'
import type { RouteScope } from './endpoint.ts'
import {
  admitsCustomers,
  admitsKeyHeader,
  bodyKindOf,
  type Endpoint,
  type Endpoints,
  fullPathOf,
  paramsOf,
  scopeOf,
} from './endpoint.ts'
import { z } from './schemas/z.ts'

const toResponses = ({ answers }: Endpoint): RouteConfig['responses'] =>
  Object.fromEntries(
    Object.entries(answers).map(
      ([status, { description, schema, contentType, orText, orEvents }]) => {
        const type = contentType ?? 'application/json'
        const text = orText === true ? { 'text/plain': { schema: z.string() } } : {}
        const events = orEvents === true ? { 'text/event-stream': { schema: z.string() } } : {}
        return [
          status,
          schema === undefined && contentType === undefined
            ? { description }
            : {
                description,
                content: { ...text, ...events, [type]: { schema: schema ?? z.string() } },
              },
        ]
      },
    ),
  )

const toRequest = (one: Endpoint): NonNullable<RouteConfig['request']> => {
  const kind = bodyKindOf(one)
  const isRead = kind === 'json' || kind === 'optional_json'
  return {
    params: paramsOf(one),
    ...(one.query instanceof z.ZodObject ? { query: one.query } : {}),
    ...(kind === 'none'
      ? {}
      : {
          body: {
            required: kind !== 'optional_json',
            content: isRead
              ? { 'application/json': { schema: one.body ?? z.unknown() } }
              : rawContentOf(one),
          },
        }),
  }
}

const rawContentOf = ({ rawBody }: Endpoint) => {
  const { contentType = '*/*', schema = z.string(), otherContentTypes = [] } = rawBody ?? {}
  return Object.fromEntries([contentType, ...otherContentTypes].map((type) => [type, { schema }]))
}

const scopeText = (scope: RouteScope): string => {
  switch (scope) {
    case 'public':
      return 'Needs no credential.'
    case 'any':
      return 'Needs any valid credential.'
    case 'api_key':
      return 'Needs an API key; no other credential opens it.'
    default:
      return `Needs the scope \`${scope}\`.`
  }
}

const admitsText = (one: Endpoint): string => {
  const customers = admitsCustomers(one)
    ? ' Customer keys may call it, for granted actions and their own jobs.'
    : ''
  return `${scopeText(scopeOf(one))}${customers}`
}

const securityOf = (one: Endpoint): Record<string, string[]>[] => {
  const scope = scopeOf(one)
  if (scope === 'public') return []
  if (scope !== 'api_key') return [{ bearer: [] }]
  return admitsKeyHeader(one) ? [{ apiKeyHeader: [] }, { apiKey: [] }] : [{ apiKey: [] }]
}

/** @param servers addresses under which the routes are reached */
export const openApiDocument = (
  endpoints: Endpoints,
  version: string,
  servers: readonly string[] = ['/'],
) => {
  const registry = new OpenAPIRegistry()
  registry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'keyId.secret',
    description: 'An API key of the registry parser and the certificate relay.',
  })
  registry.registerComponent('securitySchemes', 'apiKeyHeader', {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The same key, `keyId.secret`, for the workflow-style call.',
  })
  for (const [operationId, one] of Object.entries(endpoints)) {
    registry.registerPath({
      method: one.method,
      path: fullPathOf(one),
      operationId,
      tags: [one.tag],
      summary: one.summary,
      description: admitsText(one),
      security: securityOf(one),
      request: toRequest(one),
      responses: toResponses(one),
      'x-scope': scopeOf(one),
    })
  }
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    servers: servers.map((url) => ({ url })),
    info: {
      title: 'svc',
      version,
      description: 'Workflow execution service. Errors are `{error, code, request_id, details?}`.',
    },
  })
}
