/**
 * GET, POST, DELETE /api/w/{ws}/jobs/{id}/view-tokens
 * DELETE            /api/w/{ws}/jobs/{id}/view-tokens/{tid}
 */
import { requireReadableJob } from '#core/access/policy.ts'
import type { Deps } from '#service/deps.ts'
import {
  issueViewToken,
  revokeAllViewTokens,
  revokeViewToken,
  VIEW_TOKEN_DEFAULT_S,
  VIEW_TOKEN_MAX_S,
} from '#service/share-job.ts'
import { findJobResult } from '#store/jobs/read.ts'
import { listViewTokens, type ViewToken } from '#store/view-tokens.ts'
import { readableJobId } from '../readable-job.ts'
import { type Guarded, problem, type Route, reply, route } from '../route.ts'
import { jobParams } from '../schemas/job-id.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { toTimestamp } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

type ViewTokenDeps = Pick<Deps, 'db' | 'newId' | 'randomBytes'>

const unknownJob = { 404: problem('Unknown id') }

const createdViewToken = z
  .object({
    id: z.uuid(),
    token: z.string().describe('shown this once'),
    url: z.url().describe('opens the job for whoever has it'),
    expires_at: z.string(),
  })
  .openapi('CreatedViewToken')

const listedViewToken = z
  .object({
    id: z.uuid(),
    token_prefix: z.string(),
    expires_at: z.string(),
    revoked_at: z.string().nullable(),
    created_by: z.string(),
    created_at: z.string(),
  })
  .openapi('ViewToken')

const toWireViewToken = (token: ViewToken) => ({
  id: token.id,
  token_prefix: token.prefix,
  expires_at: toTimestamp(token.expiresAt),
  revoked_at: token.revokedAt === null ? null : toTimestamp(token.revokedAt),
  created_by: token.createdBy,
  created_at: toTimestamp(token.createdAt),
})

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

type JobRequest = Guarded & Readonly<{ ws: string; params: Readonly<{ id: string }> }>

/** Only who can read a job shares it. @throws {AppError} not_found, forbidden */
const toShareAct = async (deps: ViewTokenDeps, { ws, params, principal, actor }: JobRequest) => {
  const jobId = readableJobId(principal, params.id)
  requireReadableJob(principal, await findJobResult(deps.db, ws, jobId))
  return { ws, jobId, actor }
}

export const viewTokenRoutes = (deps: ViewTokenDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/jobs/{id}/view-tokens',
    operationId: 'listJobViewTokens',
    scope: 'jobs:read',
    tag: 'Jobs',
    summary: 'Who shared a job, newest first; never a raw token',
    params: jobParams,
    query: pageQuery,
    responses: {
      200: { description: 'A page', schema: pageOf(listedViewToken) },
      400: problem('Bad cursor'),
      ...unknownJob,
    },
    handler: async (input) => {
      const { limit, cursor } = input.query
      const page = { beforeId: decodeCursor(cursor), limit: limit + 1 }
      const rows = await listViewTokens(deps.db, await toShareAct(deps, input), page)
      return reply(200, toPage(rows, limit, { toItem: toWireViewToken, keyOf: ({ id }) => id }))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/jobs/{id}/view-tokens',
    operationId: 'createJobViewToken',
    scope: 'jobs:read',
    tag: 'Jobs',
    summary: 'Share a job read-only: status, result and logs as they are, without its input',
    params: jobParams,
    body: lifetime,
    bodyKind: 'optional_json',
    responses: {
      201: { description: 'The raw token, this once', schema: createdViewToken },
      400: problem('Bad lifetime'),
      ...unknownJob,
    },
    handler: async (input) => {
      const act = await toShareAct(deps, input)
      const lifetimeS = input.body?.expires_in_s ?? VIEW_TOKEN_DEFAULT_S
      const { id, text, expiresAt } = await issueViewToken(deps, act, lifetimeS)
      return reply(201, {
        id,
        token: text,
        url: `${input.baseUrl()}/api/public/jobs/${text}`,
        expires_at: toTimestamp(expiresAt),
      })
    },
  }),
  route({
    method: 'delete',
    path: '/api/w/{ws}/jobs/{id}/view-tokens',
    operationId: 'revokeJobViewTokens',
    scope: 'jobs:read',
    tag: 'Jobs',
    summary: 'Revoke every view token of a job, at once',
    params: jobParams,
    responses: { 204: { description: 'None of them works any more' }, ...unknownJob },
    handler: async (input) => {
      await revokeAllViewTokens(deps, await toShareAct(deps, input))
      return reply(204)
    },
  }),
  route({
    method: 'delete',
    path: '/api/w/{ws}/jobs/{id}/view-tokens/{tid}',
    operationId: 'revokeJobViewToken',
    scope: 'jobs:read',
    tag: 'Jobs',
    summary: 'Revoke a view token, at once',
    params: jobParams.extend({ tid: z.string() }),
    responses: { 204: { description: 'Revoked' }, ...unknownJob },
    handler: async (input) => {
      await revokeViewToken(deps, await toShareAct(deps, input), input.params.tid)
      return reply(204)
    },
  }),
]
