/**
 * GET    /api/tokens/scopes
 * GET    /api/w/{ws}/tokens
 * POST   /api/w/{ws}/tokens
 * DELETE /api/w/{ws}/tokens/{id}
 */
import { ALL_SCOPES, isScope, SCOPES } from '#core/access/scope.ts'
import type { Deps } from '#service/deps.ts'
import { issueOwnToken, revokeToken } from '#service/issue-token.ts'
import { listTokens, type Token } from '#store/tokens.ts'
import { problem, publicRoute, type Route, reply, route } from '../route.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { toTimestamp, toTimestampOrNull } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

const token = z
  .object({
    id: z.uuid(),
    token_prefix: z.string(),
    label: z.string(),
    scopes: z.array(z.string()),
    admin: z.boolean(),
    email: z.string(),
    expires_at: z.string().nullable(),
    revoked_at: z.string().nullable(),
    created_by: z.string(),
    created_at: z.string(),
  })
  .openapi('Token')

const createdToken = token
  .extend({ token: z.string().describe('shown this once') })
  .openapi('CreatedToken')

const newToken = z.strictObject({
  label: z.string().min(1).max(200),
  scopes: z.array(z.string()).default([]).describe('omitted: denies everything'),
  expires_in_days: z.int().min(1).max(3_650).optional(),
  admin: z.boolean().default(false),
})

const toWireToken = (row: Token) => ({
  id: row.id,
  token_prefix: row.prefix,
  label: row.label,
  scopes: row.scopes,
  admin: row.isAdmin,
  email: row.email,
  expires_at: toTimestampOrNull(row.expiresAt),
  revoked_at: toTimestampOrNull(row.revokedAt),
  created_by: row.createdBy,
  created_at: toTimestamp(row.createdAt),
})

export const tokenRoutes = (deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>): readonly Route[] => [
  publicRoute({
    method: 'get',
    path: '/api/tokens/scopes',
    operationId: 'listScopes',
    tag: 'Tokens',
    summary: 'All scopes, for the token creation screen',
    responses: {
      200: {
        description: 'Every scope',
        schema: z.object({
          items: z.array(z.object({ scope: z.string(), description: z.string() })),
        }),
      },
    },
    handler: async () => reply(200, { items: ALL_SCOPES.map(describeScope) }),
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/tokens',
    operationId: 'listTokens',
    scope: 'tokens:read',
    tag: 'Tokens',
    summary: 'Tokens of the workspace, newest first',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: pageOf(token) } },
    handler: async ({ ws, query }) => {
      const { limit } = query
      const beforeId = decodeCursor(query.cursor)
      const rows = await listTokens(deps.db, ws, { beforeId, limit: limit + 1 })
      return reply(200, toPage(rows, limit, { toItem: toWireToken, keyOf: (row) => row.id }))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/tokens',
    operationId: 'createToken',
    scope: 'tokens:write',
    tag: 'Tokens',
    summary: 'Create an API token',
    body: newToken,
    responses: {
      201: { description: 'The raw token, this once', schema: createdToken },
      400: problem('Unknown scope'),
      403: problem('A scope that the creator does not hold'),
    },
    handler: async ({ ws, body, principal, actor }) => {
      const issued = await issueOwnToken(deps, principal, {
        ws,
        label: body.label,
        scopes: body.scopes,
        isAdmin: body.admin,
        expiresInDays: body.expires_in_days ?? null,
        actor,
      })
      return reply(201, { ...toWireToken(issued.token), token: issued.text })
    },
  }),
  route({
    method: 'delete',
    path: '/api/w/{ws}/tokens/{id}',
    operationId: 'revokeToken',
    scope: 'tokens:write',
    tag: 'Tokens',
    summary: 'Revoke a token, at once',
    params: z.object({ ws: z.string(), id: z.string() }),
    responses: {
      200: { description: 'The revoked token', schema: token },
      404: problem('Unknown id'),
    },
    handler: async ({ ws, params, actor }) =>
      reply(200, toWireToken(await revokeToken(deps, { ws, id: params.id, actor }))),
  }),
]

const describeScope = (scope: string) => ({
  scope,
  description: isScope(scope)
    ? SCOPES[scope]
    : 'all workspace routes; instance routes for super admins',
})
