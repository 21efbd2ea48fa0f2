/**
 * GET, POST /api/w/{ws}/deployments
 * GET       /api/w/{ws}/deployments/{id}
 * GET       /api/w/{ws}/deployments/{id}/changes
 * GET       /api/w/{ws}/deployments/{id}/files
 * GET       /api/w/{ws}/deployments/{id}/files/{path}
 * POST      /api/w/{ws}/deployments/{id}/redeploy
 */
import { MAX_ARCHIVE_BYTES, MAX_DEPLOY_MESSAGE } from '#core/deploy-limits.ts'
import { AppError, invalid, notFound } from '#core/error.ts'
import { compareDeployment } from '#service/compare-deployment.ts'
import { deployArchive } from '#service/deploy-archive.ts'
import type { Deps } from '#service/deps.ts'
import { redeployApp } from '#service/redeploy-app.ts'
import { findDeployment, findDeploymentContent, listDeployments } from '#store/deployments.ts'
import { findDeploymentFile, listDeploymentFiles } from '#store/source-files.ts'
import { problem, type RequestFacts, type Route, reply, route } from '../route.ts'
import {
  deployed,
  deployment,
  deploymentChanges,
  deploymentDetail,
  deploymentFile,
  toWireDeployment,
  toWireDeploymentDetail,
} from '../schemas/apps.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'

const idParams = z.object({ ws: z.string(), id: z.string() })

/** An author's file never becomes a page of svc's own. */
const RAW = {
  'content-type': 'application/octet-stream',
  'content-disposition': 'attachment',
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, max-age=31536000, immutable',
}

const redeployBody = z
  .strictObject({
    message: z.string().max(MAX_DEPLOY_MESSAGE).optional().describe('default: the former one'),
  })
  .optional()

const uploadForm = z.object({
  bundle: z.string().openapi({ format: 'binary', description: 'tar.gz of the app folder' }),
  message: z.string().max(MAX_DEPLOY_MESSAGE).optional(),
})

type Upload = Readonly<{ bundle: Uint8Array; message: string | null }>

const MULTIPART = /^multipart\/form-data\s*;/i

/** @throws {AppError} unsupported_media_type, invalid */
const readUpload = async ({ bodyBytes, header }: RequestFacts): Promise<Upload> => {
  const type = header('content-type') ?? ''
  if (!MULTIPART.test(type)) {
    throw new AppError(
      'unsupported_media_type',
      'Send multipart/form-data with a file "bundle": the tar.gz of the app folder.',
    )
  }
  const form = await parseForm(bodyBytes, type)
  const bundle = form.get('bundle')
  const message = form.get('message')
  if (!(bundle instanceof Blob)) {
    throw invalid('The form has no file "bundle": the tar.gz of the app folder.', {
      code: 'no_bundle',
    })
  }
  if (message !== null && (typeof message !== 'string' || message.length > MAX_DEPLOY_MESSAGE)) {
    throw invalid(`"message" is a text of at most ${MAX_DEPLOY_MESSAGE} characters.`)
  }
  return { bundle: new Uint8Array(await bundle.arrayBuffer()), message }
}

const parseForm = async (bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> => {
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    throw invalid('The multipart body is broken.', { code: 'no_bundle', cause })
  }
}

/** @throws {AppError} not_found */
const requireDeployment = async ({ db }: Pick<Deps, 'db'>, ws: string, id: string) => {
  const row = await findDeployment(db, ws, id)
  if (row === null) throw notFound('Deployment', { code: 'deployment_not_found' })
  return row
}

export const deploymentRoutes = (deps: Pick<Deps, 'db' | 'newId' | 'limits'>): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/deployments',
    operationId: 'listDeployments',
    scope: 'deployments:read',
    tag: 'Deployments',
    summary: 'Deployments of the workspace, newest first',
    query: pageQuery.extend({ app: z.string().optional() }),
    responses: { 200: { description: 'A page', schema: pageOf(deployment) } },
    handler: async ({ ws, query: { limit, cursor, app } }) => {
      const filter = { app: app ?? null, beforeId: decodeCursor(cursor), limit: limit + 1 }
      const rows = await listDeployments(deps.db, ws, filter)
      return reply(200, toPage(rows, limit, { toItem: toWireDeployment, keyOf: ({ id }) => id }))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/deployments',
    operationId: 'createDeployment',
    scope: 'deployments:write',
    tag: 'Deployments',
    summary: 'Deploy a folder: multipart with the file "bundle" (tar.gz) and an optional "message"',
    bodyKind: 'raw',
    rawBody: { contentType: 'multipart/form-data', schema: uploadForm },
    bodyLimit: MAX_ARCHIVE_BYTES,
    responses: {
      201: { description: 'Deployed', schema: deployed },
      400: problem('The form has no file "bundle"'),
      409: problem('The app comes from another git source'),
      413: problem('More than 10 MB'),
      422: problem('Manifest or code has faults, each in `details`'),
    },
    handler: async (input) => {
      const { bundle, message } = await readUpload(input)
      const { ws, actor } = input
      return reply(201, await deployArchive(deps, { ws, archive: bundle, message, actor }))
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/deployments/{id}',
    operationId: 'getDeployment',
    scope: 'deployments:read',
    tag: 'Deployments',
    summary: 'A deployment, with the manifest and a hash of the code of each entry point',
    params: idParams,
    responses: {
      200: { description: 'The deployment', schema: deploymentDetail },
      404: problem('Unknown id'),
    },
    handler: async ({ ws, params }) => {
      const row = await requireDeployment(deps, ws, params.id)
      const content = await findDeploymentContent(deps.db, row.id)
      return reply(200, toWireDeploymentDetail(row, content))
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/deployments/{id}/changes',
    operationId: 'compareDeployment',
    scope: 'deployments:read',
    tag: 'Deployments',
    summary: 'What going back to a deployment would change of what runs now',
    params: idParams,
    responses: {
      200: { description: 'By key', schema: deploymentChanges },
      404: problem('Unknown id'),
    },
    handler: async ({ ws, params }) => reply(200, await compareDeployment(deps, ws, params.id)),
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/deployments/{id}/files',
    operationId: 'listDeploymentFiles',
    scope: 'apps:read',
    tag: 'Deployments',
    summary: 'The source files of a deployment; none of one that an older svc made',
    params: idParams,
    responses: {
      200: { description: 'By path', schema: z.object({ items: z.array(deploymentFile) }) },
      404: problem('Unknown id'),
    },
    handler: async ({ ws, params }) => {
      const { id } = await requireDeployment(deps, ws, params.id)
      return reply(200, { items: await listDeploymentFiles(deps.db, id) })
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/deployments/{id}/files/{path}',
    operationId: 'getDeploymentFile',
    scope: 'apps:read',
    tag: 'Deployments',
    summary:
      'A source file of a deployment, as it was deployed; slashes of its path stay as they are',
    params: idParams.extend({ path: z.string() }),
    responses: {
      200: { description: 'Its bytes', contentType: 'application/octet-stream' },
      404: problem('Unknown id or path'),
    },
    handler: async ({ ws, params }) => {
      const { id } = await requireDeployment(deps, ws, params.id)
      const bytes = await findDeploymentFile(deps.db, id, params.path)
      if (bytes === null) throw notFound('File', { code: 'file_not_found' })
      return new Response(new Uint8Array(bytes), { headers: RAW })
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/deployments/{id}/redeploy',
    operationId: 'redeploy',
    scope: 'deployments:write',
    tag: 'Deployments',
    summary: 'Deploy the content of a former deployment again: code, manifest and functions',
    params: idParams,
    body: redeployBody,
    bodyKind: 'optional_json',
    responses: {
      201: { description: 'Deployed', schema: deployed },
      404: problem('Unknown id'),
      409: problem('It is the current deployment'),
    },
    handler: async ({ ws, params, body, actor }) => {
      const message = body?.message ?? null
      return reply(201, await redeployApp(deps, { ws, id: params.id, message, actor }))
    },
  }),
]
