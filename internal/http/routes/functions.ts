/**
 * GET   /api/w/{ws}/apps/{app}/functions
 * POST  /api/w/{ws}/apps/{app}/functions/deploy
 * GET   /api/w/{ws}/apps/{app}/functions/{name}/calls
 */
import { MAX_ARCHIVE_BYTES } from '#core/deploy-limits.ts'
import { AppError, invalid, notFound } from '#core/error.ts'
import type { Deps } from '#service/deps.ts'
import { deployFunctions, type UploadedFile } from '#service/functions/deploy-functions.ts'
import { findApp } from '#store/apps.ts'
import { listFunctionCalls } from '#store/function-calls.ts'
import { type FunctionWithFiles, listFunctionHashes, listFunctions } from '#store/functions.ts'
import { problem, type RequestFacts, type Route, reply, route } from '../route.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { toTimestamp } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

const MULTIPART = /^multipart\/form-data\s*;/i

const appParams = z.object({ ws: z.string(), app: z.string() })
const unknownApp = { 404: problem('Unknown app') }

const appFunction = z
  .object({
    name: z.string(),
    hash: z.string().describe('SHA-256 over the files'),
    description: z.string(),
    methods: z.array(z.string()),
    tags: z.array(z.string()),
    timeout_s: z.int(),
    url: z.url(),
    files: z.record(z.string(), z.string()).describe('by path; base64'),
    deployed_by: z.string(),
    deployed_at: z.string(),
  })
  .openapi('Function')

const toWireFunction = (row: FunctionWithFiles, baseUrl: string) => ({
  name: row.name,
  hash: row.hash,
  description: row.definition.description,
  methods: row.definition.methods,
  tags: row.definition.tags,
  timeout_s: row.definition.timeoutS,
  url: `${baseUrl}/fn/${row.ws}/${row.app}/${row.name}`,
  files: JSON.parse(row.filesJson),
  deployed_by: row.deployedBy,
  deployed_at: toTimestamp(row.deployedAt),
})

const deployedFunctions = z
  .object({
    deployed: z.array(z.object({ name: z.string(), hash: z.string() })),
    skipped: z.array(z.string()).describe('unchanged'),
  })
  .openapi('DeployedFunctions')

const functionCall = z
  .object({
    id: z.uuid().describe('the request’s id'),
    request_id: z.uuid(),
    method: z.string(),
    status: z.int(),
    duration_ms: z.int(),
    error: z.string().nullable(),
    log: z.string().nullable(),
    at: z.string(),
  })
  .openapi('FunctionCall')

/** Files by path: the part's name where that is a path, else its file name. @throws {AppError} */
const readUpload = async ({
  bodyBytes,
  header,
}: RequestFacts): Promise<readonly UploadedFile[]> => {
  const type = header('content-type') ?? ''
  if (!MULTIPART.test(type)) {
    throw new AppError(
      'unsupported_media_type',
      'Send multipart/form-data with a file for each of the functions’ files, named by its path.',
    )
  }
  let form: FormData
  try {
    form = await new Response(bodyBytes, { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    throw invalid('The multipart body is broken.', { cause })
  }
  const files: UploadedFile[] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') continue
    const path = name.startsWith('functions/') ? name : value.name
    files.push({ path, bytes: new Uint8Array(await value.arrayBuffer()) })
  }
  return files
}

type FunctionDeps = Pick<Deps, 'db' | 'reads' | 'newId'>

const requireApp = async ({ db }: FunctionDeps, ws: string, key: string) => {
  const row = await findApp(db, ws, key)
  if (row === null) throw notFound(`App "${key}"`, { code: 'app_not_found' })
  return row
}

export const functionRoutes = (deps: FunctionDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/apps/{app}/functions',
    operationId: 'listAppFunctions',
    scope: 'apps:read',
    tag: 'Functions',
    summary: 'Functions of an app, with their sources and hashes',
    params: appParams,
    responses: {
      200: { description: 'All functions', schema: pageOf(appFunction) },
      ...unknownApp,
    },
    handler: async ({ ws, params, baseUrl }) => {
      await requireApp(deps, ws, params.app)
      const rows = await listFunctions(deps.db, ws, params.app)
      const items = rows.map((row) => toWireFunction(row, baseUrl()))
      return reply(200, { items, pagination: { next_cursor: null } })
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/apps/{app}/functions/deploy',
    operationId: 'deployFunctions',
    scope: 'deployments:write',
    tag: 'Functions',
    summary: 'Deploy functions: multipart with their files, named functions/<name>/<path>',
    params: appParams,
    query: z.object({
      force: z.enum(['true', 'false']).default('false').describe('also what has not changed'),
    }),
    bodyKind: 'raw',
    rawBody: {
      contentType: 'multipart/form-data',
      schema: z.record(z.string(), z.string().openapi({ format: 'binary' })),
    },
    bodyLimit: MAX_ARCHIVE_BYTES,
    responses: {
      200: { description: 'Deployed; the app’s other functions stay', schema: deployedFunctions },
      413: problem('More than 10 MB'),
      422: problem('A function has faults, each in `details`'),
      ...unknownApp,
    },
    handler: async (input) => {
      const { ws, params, actor, query } = input
      const force = query.force === 'true'
      const files = await readUpload(input)
      return reply(200, await deployFunctions(deps, { ws, app: params.app, actor, files, force }))
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/apps/{app}/functions/{name}/calls',
    operationId: 'listFunctionCalls',
    scope: 'jobs:read',
    tag: 'Functions',
    summary: 'Calls of a function, newest first',
    params: appParams.extend({ name: z.string() }),
    query: pageQuery,
    responses: {
      200: { description: 'A page', schema: pageOf(functionCall) },
      404: problem('Unknown app or function'),
    },
    handler: async ({ ws, params: { app, name }, query: { limit, cursor } }) => {
      const known = await listFunctionHashes(deps.db, ws, app)
      if (!known.has(name)) throw notFound(`Function "${name}" of app "${app}"`)
      const page = { beforeId: decodeCursor(cursor), limit: limit + 1 }
      const rows = await listFunctionCalls(deps.reads, { ws, app, name }, page)
      return reply(
        200,
        toPage(rows, limit, {
          toItem: ({ durationMs, at, ...call }) => ({
            ...call,
            request_id: call.id,
            duration_ms: durationMs,
            at: toTimestamp(at),
          }),
          keyOf: ({ id }) => id,
        }),
      )
    },
  }),
]
