/**
 * GET, POST /api/w/{ws}/api-keys
 * DELETE    /api/w/{ws}/api-keys/{key_id}
 */
import { invalid } from '#core/error.ts'
import { issueApiKey, revokeApiKey } from '#service/api-key.ts'
import type { Deps } from '#service/deps.ts'
import { type ApiKey, type ApiKeyPosition, listApiKeys } from '#store/api-keys.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { toTimestamp, toTimestampOrNull } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

const apiKey = z
  .object({
    key_id: z.string(),
    name: z.string(),
    revoked_at: z.string().nullable(),
    created_by: z.string(),
    created_at: z.string(),
  })
  .openapi('ApiKey')

const createdApiKey = apiKey
  .extend({ key: z.string().describe('keyId.secret, shown this once') })
  .openapi('CreatedApiKey')

const toWireApiKey = (row: ApiKey) => ({
  key_id: row.keyId,
  name: row.name,
  revoked_at: toTimestampOrNull(row.revokedAt),
  created_by: row.createdBy,
  created_at: toTimestamp(row.createdAt),
})

const toKey = ({ createdAt, keyId }: ApiKeyPosition): string => `${createdAt} ${keyId}`

/** @throws {AppError} invalid */
const toPosition = (cursor: string | undefined): ApiKeyPosition | null => {
  const key = decodeCursor(cursor)
  if (key === null) return null
  const [, createdAt, keyId] = /^(\d{1,15}) (ak_\w+)$/.exec(key) ?? []
  if (createdAt === undefined || keyId === undefined) {
    throw invalid('The cursor is not one that this list gave. Start from the first page.', {
      code: 'invalid_cursor',
    })
  }
  return { createdAt: Number(createdAt), keyId }
}

export const apiKeyRoutes = (
  deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>,
): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/api-keys',
    operationId: 'listApiKeys',
    scope: '*',
    tag: 'API keys',
    summary: 'API keys of the parser and the relay, newest first',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: pageOf(apiKey) } },
    handler: async ({ ws, query: { limit, cursor } }) => {
      const rows = await listApiKeys(deps.db, ws, { before: toPosition(cursor), limit: limit + 1 })
      return reply(200, toPage(rows, limit, { toItem: toWireApiKey, keyOf: toKey }))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/api-keys',
    operationId: 'createApiKey',
    scope: '*',
    tag: 'API keys',
    summary: 'Create an API key for the parser and the relay',
    body: z.strictObject({ name: z.string().min(1).max(200) }),
    responses: { 201: { description: 'The raw key, this once', schema: createdApiKey } },
    handler: async ({ ws, body, actor }) => {
      const issued = await issueApiKey(deps, { ws, name: body.name, actor })
      return reply(201, { ...toWireApiKey(issued.key), key: issued.text })
    },
  }),
  route({
    method: 'delete',
    path: '/api/w/{ws}/api-keys/{key_id}',
    operationId: 'deleteApiKey',
    scope: '*',
    tag: 'API keys',
    summary: 'Revoke an API key, at once',
    params: z.object({ ws: z.string(), key_id: z.string() }),
    responses: {
      200: { description: 'The revoked key', schema: apiKey },
      404: problem('Unknown id'),
    },
    handler: async ({ ws, params, actor }) =>
      reply(200, toWireApiKey(await revokeApiKey(deps, { ws, keyId: params.key_id, actor }))),
  }),
]
