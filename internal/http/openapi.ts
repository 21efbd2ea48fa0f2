/** The OpenAPI document, built from the endpoints only: it needs neither a database nor a handler. */
import {
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type RouteConfig,
} from '@asteasolutions/zod-to-openapi'
import { SESSION_COOKIE } from '#core/access/cookie-names.ts'
import {
  admitsCustomers,
  admitsKeyHeader,
  answersPages,
  bodyKindOf,
  type Endpoint,
  type Endpoints,
  fullPathOf,
  paramsOf,
  type RouteScope,
  scopeOf,
} from './endpoint.ts'
import { REFUSALS, refusalsOf } from './refusals.ts'
import { MAX_IDEMPOTENCY_KEY } from './run-request.ts'
import { errorBody } from './schemas/error.ts'
import { jsonValue, z } from './schemas/z.ts'

const problemContent = { 'application/json': { schema: errorBody } }

const refusalResponses = (one: Endpoint): RouteConfig['responses'] =>
  Object.fromEntries(
    refusalsOf(one).map((status) => [
      status,
      { $ref: `#/components/responses/${REFUSALS[status].name}` },
    ]),
  )

/** A JSON text without a schema of ours is any value. */
const schemaOf = (contentType: string): z.ZodType =>
  /^application\/(?:\w+\+)?json$/.test(contentType) ? jsonValue : z.string()

const isSuccess = (status: string): boolean => status.startsWith('2')

/**
 * The endpoint's own responses, then the refusals that many routes share. A socket or a
 * redirect has no 2xx: the error body is its default.
 */
const toResponses = (one: Endpoint): RouteConfig['responses'] => ({
  ...ownResponses(one),
  ...refusalResponses(one),
  ...(Object.keys(one.answers).some(isSuccess)
    ? {}
    : { default: { description: 'A refusal', content: problemContent } }),
})

const ownResponses = (one: Endpoint): RouteConfig['responses'] => {
  const page = answersPages(one) ? textContent('text/html') : {}
  return Object.fromEntries(
    Object.entries(one.answers).map(
      ([status, { description, schema, contentType, orText, orEvents }]) => {
        const type = contentType ?? 'application/json'
        const text = orText === true ? textContent('text/plain') : {}
        const events = orEvents === true ? textContent('text/event-stream') : {}
        const content = {
          ...page,
          ...text,
          ...events,
          [type]: { schema: schema ?? schemaOf(type) },
        }
        const isEmpty = schema === undefined && contentType === undefined
        return [status, isEmpty ? { description } : { description, content }]
      },
    ),
  )
}

const textContent = (type: string) => ({ [type]: { schema: z.string() } })

const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(MAX_IDEMPOTENCY_KEY)
    .optional()
    .describe('a repeated request with the same key and body gets the first response for 24 hours'),
})

const matchHeader = z.object({
  'If-Match': z
    .string()
    .optional()
    .describe('the ETag of what was read; 412 if it has changed since'),
})

const matchOrNoneHeader = matchHeader.extend({
  'If-None-Match': z.literal('*').optional().describe('412 if there is one already'),
})

const toRequest = (one: Endpoint): NonNullable<RouteConfig['request']> => {
  const kind = bodyKindOf(one)
  const isRead = kind === 'json' || kind === 'optional_json'
  return {
    params: paramsOf(one),
    ...(one.isIdempotentByKey === true ? { headers: idempotencyHeader } : {}),
    ...(one.isConditional === true ? { headers: matchHeader } : {}),
    ...(one.isConditional === 'also_on_absence' ? { headers: matchOrNoneHeader } : {}),
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
      return 'Needs an API key; other credentials are refused.'
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
  if (scope !== 'api_key') return [{ bearer: [] }, { session: [] }]
  return admitsKeyHeader(one) ? [{ apiKeyHeader: [] }, { apiKey: [] }] : [{ apiKey: [] }]
}

/** As in package.json; the identifier is the SPDX form for a licence that SPDX does not list. */
const LICENSE = { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' }

export const openApiDocument = (endpoints: Endpoints, version: string) => {
  const registry = new OpenAPIRegistry()
  registry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })
  registry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description:
      'A person who is signed in; requests that change something must come from a page of svc.',
  })
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
  for (const { name, description } of Object.values(REFUSALS)) {
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
    registry.registerComponent('responses', name, { description, content })
  }
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
    servers: [{ url: '/' }],
    info: {
      title: 'svc',
      version,
      license: LICENSE,
      description: 'Workflow execution service. Errors are `{error, code, request_id, details?}`.',
    },
  })
}
