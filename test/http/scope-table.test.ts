/**
 * Document 1's scope list, written out by hand: which route each scope opens. The routes of the app must say the same, so
 * that neither a route nor a scope is forgotten.
 */
import { expect, test } from 'vitest'
import type { RouteScope } from '#http/endpoint.ts'
import { createTestApp } from '../support/create-test-app.ts'

/** Paths below /api/w/{ws}, but for the last three. */
const OPENS: Partial<Record<RouteScope, readonly string[]>> = {
  '*': [
    'GET /state',
    'POST /state',
    'DELETE /state',
    'GET /state/keys',
    'GET /api-keys',
    'POST /api-keys',
    'DELETE /api-keys/{key_id}',
    'GET /ledger',
    'GET /audit',
    'GET /billing',
    'POST /flow-links/{app}/{flow}',
    'DELETE /flow-links/{link_id}',
    'PATCH /apps/{app}',
    'POST /apps/{app}/hosts/{host}/verify',
  ],
  'workspace:read': [
    'GET /workspace',
    'GET /workspace/usage',
    'GET /whoami',
    'GET /notifications/deliveries',
  ],
  'workspace:write': ['PATCH /workspace', 'POST /notifications/test'],
  'members:read': ['GET /members', 'GET /invites'],
  'members:write': [
    'POST /members',
    'PATCH /members/{email}',
    'DELETE /members/{email}',
    'POST /invites',
    'DELETE /invites/{id}',
  ],
  'tokens:read': ['GET /tokens'],
  'tokens:write': ['POST /tokens', 'DELETE /tokens/{id}'],
  'git_sources:read': ['GET /git-sources', 'GET /git-sources/{id}'],
  'git_sources:write': [
    'POST /git-sources',
    'POST /git-sources/probe',
    'PATCH /git-sources/{id}',
    'DELETE /git-sources/{id}',
    'POST /git-sources/{id}/sync',
  ],
  'apps:read': [
    'GET /apps',
    'GET /apps/{app}',
    'GET /apps/{app}/history',
    'GET /apps/{app}/actions',
    'GET /apps/{app}/functions',
    'GET /deployments/{id}/files',
    'GET /webhooks',
    'GET /webhooks/{app}/{key}',
    'GET /webhooks/{app}/{key}/deliveries',
    'GET /deployments/{id}/files/{path}',
  ],
  'apps:write': ['POST /jobs/{id}/requeue', 'PATCH /apps/{app}/actions/{action}'],
  'drafts:read': ['GET /drafts', 'GET /drafts/{app}'],
  'drafts:write': [
    'PUT /drafts/{app}',
    'DELETE /drafts/{app}',
    'POST /drafts/{app}/check',
    'POST /drafts/{app}/from-deployed',
  ],
  'deployments:read': [
    'GET /deployments',
    'GET /deployments/{id}',
    'GET /deployments/{id}/changes',
  ],
  'deployments:write': [
    'POST /apps',
    'DELETE /apps/{app}',
    'POST /deployments',
    'POST /deployments/plan',
    'POST /deployments/{id}/redeploy',
    'POST /apps/{app}/functions/deploy',
    'POST /drafts/{app}/deploy',
  ],
  'variables:read': ['GET /variables'],
  'variables:write': ['POST /variables', 'PUT /variables/{key}', 'DELETE /variables/{key}'],
  'resources:read': ['GET /resources'],
  'resources:write': ['POST /resources', 'DELETE /resources/{key}'],
  'flows:read': [
    'GET /flows',
    'GET /flows/{app}/{flow}',
    'GET /flow-runs',
    'GET /flow-runs/{id}',
    'GET /flow-runs/{id}/events',
    'GET /flow-runs/{id}/graph',
    'GET /approvals',
    'GET /flow-links',
  ],
  'flows:run': [
    'POST /flows/run/{app}/{flow}',
    'POST /flow-runs/{id}/cancel',
    'POST /flow-runs/{id}/restart',
  ],
  'flows:resume': ['POST /events', 'POST /flow-runs/{id}/approve', 'POST /flow-runs/{id}/reject'],
  'jobs:read': [
    'GET /apps/{app}/functions/{name}/calls',
    'GET /jobs',
    'GET /jobs/summary',
    'GET /jobs/timeline',
    'GET /jobs/{id}',
    'GET /jobs/{id}/result',
    'GET /jobs/{id}/logs',
    'GET /jobs/{id}/attempts',
    'GET /jobs/{id}/events',
    'GET /jobs/{id}/view-tokens',
    'POST /jobs/{id}/view-tokens',
    'DELETE /jobs/{id}/view-tokens',
    'DELETE /jobs/{id}/view-tokens/{tid}',
  ],
  'jobs:run': [
    'POST /jobs/batch',
    'POST /jobs/bulk',
    'POST /jobs/{id}/replay',
    'GET /operations',
    'GET /operations/{id}',
    'POST /jobs/run/{app}/{action}',
    'POST /jobs/run/{app}/{action}/wait',
    'POST /jobs/{id}/cancel',
    'POST /webhooks/{app}/{key}/deliveries/{id}/replay',
  ],
  'webhooks:invoke': ['POST /jobs/webhook/{app}/{action}', 'POST /flows/webhook/{app}/{flow}'],
  'workers:read': ['GET /workers'],
  'schedules:read': [
    'GET /schedules',
    'GET /schedules/{id}',
    'GET /schedules/{id}/slots',
    'POST /schedules/preview',
  ],
  'schedules:write': ['POST /schedules', 'PATCH /schedules/{id}', 'DELETE /schedules/{id}'],
  'consumers:read': ['GET /consumers', 'GET /consumers/{id}', 'GET /consumers/{id}/keys'],
  'consumers:write': [
    'POST /consumers',
    'PATCH /consumers/{id}',
    'DELETE /consumers/{id}',
    'PUT /consumers/{id}/grants',
    'POST /consumers/{id}/keys',
    'DELETE /consumers/{id}/keys/{key_id}',
  ],
  any: [
    'POST /api/auth/device/approve',
    'POST /api/auth/logout',
    'POST /api/auth/password',
    'GET /api/auth/me',
    'GET /api/auth/workspaces',
    'POST /mcp/{ws}',
  ],
  instance: [
    'GET /api/admin/audit',
    'GET /api/admin/workers',
    'GET /api/admin/workspaces',
    'POST /api/admin/workspaces',
    'PATCH /api/admin/workspaces/{id}',
    'POST /api/admin/workspaces/{id}/credits',
    'GET /api/admin/users',
    'PATCH /api/admin/users/{email}',
    'DELETE /api/admin/users/{email}',
  ],
  api_key: [
    'POST /document-parser/registry',
    'POST /v2/certificates/session',
    'GET /v2/certificates/session/{certId}',
    'DELETE /v2/certificates/session/{certId}',
    'GET /v2/certificates/session/{certId}/ws',
    'POST /v2/workflows',
  ],
  public: [
    'POST /hook/{ws}/{app}/{key}',
    'POST /v2/certificates/resolve',
    'POST /v2/certificates/upload/{certId}',
    'GET /certificates',
    'GET /healthz',
    'GET /metrics',
    'GET /api/config',
    'GET /api/flow/run',
    'POST /api/flow/run',
    'GET /api/flow/status',
    'GET /api/flow/approval',
    'GET /api/flow/approve',
    'POST /api/flow/approve',
    'GET /api/flow/reject',
    'POST /api/flow/reject',
    'GET /api/public/jobs/{token}',
    'GET /api/public/jobs/{token}/result',
    'GET /api/public/jobs/{token}/logs',
    'GET /api/tokens/scopes',
    'GET /invite',
    'POST /api/auth/accept-invite',
    'POST /api/auth/login',
    'GET /api/auth/oidc/login',
    'GET /api/auth/oidc/callback',
    'POST /api/auth/device/code',
    'POST /api/auth/device/token',
    'GET /device',
    'GET /api/schemas/registry-1.5.0.json',
    'GET /api/openapi.json',
    'GET /api/schemas/app.json',
    'GET /api/docs',
  ],
}

test('each scope opens its routes, and no route is left over', async () => {
  const app = await createTestApp()
  const opened: Partial<Record<RouteScope, string[]>> = {}
  for (const {
    admits: [scope],
    method,
    path,
  } of app.routes) {
    const routes = opened[scope] ?? []
    opened[scope] = [...routes, `${method.toUpperCase()} ${path.replace('/api/w/{ws}', '')}`]
  }
  await app.close()
  const sorted = (table: typeof opened | typeof OPENS) =>
    Object.entries(table)
      .map(([scope, routes]) => [scope, routes.toSorted()] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  expect(sorted(opened)).toEqual(sorted(OPENS))
})
