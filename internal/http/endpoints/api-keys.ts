import { json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'
import { time } from '../wire.ts'

const apiKey = z
  .object({
    key_id: z.string(),
    name: z.string(),
    revoked_at: time.nullable(),
    created_by: z.string(),
    created_at: time,
  })
  .openapi('ApiKey')

const createdApiKey = apiKey
  .extend({ key: z.string().describe('keyId.secret, shown only once') })
  .openapi('CreatedApiKey')

export const apiKeyEndpoints = {
  listApiKeys: endpoint({
    method: 'get',
    path: '/api-keys',
    in: 'workspace',
    admits: ['*'],
    tag: 'API keys',
    summary: 'API keys of the parser and the relay, newest first',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(apiKey)) },
  }),
  createApiKey: endpoint({
    method: 'post',
    path: '/api-keys',
    in: 'workspace',
    admits: ['*'],
    tag: 'API keys',
    summary: 'Create an API key for the parser and the relay',
    body: z.strictObject({ name: z.string().min(1).max(200) }),
    answers: { 201: json('The raw key, shown only once', createdApiKey) },
  }),
  deleteApiKey: endpoint({
    method: 'delete',
    path: '/api-keys/{key_id}',
    in: 'workspace',
    admits: ['*'],
    tag: 'API keys',
    summary: 'Revoke an API key, at once',
    answers: { 200: json('The revoked key', apiKey), 404: problem('Unknown id') },
  }),
}
