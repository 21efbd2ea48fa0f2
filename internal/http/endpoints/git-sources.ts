import { gitAuth } from '#core/git-auth.ts'
import { empty, json, otherVersion, problem, storageFull } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { deployed } from '../schemas/apps.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'
import { time } from '../wire.ts'

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
    last_sync_at: time.nullable(),
    last_error: z.string().nullable(),
    created_by: z.string(),
    created_at: time,
  })
  .openapi('GitSource')

const fields = z.strictObject({
  name: z.string().min(1).max(200),
  url: z.string().min(1).max(2_048),
  branch: z.string().min(1).max(200).nullish(),
  path: z.string().max(500).optional(),
  auth: gitAuth.nullish(),
  auto_sync_s: z.int().min(10).max(86_400).nullish(),
})

const unknownId = { 404: problem('Unknown id') }

const badUrl = { 400: problem('An address that may not be used') }

export const gitSourceEndpoints = {
  listGitSources: endpoint({
    method: 'get',
    path: '/git-sources',
    in: 'workspace',
    admits: ['git_sources:read'],
    tag: 'Git sources',
    summary: 'Git sources, newest first; credentials never',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(gitSource)) },
  }),
  createGitSource: endpoint({
    method: 'post',
    path: '/git-sources',
    in: 'workspace',
    admits: ['git_sources:write'],
    tag: 'Git sources',
    summary: 'Add a git source',
    body: fields,
    answers: { 201: json('Added', gitSource), ...badUrl },
  }),
  probeGitSource: endpoint({
    method: 'post',
    path: '/git-sources/probe',
    in: 'workspace',
    admits: ['git_sources:write'],
    tag: 'Git sources',
    summary: 'Whether a remote answers, and its branches',
    body: z.strictObject({ url: z.string().min(1).max(2_048), auth: gitAuth.nullish() }),
    answers: {
      200: json(
        'What the remote said',
        z.object({
          reachable: z.boolean(),
          branches: z.array(z.string()),
          default_branch: z.string().nullable(),
          error: z.string().optional(),
        }),
      ),
      ...badUrl,
    },
  }),
  getGitSource: endpoint({
    method: 'get',
    path: '/git-sources/{id}',
    in: 'workspace',
    admits: ['git_sources:read'],
    tag: 'Git sources',
    summary: 'A git source',
    answers: { 200: json('The git source', gitSource), ...unknownId },
  }),
  updateGitSource: endpoint({
    method: 'patch',
    path: '/git-sources/{id}',
    in: 'workspace',
    admits: ['git_sources:write'],
    tag: 'Git sources',
    isConditional: true,
    summary: 'Change a git source; a new address needs its credentials again',
    body: fields.partial(),
    answers: {
      200: json('Changed', gitSource),
      409: problem('Other requests kept changing it at the same time'),
      ...badUrl,
      ...unknownId,
      ...otherVersion('The git source'),
    },
  }),
  deleteGitSource: endpoint({
    method: 'delete',
    path: '/git-sources/{id}',
    in: 'workspace',
    admits: ['git_sources:write'],
    tag: 'Git sources',
    summary: 'Remove a git source; its apps stay',
    answers: { 204: empty('Removed'), ...unknownId },
  }),
  syncGitSource: endpoint({
    method: 'post',
    path: '/git-sources/{id}/sync',
    in: 'workspace',
    admits: ['git_sources:write'],
    tag: 'Git sources',
    summary: 'Fetch the branch and deploy the apps that it holds',
    body: z.strictObject({}).optional(),
    bodyKind: 'optional_json',
    answers: {
      200: json('Deployed', z.object({ deployments: z.array(deployed) })),
      409: problem('An app of this source comes from another one'),
      422: problem('Faults of all manifests, in `details`'),
      ...storageFull,
      502: problem('The remote or the package registry does not answer'),
      ...unknownId,
    },
  }),
}
