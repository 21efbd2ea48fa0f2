import { PART_KINDS } from '#core/deploy/changes.ts'
import { DEPLOYMENT_SOURCES } from '#core/deploy/source.ts'
import { ISOLATION_LEVELS } from '#core/placement/isolation-level.ts'
import { storedEnum, time } from '../wire.ts'
import { creatorName } from './creator.ts'
import { z } from './z.ts'

export const app = z
  .object({
    key: z.string(),
    name: z.string(),
    commit: z.string().nullable(),
    deployment_id: z.uuid().nullable(),
    git_source_id: z.uuid().nullable(),
    preview_of: z.string().nullable().describe('the app that this preview of a branch belongs to'),
    preview_branch: z.string().nullable(),
    created_at: time,
    updated_at: time,
  })
  .openapi('App')

export const appHost = z
  .object({
    host: z.string(),
    status: z.enum(['pending', 'active']).describe('active: the name leads to the app'),
    txt_name: z.string().describe('where the TXT record that proves the name has to be'),
    txt_value: z.string().describe('what it has to say'),
  })
  .openapi('AppHost')

export const appDetail = app.extend({ hosts: z.array(appHost) }).openapi('AppDetail')

export const action = z
  .object({
    key: z.string(),
    entrypoint: z.string(),
    tag: z.string().describe('where its jobs run now'),
    tag_override: z.string().nullable(),
    timeout_s: z.int(),
    cancel_grace_s: z
      .int()
      .describe('seconds that a canceled script has to clean up before it is killed'),
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

export const deployment = z
  .object({
    id: z.uuid(),
    deployment_id: z.uuid().describe('the same'),
    app: z.string(),
    commit: z.string(),
    source: storedEnum(DEPLOYMENT_SOURCES),
    git_source_id: z.uuid().nullable(),
    message: z.string().nullable(),
    actions: z.array(z.string()),
    flows: z.array(z.string()),
    created_by: z.string(),
    created_by_name: creatorName,
    created_at: time,
    redeployed_from: z
      .uuid()
      .optional()
      .describe('the former deployment whose content was deployed again'),
  })
  .openapi('Deployment')

export const deploymentDetail = deployment
  .extend({
    manifest: z
      .object({
        key: z.string(),
        name: z.string(),
        actions: z.array(z.looseObject({ key: z.string(), entrypoint: z.string() })),
        flows: z.array(z.looseObject({ key: z.string() })),
        webhooks: z.array(z.looseObject({ key: z.string() })).optional(),
        schedules: z.array(z.looseObject({ key: z.string() })).optional(),
        events: z.array(z.looseObject({ name: z.string() })).optional(),
      })
      .describe('as it was deployed, with its defaults'),
    code: z
      .record(z.string(), z.string())
      .describe('SHA-256 of the bundled code, by entry point: equal where nothing changed'),
  })
  .openapi('DeploymentDetail')

const part = z.object({ kind: z.enum(PART_KINDS), key: z.string() })

/** Without a name, because the generator of the OpenAPI document loses the null of a named shape that may be null. */
export const partChanges = z.object({
  added: z.array(part),
  changed: z.array(part),
  removed: z.array(part),
})

export const deploymentChanges = partChanges.openapi('DeploymentChanges')

export const deployWarnings = z
  .array(z.object({ path: z.string(), message: z.string() }))
  .optional()
  .describe(
    'what is deployed but will fail: imports, references of flows, webhooks without a secret; absent if there are none',
  )

export const deploymentPlan = deploymentChanges
  .extend({ app: z.string(), commit: z.string(), warnings: deployWarnings })
  .openapi('DeploymentPlan')

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
    warnings: deployWarnings,
  })
  .openapi('Deployed')
