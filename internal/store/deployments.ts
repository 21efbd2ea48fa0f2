/** Deployments never change: what a job pins is a deployment's id. */
import type { ActionDefinition } from '#core/action-definition.ts'
import { parseActionDefinition } from './action-column.ts'
import { asNumber, asText, asTextOrNull } from './column.ts'
import { type Database, type Row, SQL_NOW, type SqlValue, type Statement, sql } from './database.ts'

export type Deployment = Readonly<{
  id: string
  app: string
  commit: string
  source: string
  gitSourceId: string | null
  message: string | null
  createdBy: string
  createdAt: number
  /** The former deployment that it made current again. */
  redeployedFrom: string | null
  actions: readonly string[]
  flows: readonly string[]
}>

const COLUMNS = `d.id, d.app, d.commit_id, d.source, d.git_source_id, d.message, d.created_by, d.created_at, d.redeployed_from,
  (SELECT group_concat(key, ',') FROM deployment_actions a WHERE a.deployment_id = d.id) AS actions,
  (SELECT group_concat(json_extract(value, '$.key'), ',') FROM json_each(d.manifest, '$.flows')) AS flows`

/** Keys hold no comma. */
const toKeys = (value: SqlValue | undefined): readonly string[] =>
  (asTextOrNull(value) ?? '').split(',').filter((key) => key !== '')

const toDeployment = (row: Row): Deployment => ({
  id: asText(row.id),
  app: asText(row.app),
  commit: asText(row.commit_id),
  source: asText(row.source),
  gitSourceId: asTextOrNull(row.git_source_id),
  message: asTextOrNull(row.message),
  createdBy: asText(row.created_by),
  createdAt: asNumber(row.created_at),
  redeployedFrom: asTextOrNull(row.redeployed_from),
  actions: toKeys(row.actions),
  flows: toKeys(row.flows),
})

export const findDeployment = async (
  db: Database,
  ws: string,
  id: string,
): Promise<Deployment | null> => {
  const row = await db.one(
    sql(`SELECT ${COLUMNS} FROM deployments d WHERE d.ws = ? AND d.id = ?`, ws, id),
  )
  return row === null ? null : toDeployment(row)
}

export type DeploymentFilter = Readonly<{
  app: string | null
  beforeId: string | null
  limit: number
}>

/** Newest first. */
export const listDeployments = async (
  db: Database,
  ws: string,
  { app, beforeId, limit }: DeploymentFilter,
): Promise<readonly Deployment[]> => {
  const rows = await db.all(
    sql(
      `SELECT ${COLUMNS} FROM deployments d
       WHERE d.ws = ? AND (? IS NULL OR d.app = ?) AND (? IS NULL OR d.id < ?)
       ORDER BY d.id DESC LIMIT ?`,
      ws,
      app,
      app,
      beforeId,
      beforeId,
      limit,
    ),
  )
  return rows.map(toDeployment)
}

export type DeploymentAction = Readonly<{
  commit: string
  entrypoint: string
  bundleHash: string
  definition: ActionDefinition
}>

/** What a worker runs; immutable, so callers may keep it. */
export const findDeploymentAction = async (
  db: Database,
  deploymentId: string,
  action: string,
): Promise<DeploymentAction | null> => {
  const row = await db.one(
    sql(
      `SELECT d.commit_id, a.entrypoint, a.bundle_hash, a.definition
       FROM deployment_actions a JOIN deployments d ON d.id = a.deployment_id
       WHERE a.deployment_id = ? AND a.key = ?`,
      deploymentId,
      action,
    ),
  )
  if (row === null) return null
  return {
    commit: asText(row.commit_id),
    entrypoint: asText(row.entrypoint),
    bundleHash: asText(row.bundle_hash),
    definition: parseActionDefinition(asText(row.definition)),
  }
}

export const findDeploymentActions = async (
  db: Database,
  deploymentId: string,
): Promise<readonly ActionDefinition[]> => {
  const rows = await db.all(
    sql('SELECT definition FROM deployment_actions WHERE deployment_id = ?', deploymentId),
  )
  return rows.map((row) => parseActionDefinition(asText(row.definition)))
}

export type DeploymentContent = Readonly<{
  manifestJson: string
  /** By entrypoint. */
  bundleHashes: ReadonlyMap<string, string>
}>

export const findDeploymentContent = async (
  db: Database,
  deploymentId: string,
): Promise<DeploymentContent> => {
  const rows = await db.all(
    sql(
      `SELECT d.manifest, a.entrypoint, a.bundle_hash
       FROM deployments d LEFT JOIN deployment_actions a ON a.deployment_id = d.id
       WHERE d.id = ?`,
      deploymentId,
    ),
  )
  return {
    manifestJson: asTextOrNull(rows[0]?.manifest) ?? '',
    bundleHashes: new Map(
      rows.map((row) => [asTextOrNull(row.entrypoint) ?? '', asTextOrNull(row.bundle_hash) ?? '']),
    ),
  }
}

export type NewDeployment = Readonly<{
  id: string
  ws: string
  app: string
  commit: string
  source: 'git' | 'upload' | 'draft'
  gitSourceId: string | null
  message: string | null
  manifestJson: string
  createdBy: string
  /** Hashes by name; null: it leaves the app's functions as they are. */
  functions: ReadonlyMap<string, string> | null
}>

/**
 * Inserts nothing when the app has another current deployment than the one that the caller knows of.
 * @param replaces null: the app has none yet
 */
export const insertDeployment = (deployment: NewDeployment, replaces: string | null): Statement =>
  sql(
    `INSERT INTO deployments (id, ws, app, commit_id, source, git_source_id, message, manifest, created_by, created_at, functions)
     SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ${SQL_NOW}, ?
     WHERE (SELECT deployment_id FROM apps WHERE ws = ? AND key = ?) IS ?
     ON CONFLICT DO NOTHING`,
    deployment.id,
    deployment.ws,
    deployment.app,
    deployment.commit,
    deployment.source,
    deployment.gitSourceId,
    deployment.message,
    deployment.manifestJson,
    deployment.createdBy,
    deployment.functions === null ? null : JSON.stringify(Object.fromEntries(deployment.functions)),
    deployment.ws,
    deployment.app,
    replaces,
  )

/** Nothing is inserted when the deployment was not. */
export const insertDeploymentAction = (
  deploymentId: string,
  definition: ActionDefinition,
  bundleHash: string,
): Statement =>
  sql(
    `INSERT INTO deployment_actions (deployment_id, key, entrypoint, bundle_hash, definition)
     SELECT id, ?, ?, ?, ? FROM deployments WHERE id = ?
     ON CONFLICT DO NOTHING`,
    definition.key,
    definition.entrypoint,
    bundleHash,
    JSON.stringify(definition),
    deploymentId,
  )
