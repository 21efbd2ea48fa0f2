import { MAX_LIFETIME_DAYS } from '#core/access/lifetime.ts'
import { json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'
import { time } from '../wire.ts'

const token = z
  .object({
    id: z.uuid(),
    token_prefix: z.string(),
    label: z.string(),
    scopes: z.array(z.string()),
    admin: z.boolean(),
    email: z.string(),
    expires_at: time.nullable(),
    revoked_at: time.nullable(),
    created_by: z.string(),
    made_by: z.uuid().nullable().describe('the token that made it; null: a person did'),
    created_at: time,
  })
  .openapi('Token')

const createdToken = token
  .extend({ token: z.string().describe('shown only once') })
  .openapi('CreatedToken')

const newToken = z.strictObject({
  label: z.string().min(1).max(200),
  scopes: z.array(z.string()).max(200).default([]).describe('omitted: denies everything'),
  expires_in_days: z.int().min(1).max(MAX_LIFETIME_DAYS).optional(),
  admin: z.boolean().default(false),
})

export const tokenEndpoints = {
  listScopes: endpoint({
    method: 'get',
    path: '/api/tokens/scopes',
    admits: ['public'],
    tag: 'Tokens',
    summary: 'All scopes, for the token creation screen',
    answers: {
      200: json(
        'Every scope',
        z.object({
          items: z.array(z.object({ scope: z.string(), description: z.string() })),
        }),
      ),
    },
  }),
  listTokens: endpoint({
    method: 'get',
    path: '/tokens',
    in: 'workspace',
    admits: ['tokens:read'],
    tag: 'Tokens',
    summary: 'Tokens of the workspace, newest first',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(token)) },
  }),
  createToken: endpoint({
    method: 'post',
    path: '/tokens',
    in: 'workspace',
    admits: ['tokens:write'],
    tag: 'Tokens',
    summary: 'Create an API token',
    body: newToken,
    answers: {
      201: json('The raw token, shown only once', createdToken),
      400: problem('Unknown scope'),
      403: problem('A scope that the creator does not hold'),
    },
  }),
  revokeToken: endpoint({
    method: 'delete',
    path: '/tokens/{id}',
    in: 'workspace',
    admits: ['tokens:write'],
    tag: 'Tokens',
    summary:
      'Revoke a token and those that it made, at once; the token that revokes stays valid, unless it revokes itself',
    answers: { 200: json('The revoked token', token), 404: problem('Unknown id') },
  }),
}
