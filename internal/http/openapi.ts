/** The OpenAPI document, from the routes themselves. */
import {
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type RouteConfig,
} from '@asteasolutions/zod-to-openapi'
import type { Route } from './route.ts'
import { z } from './schemas/z.ts'

const PATH_PARAMETER = /\{(\w+)\}/g

/** Every parameter of the path, those without a shape of their own as texts. */
const pathParameters = (route: Route): z.ZodObject => {
  const names = [...route.path.matchAll(PATH_PARAMETER)].map(([, name]) => name ?? '')
  const own = route.params instanceof z.ZodObject ? route.params.shape : {}
  return z.object(Object.fromEntries(names.map((name) => [name, own[name] ?? z.string()])))
}

const toResponses = (route: Route): RouteConfig['responses'] =>
  Object.fromEntries(
    Object.entries(route.responses).map(([status, { description, schema, contentType }]) => {
      const type = contentType ?? 'application/json'
      return [
        status,
        schema === undefined && contentType === undefined
          ? { description }
          : { description, content: { [type]: { schema: schema ?? z.string() } } },
      ]
    }),
  )

const toRequest = (route: Route): NonNullable<RouteConfig['request']> => ({
  params: pathParameters(route),
  ...(route.query instanceof z.ZodObject ? { query: route.query } : {}),
  ...(route.bodyKind === 'none'
    ? {}
    : {
        body: {
          required: route.bodyKind !== 'optional_json',
          content:
            route.bodyKind === 'raw' || route.bodyKind === 'stream'
              ? rawContentOf(route)
              : { 'application/json': { schema: route.body ?? z.unknown() } },
        },
      }),
})

const rawContentOf = ({ rawBody }: Route) => {
  const { contentType = '*/*', schema = z.string(), otherContentTypes = [] } = rawBody ?? {}
  return Object.fromEntries([contentType, ...otherContentTypes].map((type) => [type, { schema }]))
}

const scopeText = (route: Route): string =>
  route.scope === 'public'
    ? 'Needs no credential.'
    : route.scope === 'any'
      ? 'Needs any valid credential.'
      : route.scope === 'api_key'
        ? 'Needs an API key; no other credential opens it.'
        : `Needs the scope \`${route.scope}\`.`

/** Who else may come in, beside who holds the scope. */
const callersText = ({ customers }: Route): string =>
  customers ? ' Customer keys may call it, for granted actions and their own jobs.' : ''

const securityOf = ({ scope, keyHeader }: Route): Record<string, string[]>[] => {
  if (scope === 'public') return []
  if (scope !== 'api_key') return [{ bearer: [] }]
  return keyHeader ? [{ apiKeyHeader: [] }, { apiKey: [] }] : [{ apiKey: [] }]
}

/** @param servers addresses under which the routes are reached */
export const openApiDocument = (
  routes: readonly Route[],
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
  for (const route of routes) {
    registry.registerPath({
      method: route.method,
      path: route.path,
      operationId: route.operationId,
      tags: [route.tag],
      summary: route.summary,
      description: `${scopeText(route)}${callersText(route)}`,
      security: securityOf(route),
      request: toRequest(route),
      responses: toResponses(route),
      'x-scope': route.scope,
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
