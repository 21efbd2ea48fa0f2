/**
 * GET              /api/w/{ws}/drafts
 * GET, PUT, DELETE /api/w/{ws}/drafts/{app}
 * POST             /api/w/{ws}/drafts/{app}/from-deployed
 * POST             /api/w/{ws}/drafts/{app}/check
 * POST             /api/w/{ws}/drafts/{app}/deploy
 */
import { MAX_DEPLOY_MESSAGE } from '#core/deploy-limits.ts'
import type { Deps } from '#service/deps.ts'
import { draftFromDeployed } from '#service/draft-from-deployed.ts'
import {
  checkDraft,
  deleteDraft,
  deployDraft,
  requireDraft,
  saveDraft,
} from '#service/manage-draft.ts'
import { type Draft, listDrafts } from '#store/drafts.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { deployed, deploymentChanges } from '../schemas/apps.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { toTimestamp } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

/** 10 MiB of text, and what JSON adds to it. */
const MAX_BODY_BYTES = 16 * 1_024 * 1_024

const draft = z
  .object({
    app: z.string(),
    file_count: z.int(),
    bytes: z.int(),
    updated_by: z.string(),
    updated_at: z.string(),
  })
  .openapi('Draft')

const toWireDraft = (row: Draft) => ({
  app: row.app,
  file_count: row.fileCount,
  bytes: row.bytes,
  updated_by: row.updatedBy,
  updated_at: toTimestamp(row.updatedAt),
})

const files = z.record(z.string(), z.string()).describe('text by path')
const carried = z
  .array(z.string())
  .describe('files that are no text or belong to packages; deployed with the draft as they are')

/** Read as pairs, since a record would lose a file called `__proto__`. */
const fileTexts = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object of texts by path',
  )
  .transform((record) => Object.entries(record))
  .pipe(z.array(z.tuple([z.string(), z.string('must be a text')])))
  .openapi({ type: 'object', additionalProperties: { type: 'string' } })

const appParams = z.object({ ws: z.string(), app: z.string() })
const unknownDraft = { 404: problem('No draft of this app') }
const tag = 'Drafts'

export const draftRoutes = (deps: Pick<Deps, 'db' | 'newId' | 'limits'>): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/drafts',
    operationId: 'listDrafts',
    scope: 'drafts:read',
    tag,
    summary: 'Drafts by app, without their files',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: pageOf(draft) } },
    handler: async ({ ws, query: { limit, cursor } }) => {
      const page = { afterApp: decodeCursor(cursor), limit: limit + 1 }
      const rows = await listDrafts(deps.db, ws, page)
      return reply(200, toPage(rows, limit, { toItem: toWireDraft, keyOf: ({ app }) => app }))
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/drafts/{app}',
    operationId: 'getDraft',
    scope: 'drafts:read',
    tag,
    summary: 'A draft with its files',
    params: appParams,
    responses: {
      200: { description: 'The draft', schema: draft.extend({ files, carried }) },
      ...unknownDraft,
    },
    handler: async ({ ws, params: { app } }) => {
      const row = await requireDraft(deps, ws, app)
      return reply(200, {
        ...toWireDraft(row),
        files: Object.fromEntries(row.files),
        carried: [...row.carried.keys()].sort(),
      })
    },
  }),
  route({
    method: 'put',
    path: '/api/w/{ws}/drafts/{app}',
    operationId: 'saveDraft',
    scope: 'drafts:write',
    tag,
    summary: 'Save the draft of an app as a whole: at most 1,000 files and 10 MiB',
    params: appParams,
    body: z.strictObject({ files: fileTexts }),
    bodyLimit: MAX_BODY_BYTES,
    responses: {
      200: { description: 'Saved', schema: draft },
      400: problem('Bad app key'),
      413: problem('Too many files or bytes'),
      422: problem('A path that an app may not hold'),
    },
    handler: async ({ ws, params: { app }, body, actor }) =>
      reply(200, toWireDraft(await saveDraft(deps, { ws, app, actor }, body.files))),
  }),
  route({
    method: 'delete',
    path: '/api/w/{ws}/drafts/{app}',
    operationId: 'deleteDraft',
    scope: 'drafts:write',
    tag,
    summary: 'Delete a draft; what is deployed stays',
    params: appParams,
    responses: { 204: { description: 'Deleted' }, ...unknownDraft },
    handler: async ({ ws, params: { app }, actor }) => {
      await deleteDraft(deps, { ws, app, actor })
      return reply(204)
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/drafts/{app}/from-deployed',
    operationId: 'createDraftFromDeployed',
    scope: 'drafts:write',
    tag,
    summary: 'Make a draft of what an app runs now',
    params: appParams,
    responses: {
      201: { description: 'Made', schema: draft },
      404: problem('Unknown app'),
      409: problem('There is a draft of this app already'),
      413: problem('More text than a draft may hold'),
      422: problem('Nothing is deployed, or an older svc deployed it and kept no sources'),
    },
    handler: async ({ ws, params: { app }, actor }) =>
      reply(201, toWireDraft(await draftFromDeployed(deps, { ws, app, actor }))),
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/drafts/{app}/check',
    operationId: 'checkDraft',
    scope: 'drafts:write',
    tag,
    summary: 'Tell what deploying a draft would refuse or change; nothing is deployed',
    params: appParams,
    responses: {
      200: {
        description: 'Faults of manifest and code; none: it may be deployed',
        schema: z.object({
          faults: z.array(
            z.object({
              path: z.string().describe('file, with line and column where they are known'),
              message: z.string(),
            }),
          ),
          changes: deploymentChanges
            .nullable()
            .describe('against what runs now; null while there are faults'),
        }),
      },
      ...unknownDraft,
    },
    handler: async ({ ws, params: { app } }) => reply(200, await checkDraft(deps, { ws, app })),
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/drafts/{app}/deploy',
    operationId: 'deployDraft',
    scope: 'deployments:write',
    tag,
    summary: 'Deploy a draft; it stays, so that work on it goes on',
    params: appParams,
    body: z.strictObject({ message: z.string().max(MAX_DEPLOY_MESSAGE).optional() }).optional(),
    bodyKind: 'optional_json',
    responses: {
      201: { description: 'Deployed', schema: deployed },
      422: problem('Manifest or code has faults, each in `details`'),
      ...unknownDraft,
    },
    handler: async ({ ws, params: { app }, body, actor }) =>
      reply(201, await deployDraft(deps, { ws, app, actor }, body?.message ?? null)),
  }),
]
