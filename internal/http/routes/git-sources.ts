/**
 * GET, POST          /api/w/{ws}/git-sources
 * POST               /api/w/{ws}/git-sources/probe
 * GET, PATCH, DELETE /api/w/{ws}/git-sources/{id}
 * POST               /api/w/{ws}/git-sources/{id}/sync
 */
import { notFound } from '#core/error.ts'
import { deleteGitSource } from '#service/delete-git-source.ts'
import { requireGitSource } from '#service/find-git-source.ts'
import { gitAuth } from '#service/git-credentials.ts'
import {
  createGitSource,
  type GitDeps,
  type GitSourceRequest,
  updateGitSource,
} from '#service/save-git-source.ts'
import { syncGitSource } from '#service/sync-git-source.ts'
import { type GitSource, listGitSources } from '#store/git-sources.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { deployed } from '../schemas/apps.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { toTimestamp, toTimestampOrNull } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

const gitSource = z
  .object({
    id: z.uuid(),
    name: z.string(),
    url: z.string(),
    branch: z.string().nullable(),
    path: z.string(),
    has_auth: z.boolean(),
    auto_sync_s: z.int().nullable(),
    last_commit: z.string().nullable(),
    last_sync_at: z.string().nullable(),
    last_error: z.string().nullable(),
    created_by: z.string(),
    created_at: z.string(),
  })
  .openapi('GitSource')

const toWireGitSource = (row: GitSource) => ({
  id: row.id,
  name: row.name,
  url: row.url,
  branch: row.branch,
  path: row.path,
  has_auth: row.authCiphertext !== null,
  auto_sync_s: row.autoSyncS,
  last_commit: row.lastCommit,
  last_sync_at: toTimestampOrNull(row.lastSyncAt),
  last_error: row.lastError,
  created_by: row.createdBy,
  created_at: toTimestamp(row.createdAt),
})

const fields = z.strictObject({
  name: z.string().min(1).max(200),
  url: z.string().min(1).max(2_048),
  branch: z.string().min(1).max(200).nullish(),
  path: z.string().max(500).optional(),
  auth: gitAuth.nullish(),
  auto_sync_s: z.int().min(10).max(86_400).nullish(),
})
type Fields = z.infer<typeof fields>

/** Only what was sent: a field that is left out stays as it is. */
const toChange = (
  body: Readonly<{ [Name in keyof Fields]?: Fields[Name] | undefined }>,
): Partial<GitSourceRequest> => ({
  ...(body.name === undefined ? {} : { name: body.name }),
  ...(body.url === undefined ? {} : { url: body.url }),
  ...(body.branch === undefined ? {} : { branch: body.branch }),
  ...(body.path === undefined ? {} : { path: body.path }),
  ...(body.auth === undefined ? {} : { auth: body.auth }),
  ...(body.auto_sync_s === undefined ? {} : { autoSyncS: body.auto_sync_s }),
})

const idParams = z.object({ ws: z.string(), id: z.string() })
const unknownId = { 404: problem('Unknown id') }
const badUrl = { 400: problem('An address that may not be used') }

export const gitSourceRoutes = (deps: GitDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/git-sources',
    operationId: 'listGitSources',
    scope: 'git_sources:read',
    tag: 'Git sources',
    summary: 'Git sources, newest first; credentials never',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: pageOf(gitSource) } },
    handler: async ({ ws, query: { limit, cursor } }) => {
      const page = { beforeId: decodeCursor(cursor), limit: limit + 1 }
      const rows = await listGitSources(deps.db, ws, page)
      return reply(200, toPage(rows, limit, { toItem: toWireGitSource, keyOf: ({ id }) => id }))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/git-sources',
    operationId: 'createGitSource',
    scope: 'git_sources:write',
    tag: 'Git sources',
    summary: 'Add a git source',
    body: fields,
    responses: { 201: { description: 'Added', schema: gitSource }, ...badUrl },
    handler: async ({ ws, body, actor }) => {
      const none = { branch: null, path: '', auth: null, autoSyncS: null }
      const request = { ...none, name: body.name, url: body.url, ...toChange(body) }
      const made = await createGitSource(deps, { ws, actor, request })
      return reply(201, toWireGitSource(made))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/git-sources/probe',
    operationId: 'probeGitSource',
    scope: 'git_sources:write',
    tag: 'Git sources',
    summary: 'Whether a remote answers, and its branches',
    body: z.strictObject({ url: z.string().min(1).max(2_048), auth: gitAuth.nullish() }),
    responses: {
      200: {
        description: 'What the remote said',
        schema: z.object({
          reachable: z.boolean(),
          branches: z.array(z.string()),
          default_branch: z.string().nullable(),
          error: z.string().optional(),
        }),
      },
      ...badUrl,
    },
    handler: async ({ body }) =>
      reply(200, await deps.git.probe({ url: body.url, auth: body.auth ?? null })),
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/git-sources/{id}',
    operationId: 'getGitSource',
    scope: 'git_sources:read',
    tag: 'Git sources',
    summary: 'A git source',
    params: idParams,
    responses: { 200: { description: 'The git source', schema: gitSource }, ...unknownId },
    handler: async ({ ws, params }) =>
      reply(200, toWireGitSource(await requireGitSource(deps, ws, params.id))),
  }),
  route({
    method: 'patch',
    path: '/api/w/{ws}/git-sources/{id}',
    operationId: 'updateGitSource',
    scope: 'git_sources:write',
    tag: 'Git sources',
    summary: 'Change a git source; a new address needs its credentials again',
    params: idParams,
    body: fields.partial(),
    responses: { 200: { description: 'Changed', schema: gitSource }, ...badUrl, ...unknownId },
    handler: async ({ ws, params: { id }, body, actor }) =>
      reply(
        200,
        toWireGitSource(await updateGitSource(deps, { ws, id, change: toChange(body), actor })),
      ),
  }),
  route({
    method: 'delete',
    path: '/api/w/{ws}/git-sources/{id}',
    operationId: 'deleteGitSource',
    scope: 'git_sources:write',
    tag: 'Git sources',
    summary: 'Remove a git source; its apps stay',
    params: idParams,
    responses: { 204: { description: 'Removed' }, ...unknownId },
    handler: async ({ ws, params: { id }, actor }) => {
      if (!(await deleteGitSource(deps, { ws, id, actor }))) throw notFound('Git source')
      return reply(204)
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/git-sources/{id}/sync',
    operationId: 'syncGitSource',
    scope: 'git_sources:write',
    tag: 'Git sources',
    summary: 'Fetch the branch and deploy the apps that it holds',
    params: idParams,
    body: z.strictObject({}).optional(),
    bodyKind: 'optional_json',
    responses: {
      200: { description: 'Deployed', schema: z.object({ deployments: z.array(deployed) }) },
      409: problem('An app of this source comes from another one'),
      422: problem('Faults of all manifests, in `details`'),
      502: problem('The remote does not answer'),
      ...unknownId,
    },
    handler: async ({ ws, params: { id }, actor }) =>
      reply(200, { deployments: await syncGitSource(deps, { ws, id, actor }) }),
  }),
]
