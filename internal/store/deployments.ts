/** Deployments never change: what a job pins is a deployment's id. */
import type { ActionDefinition } from '#core/action-definition.ts'
import { parseActionDefinition } from './action-column.ts'
import { asNumber, asText, asTextOrNull } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

export type Deployment = Readonly<{
  id: string
  app: string
  commit: string
  source: string
  gitSourceId: string | null
  message: string | null
  createdBy: string
  createdAt: number
  actions: readonly string[]
}>

const COLUMNS = `d.id, d.app, d.commit_id, d.source, d.git_source_id, d.message, d.created_by, d.created_at,
  (SELECT group_concat(key, ',') FROM deployment_actions a WHERE a.deployment_id = d.id) AS actions`

const toDeployment = (row: Row): Deployment => ({
  id: asText(row.id),
  app: asText(row.app),
  commit: asText(row.commit_id),
  source: asText(row.source),
  gitSourceId: asTextOrNull(row.git_source_id),
  message: asTextOrNull(row.message),
  createdBy: asText(row.created_by),
  createdAt: asNumber(row.created_at),
  actions: (asTextOrNull(row.actions) ?? '').split(',').filter((key) => key !== ''),
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
}>

export const insertDeployment = (deployment: NewDeployment): Statement =>
  sql(
    `INSERT INTO deployments (id, ws, app, commit_id, source, git_source_id, message, manifest, created_by, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ${SQL_NOW}) ON CONFLICT DO NOTHING`,
    deployment.id,
    deployment.ws,
    deployment.app,
    deployment.commit,
    deployment.source,
    deployment.gitSourceId,
    deployment.message,
    deployment.manifestJson,
    deployment.createdBy,
  )

export const insertDeploymentAction = (
  deploymentId: string,
  definition: ActionDefinition,
  bundleHash: string,
): Statement =>
  sql(
    `INSERT INTO deployment_actions (deployment_id, key, entrypoint, bundle_hash, definition)
     VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    deploymentId,
    definition.key,
    definition.entrypoint,
    bundleHash,
    JSON.stringify(definition),
  )
