/** Apps and, through their current deployment, their actions. */
import type { ActionDefinition } from '#core/action-definition.ts'
import { parseActionDefinition } from './action-column.ts'
import { asNumber, asText, asTextOrNull } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'
import { deleteFunctionsOfApp } from './functions.ts'
import { deleteSchedulesOfApp } from './schedules.ts'

export type App = Readonly<{
  ws: string
  key: string
  name: string
  deploymentId: string | null
  commit: string | null
  gitSourceId: string | null
  createdAt: number
  updatedAt: number
}>

const APP = `SELECT apps.ws, apps.key, apps.name, apps.deployment_id, apps.git_source_id,
    apps.created_at, apps.updated_at, d.commit_id
  FROM apps LEFT JOIN deployments d ON d.id = apps.deployment_id`

const toApp = (row: Row): App => ({
  ws: asText(row.ws),
  key: asText(row.key),
  name: asText(row.name),
  deploymentId: asTextOrNull(row.deployment_id),
  commit: asTextOrNull(row.commit_id),
  gitSourceId: asTextOrNull(row.git_source_id),
  createdAt: asNumber(row.created_at),
  updatedAt: asNumber(row.updated_at),
})

export const findApp = async (db: Database, ws: string, key: string): Promise<App | null> => {
  const row = await db.one(sql(`${APP} WHERE apps.ws = ? AND apps.key = ?`, ws, key))
  return row === null ? null : toApp(row)
}

export type AppPage = Readonly<{ afterKey: string | null; limit: number }>

/** By key. */
export const listApps = async (
  db: Database,
  ws: string,
  { afterKey, limit }: AppPage,
): Promise<readonly App[]> => {
  const rows = await db.all(
    sql(
      `${APP} WHERE apps.ws = ? AND apps.key > ? ORDER BY apps.key LIMIT ?`,
      ws,
      afterKey ?? '',
      limit,
    ),
  )
  return rows.map(toApp)
}

export type CurrentAction = Readonly<{
  deploymentId: string
  commit: string
  bundleHash: string
  tagOverride: string | null
  defaultTag: string
  definition: ActionDefinition
}>

const CURRENT_ACTION = `SELECT a.deployment_id, a.bundle_hash, a.definition, d.commit_id, w.default_tag,
    (SELECT tag FROM action_overrides o
      WHERE o.ws = apps.ws AND o.app = apps.key AND o.action = a.key) AS tag_override
  FROM apps
  JOIN workspaces w ON w.id = apps.ws
  JOIN deployments d ON d.id = apps.deployment_id
  JOIN deployment_actions a ON a.deployment_id = apps.deployment_id`

const toCurrentAction = (row: Row): CurrentAction => ({
  deploymentId: asText(row.deployment_id),
  commit: asText(row.commit_id),
  bundleHash: asText(row.bundle_hash),
  tagOverride: asTextOrNull(row.tag_override),
  defaultTag: asText(row.default_tag),
  definition: parseActionDefinition(asText(row.definition)),
})

export const findCurrentAction = async (
  db: Database,
  ws: string,
  app: string,
  action: string,
): Promise<CurrentAction | null> => {
  const row = await db.one(
    sql(`${CURRENT_ACTION} WHERE apps.ws = ? AND apps.key = ? AND a.key = ?`, ws, app, action),
  )
  return row === null ? null : toCurrentAction(row)
}

export const listCurrentActions = async (
  db: Database,
  ws: string,
  app: string,
): Promise<readonly CurrentAction[]> => {
  const rows = await db.all(
    sql(`${CURRENT_ACTION} WHERE apps.ws = ? AND apps.key = ? ORDER BY a.key`, ws, app),
  )
  return rows.map(toCurrentAction)
}

/** An app without code yet [functions 13.5]. */
export const insertEmptyApp = (ws: string, key: string, name: string): Statement =>
  sql(
    `INSERT INTO apps (ws, key, name, created_at, updated_at) VALUES (?, ?, ?, ${SQL_NOW}, ${SQL_NOW})
     ON CONFLICT DO NOTHING`,
    ws,
    key,
    name,
  )

export type DeployedApp = Readonly<{
  ws: string
  key: string
  name: string
  deploymentId: string
  gitSourceId: string | null
}>

/**
 * Points the app to a deployment that was inserted; the app is made when it is new. An upload leaves it with the git
 * source that holds it. Running it twice changes nothing that came after.
 */
export const upsertDeployedApp = (app: DeployedApp, replaces: string | null): Statement =>
  sql(
    `INSERT INTO apps (ws, key, name, deployment_id, git_source_id, created_at, updated_at)
     SELECT ?, ?, ?, d.id, ?, ${SQL_NOW}, ${SQL_NOW} FROM deployments d WHERE d.id = ?
     ON CONFLICT (ws, key) DO UPDATE SET name = excluded.name,
       deployment_id = excluded.deployment_id,
       git_source_id = COALESCE(excluded.git_source_id, apps.git_source_id),
       updated_at = excluded.updated_at
     WHERE apps.deployment_id IS ?`,
    app.ws,
    app.key,
    app.name,
    app.gitSourceId,
    app.deploymentId,
    replaces,
  )

/** The apps of a git source that goes: another source may take them over. */
export const releaseApps = (ws: string, gitSourceId: string): Statement =>
  sql('UPDATE apps SET git_source_id = NULL WHERE ws = ? AND git_source_id = ?', ws, gitSourceId)

/**
 * Queued and running jobs keep what they pinned; deployments stay as history. Grants go: an app that is made anew under
 * the same key is another one.
 */
export const deleteApp = (ws: string, key: string): readonly [Statement, ...Statement[]] => [
  sql('DELETE FROM apps WHERE ws = ? AND key = ?', ws, key),
  sql('DELETE FROM action_overrides WHERE ws = ? AND app = ?', ws, key),
  sql('DELETE FROM app_state WHERE ws = ? AND app = ?', ws, key),
  sql(
    'DELETE FROM consumer_grants WHERE app = ? AND consumer_id IN (SELECT id FROM consumers WHERE ws = ?)',
    key,
    ws,
  ),
  deleteSchedulesOfApp(ws, key),
  ...deleteFunctionsOfApp(ws, key),
]

export const upsertTagOverride = (
  ws: string,
  app: string,
  action: string,
  tag: string,
): Statement =>
  sql(
    `INSERT INTO action_overrides (ws, app, action, tag) VALUES (?, ?, ?, ?)
     ON CONFLICT (ws, app, action) DO UPDATE SET tag = excluded.tag`,
    ws,
    app,
    action,
    tag,
  )

export const deleteTagOverride = (ws: string, app: string, action: string): Statement =>
  sql('DELETE FROM action_overrides WHERE ws = ? AND app = ? AND action = ?', ws, app, action)
