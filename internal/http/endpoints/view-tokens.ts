import { VIEW_TOKEN_DEFAULT_S, VIEW_TOKEN_MAX_S } from '#core/access/view-token.ts'
import { empty, json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'
import { time } from '../wire.ts'

const unknownJob = { 404: problem('Unknown id') }

const createdViewToken = z
  .object({
    id: z.uuid(),
    token: z.string().describe('shown only once'),
    url: z.url().describe('opens the job for anyone who has the link'),
    expires_at: time,
  })
  .openapi('CreatedViewToken')

const listedViewToken = z
  .object({
    id: z.uuid(),
    token_prefix: z.string(),
    expires_at: time,
    revoked_at: time.nullable(),
    created_by: z.string(),
    created_at: time,
  })
  .openapi('ViewToken')

const lifetime = z
  .strictObject({
    expires_in_s: z
      .int()
      .min(1)
      .max(VIEW_TOKEN_MAX_S)
      .default(VIEW_TOKEN_DEFAULT_S)
      .describe('default 24 hours, at most 7 days'),
  })
  .optional()

export const viewTokenEndpoints = {
  listJobViewTokens: endpoint({
    method: 'get',
    path: '/jobs/{id}/view-tokens',
    in: 'workspace',
    admits: ['jobs:read'],
    tag: 'Jobs',
    summary: 'Who shared a job, newest first; never a raw token',
    query: pageQuery,
    answers: {
      200: json('A page', pageOf(listedViewToken)),
      400: problem('Bad cursor'),
      ...unknownJob,
    },
  }),
  createJobViewToken: endpoint({
    method: 'post',
    path: '/jobs/{id}/view-tokens',
    in: 'workspace',
    admits: ['jobs:read'],
    tag: 'Jobs',
    summary: 'Share a job read-only: status, result and logs as they are, without its input',
    body: lifetime,
    bodyKind: 'optional_json',
    answers: {
      201: json('The raw token, shown only once', createdViewToken),
      400: problem('Bad lifetime'),
      ...unknownJob,
    },
  }),
  revokeJobViewTokens: endpoint({
    method: 'delete',
    path: '/jobs/{id}/view-tokens',
    in: 'workspace',
    admits: ['jobs:read'],
    tag: 'Jobs',
    summary: 'Revoke every view token of a job, at once',
    answers: { 204: empty('None of them works any more'), ...unknownJob },
  }),
  revokeJobViewToken: endpoint({
    method: 'delete',
    path: '/jobs/{id}/view-tokens/{tid}',
    in: 'workspace',
    admits: ['jobs:read'],
    tag: 'Jobs',
    summary: 'Revoke a view token, at once',
    answers: { 204: empty('Revoked'), ...unknownJob },
  }),
}
