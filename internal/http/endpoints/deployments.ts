import { MAX_ARCHIVE_BYTES, MAX_DEPLOY_MESSAGE } from '#core/deploy/limits.ts'
import { bundleRefused, json, media, problem, storageFull } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import {
  deployed,
  deployment,
  deploymentChanges,
  deploymentDetail,
  deploymentFile,
  deploymentPlan,
} from '../schemas/apps.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'

const redeployBody = z
  .strictObject({
    message: z.string().max(MAX_DEPLOY_MESSAGE).optional().describe('default: the former one'),
  })
  .optional()

const uploadForm = z.object({
  bundle: z.string().openapi({ format: 'binary', description: 'tar.gz of the app folder' }),
  message: z.string().max(MAX_DEPLOY_MESSAGE).optional(),
})

export const deploymentEndpoints = {
  listDeployments: endpoint({
    method: 'get',
    path: '/deployments',
    in: 'workspace',
    admits: ['deployments:read'],
    tag: 'Deployments',
    summary: 'Deployments of the workspace, newest first',
    query: pageQuery.extend({ app: z.string().optional() }),
    answers: { 200: json('A page', pageOf(deployment)) },
  }),
  createDeployment: endpoint({
    method: 'post',
    path: '/deployments',
    in: 'workspace',
    admits: ['deployments:write'],
    tag: 'Deployments',
    summary: 'Deploy a folder: multipart with the file "bundle" (tar.gz) and an optional "message"',
    bodyKind: 'raw',
    rawBody: { contentType: 'multipart/form-data', schema: uploadForm },
    bodyLimit: MAX_ARCHIVE_BYTES,
    answers: {
      201: json('Deployed', deployed),
      400: problem('The form has no file "bundle"'),
      409: problem('The app comes from another git source'),
      413: problem('More than 10 MB'),
      ...bundleRefused,
      ...storageFull,
    },
  }),
  planDeployment: endpoint({
    method: 'post',
    path: '/deployments/plan',
    in: 'workspace',
    admits: ['deployments:write'],
    tag: 'Deployments',
    summary: 'What deploying a folder would add, change and remove; nothing is deployed',
    bodyKind: 'raw',
    rawBody: { contentType: 'multipart/form-data', schema: uploadForm },
    bodyLimit: MAX_ARCHIVE_BYTES,
    answers: {
      200: json('By key', deploymentPlan),
      400: problem('The form has no file "bundle"'),
      413: problem('More than 10 MB'),
      ...bundleRefused,
    },
  }),
  getDeployment: endpoint({
    method: 'get',
    path: '/deployments/{id}',
    in: 'workspace',
    admits: ['deployments:read'],
    tag: 'Deployments',
    summary: 'A deployment, with the manifest and a hash of the code of each entry point',
    answers: { 200: json('The deployment', deploymentDetail), 404: problem('Unknown id') },
  }),
  compareDeployment: endpoint({
    method: 'get',
    path: '/deployments/{id}/changes',
    in: 'workspace',
    admits: ['deployments:read'],
    tag: 'Deployments',
    summary: 'What going back to a deployment would change of what runs now',
    answers: { 200: json('By key', deploymentChanges), 404: problem('Unknown id') },
  }),
  listDeploymentFiles: endpoint({
    method: 'get',
    path: '/deployments/{id}/files',
    in: 'workspace',
    admits: ['apps:read'],
    tag: 'Deployments',
    summary: 'The source files of a deployment; none of one that an older svc made',
    answers: {
      200: json('By path', z.object({ items: z.array(deploymentFile) })),
      404: problem('Unknown id'),
    },
  }),
  getDeploymentFile: endpoint({
    method: 'get',
    path: '/deployments/{id}/files/{path}',
    in: 'workspace',
    admits: ['apps:read'],
    tag: 'Deployments',
    summary:
      'A source file of a deployment, as it was deployed; slashes of its path stay as they are',
    answers: {
      200: media('application/octet-stream', 'Its bytes'),
      404: problem('Unknown id or path'),
    },
  }),
  redeploy: endpoint({
    method: 'post',
    path: '/deployments/{id}/redeploy',
    in: 'workspace',
    admits: ['deployments:write'],
    tag: 'Deployments',
    summary: 'Deploy the content of a former deployment again: code, manifest and functions',
    body: redeployBody,
    bodyKind: 'optional_json',
    answers: {
      201: json('Deployed', deployed),
      404: problem('Unknown id'),
      409: problem('It is the current deployment'),
      ...storageFull,
    },
  }),
}
