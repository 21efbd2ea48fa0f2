/** Apps, their actions and deployments on the wire (contract, Apps). */
import { txtNameOf } from '#core/function/host-proof.ts'
import type { OwnHosts } from '#core/function/own-hosts.ts'
import { ISOLATION_LEVELS } from '#core/isolation-level.ts'
import type { HostClaim } from '#store/app-hosts.ts'
import type { App, CurrentAction } from '#store/apps.ts'
import type { Deployment, DeploymentContent } from '#store/deployments.ts'
import { toTimestamp } from './time.ts'
import { z } from './z.ts'

export const app = z
  .object({
    key: z.string(),
    name: z.string(),
    commit: z.string().nullable(),
    deployment_id: z.uuid().nullable(),
    git_source_id: z.uuid().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi('App')

export const toWireApp = (row: App) => ({
  key: row.key,
  name: row.name,
  commit: row.commit,
  deployment_id: row.deploymentId,
  git_source_id: row.gitSourceId,
  created_at: toTimestamp(row.createdAt),
  updated_at: toTimestamp(row.updatedAt),
})

export const appHost = z
  .object({
    host: z.string(),
    status: z.enum(['pending', 'active']).describe('active: the name leads to the app'),
    txt_name: z.string().describe('where the TXT record that proves the name has to be'),
    txt_value: z.string().describe('what it has to say'),
  })
  .openapi('AppHost')

/** A claim on a name that is svc's own stays without effect, whatever an earlier version stored. */
export const toWireHost = ({ host, txtValue, proof }: HostClaim, { isReserved }: OwnHosts) => ({
  host,
  status: proof === null || isReserved(host) ? ('pending' as const) : ('active' as const),
  txt_name: txtNameOf(host),
  txt_value: txtValue,
})

export const appDetail = app.extend({ hosts: z.array(appHost) }).openapi('AppDetail')

export const toWireAppDetail = (row: App, claims: readonly HostClaim[], ownHosts: OwnHosts) => ({
  ...toWireApp(row),
  hosts: claims.map((claim) => toWireHost(claim, ownHosts)),
})

export const action = z
  .object({
    key: z.string(),
    entrypoint: z.string(),
    tag: z.string().describe('where its jobs run now'),
    tag_override: z.string().nullable(),
    timeout_s: z.int(),
    input_schema: z.unknown(),
    retry: z.unknown(),
    concurrency: z.unknown(),
    isolation: z.enum(['fresh', 'shared']),
    on_worker_lost: z.enum(['requeue', 'fail']),
    memory_mb: z.int().nullable(),
    min_level: z
      .enum(ISOLATION_LEVELS)
      .nullable()
      .describe('only workers of at least this isolation level claim its jobs; null: any'),
    network: z.array(z.string()).nullable(),
  })
  .openapi('Action')

export const toWireAction = ({ definition, tagOverride, defaultTag }: CurrentAction) => ({
  key: definition.key,
  entrypoint: definition.entrypoint,
  tag: tagOverride ?? definition.tag ?? defaultTag,
  tag_override: tagOverride,
  timeout_s: definition.timeoutS,
  input_schema: definition.inputSchema,
  retry: definition.retry,
  concurrency: definition.concurrency,
  isolation: definition.isolation,
  on_worker_lost: definition.onWorkerLost,
  memory_mb: definition.memoryMb,
  min_level: definition.minLevel,
  network: definition.network,
})

export const deployment = z
  .object({
    deployment_id: z.uuid(),
    app: z.string(),
    commit: z.string(),
    source: z.enum(['git', 'upload', 'draft']),
    git_source_id: z.uuid().nullable(),
    message: z.string().nullable(),
    actions: z.array(z.string()),
    flows: z.array(z.string()),
    created_by: z.string(),
    created_at: z.string(),
    redeployed_from: z
      .uuid()
      .optional()
      .describe('the former deployment whose content was deployed again'),
  })
  .openapi('Deployment')

export const toWireDeployment = (row: Deployment) => ({
  deployment_id: row.id,
  app: row.app,
  commit: row.commit,
  source: row.source,
  git_source_id: row.gitSourceId,
  message: row.message,
  actions: row.actions,
  flows: row.flows,
  created_by: row.createdBy,
  created_at: toTimestamp(row.createdAt),
  ...(row.redeployedFrom === null ? {} : { redeployed_from: row.redeployedFrom }),
})

export const deploymentDetail = deployment
  .extend({
    manifest: z
      .object({
        key: z.string(),
        name: z.string(),
        actions: z.array(z.looseObject({ key: z.string(), entrypoint: z.string() })),
        flows: z.array(z.looseObject({ key: z.string() })),
      })
      .describe('as it was deployed, with its defaults'),
    code: z
      .record(z.string(), z.string())
      .describe('SHA-256 of the bundled code, by entry point: equal where nothing changed'),
  })
  .openapi('DeploymentDetail')

export const toWireDeploymentDetail = (row: Deployment, content: DeploymentContent) => ({
  ...toWireDeployment(row),
  manifest: JSON.parse(content.manifestJson),
  // an app of flows alone has no entry point
  code: Object.fromEntries([...content.bundleHashes].filter(([entrypoint]) => entrypoint !== '')),
})

const part = z.object({ kind: z.enum(['action', 'flow', 'function']), key: z.string() })

export const deploymentChanges = z
  .object({ added: z.array(part), changed: z.array(part), removed: z.array(part) })
  .openapi('DeploymentChanges')

export const deploymentFile = z
  .object({ path: z.string(), bytes: z.int(), sha256: z.string().describe('hex') })
  .openapi('DeploymentFile')

export const deployed = z
  .object({
    deployment_id: z.uuid(),
    app: z.string(),
    commit: z.string(),
    actions: z.array(z.string()),
    flows: z.array(z.string()),
    functions: z.array(z.string()),
  })
  .openapi('Deployed')
