import { MAX_ARCHIVE_BYTES } from '#core/deploy/limits.ts'
import { json, problem, storageFull } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { flagQuery } from '../schemas/flag.ts'
import { pageOf, pageQuery, shortListQuery } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'
import { time } from '../wire.ts'

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
    deployed_at: time,
  })
  .openapi('Function')

const deployedFunctions = z
  .object({
    deployed: z.array(z.object({ name: z.string(), hash: z.string() })),
    skipped: z.array(z.string()).describe('unchanged'),
  })
  .openapi('DeployedFunctions')

const functionCall = z
  .object({
    id: z.uuid(),
    request_id: z.string().describe('the header x-request-id of its answer'),
    method: z.string(),
    status: z.int(),
    duration_ms: z.int(),
    error: z.string().nullable(),
    log: z.string().nullable(),
    at: time,
  })
  .openapi('FunctionCall')

export const functionEndpoints = {
  listAppFunctions: endpoint({
    method: 'get',
    path: '/apps/{app}/functions',
    in: 'workspace',
    admits: ['apps:read'],
    tag: 'Functions',
    summary: 'Functions of an app, with their sources and hashes',
    query: shortListQuery,
    answers: { 200: json('All functions', pageOf(appFunction)), ...unknownApp },
  }),
  deployFunctions: endpoint({
    method: 'post',
    path: '/apps/{app}/functions/deploy',
    in: 'workspace',
    admits: ['deployments:write'],
    tag: 'Functions',
    summary: 'Deploy functions: multipart with their files, named functions/<name>/<path>',
    query: z.object({
      force: flagQuery.prefault('false').describe('also what has not changed'),
    }),
    bodyKind: 'raw',
    rawBody: {
      contentType: 'multipart/form-data',
      schema: z.record(z.string(), z.string().openapi({ format: 'binary' })),
    },
    bodyLimit: MAX_ARCHIVE_BYTES,
    answers: {
      200: json('Deployed; the app’s other functions stay', deployedFunctions),
      413: problem('More than 10 MB'),
      422: problem('A function or package has faults, each in `details`'),
      ...storageFull,
      502: problem('The package registry cannot be reached, or failed'),
      ...unknownApp,
    },
  }),
  listFunctionCalls: endpoint({
    method: 'get',
    path: '/apps/{app}/functions/{name}/calls',
    in: 'workspace',
    admits: ['jobs:read'],
    tag: 'Functions',
    summary: 'Calls of a function, newest first',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(functionCall)), 404: problem('Unknown app or function') },
  }),
}
