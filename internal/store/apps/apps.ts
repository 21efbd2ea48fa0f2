/** Apps and, through their current deployment, their actions. */

import { deleteGrants } from '../credentials/consumers.ts'
import type { Database, ReadOptions, Statement } from '../database.ts'
import { parsed, type RowOf, row, text, time } from '../row.ts'
import type { NamePage } from '../search.ts'
import { raw, SQL_NOW, sql } from '../sql.ts'
import { parseActionDefinition } from './action-column.ts'
import { deleteFunctionsOfApp } from './functions.ts'
import { deleteRepositoryOfApp } from './git-repositories.ts'
import { deleteSomeSchedules, hasLeftSchedules } from './left-rows.ts'

const appRow = row({
  ws: text,
  key: text,
  name: text,
  deploymentId: text.nullable,
  commit: text.nullable('commit_id'),
  gitSourceId: text.nullable,
  previewOf: text.nullable,
  previewBranch: text.nullable,
  /** Another one for an app that is made again under the same key; null: made before apps had one. */
  creationId: text.nullable,
  createdAt: time,
  updatedAt: time,
})
export type App = RowOf<typeof appRow>

const APP = sql`SELECT apps.ws, apps.key, apps.name, apps.deployment_id, apps.git_source_id,
    apps.preview_of, apps.preview_branch, apps.creation_id,
    apps.created_at, apps.updated_at, d.commit_id
  FROM apps LEFT JOIN deployments d ON d.id = apps.deployment_id`

/** Finds an app of the workspace with its current deployment. */
export const findApp = (db: Database, ws: string, key: string): Promise<App | null> =>
  appRow.one(db, sql`${APP} WHERE apps.ws = ${ws} AND apps.key = ${key}`)

/** A condition: the app's current deployment is this one; null if it must have none, and may be made. */
export const hasDeployment = (
  { ws, key }: Readonly<{ ws: string; key: string }>,
  deploymentId: string | null,
): Statement =>
  sql`(SELECT deployment_id FROM apps WHERE ws = ${ws} AND key = ${key}) IS ${deploymentId}
    AND NOT ${hasLeftSchedules({ ws, app: key })}`

export type ExpectedApp = Readonly<{ ws: string; key: string; deploymentId: string | null }>

/** A condition: each app has the deployment that is expected of it. Its text does not grow with their number. */
export const haveDeployments = (expected: readonly ExpectedApp[]): Statement => {
  const rows = expected.map(({ ws, key, deploymentId }) => [ws, key, deploymentId])
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(rows)}) e
    WHERE (SELECT deployment_id FROM apps WHERE ws = e.value ->> 0 AND key = e.value ->> 1) IS NOT e.value ->> 2
      OR ${hasLeftSchedules({ ws: raw('e.value ->> 0'), app: raw('e.value ->> 1') })})`
}

/** Lists the apps of a workspace, by key, without trials of drafts (core/deploy/preview.ts). */
export const listApps = (
  db: Database,
  ws: string,
  { after, limit }: NamePage,
): Promise<readonly App[]> =>
  appRow.all(
    db,
    sql`${APP} WHERE apps.ws = ${ws} AND apps.key > ${after ?? ''}
      AND (apps.preview_branch IS NULL OR apps.preview_branch NOT GLOB 'draft:*')
      ORDER BY apps.key LIMIT ${limit}`,
  )

const currentActionRow = row({
  deploymentId: text,
  commit: text('commit_id'),
  bundleHash: text,
  tagOverride: text.nullable,
  defaultTag: text,
  definition: parsed(parseActionDefinition),
})
export type CurrentAction = RowOf<typeof currentActionRow>

const CURRENT_ACTION = sql`SELECT a.deployment_id, a.bundle_hash, a.definition, d.commit_id, w.default_tag,
    (SELECT tag FROM action_overrides o
      WHERE o.ws = apps.ws AND o.app = apps.key AND o.action = a.key) AS tag_override
  FROM apps
  JOIN workspaces w ON w.id = apps.ws
  JOIN deployments d ON d.id = apps.deployment_id
  JOIN deployment_actions a ON a.deployment_id = apps.deployment_id`

/** Finds an action in the current deployment of the app. */
export const findCurrentAction = (
  db: Database,
  ws: string,
  app: string,
  action: string,
  options?: ReadOptions,
): Promise<CurrentAction | null> =>
  currentActionRow.one(
    db,
    sql`${CURRENT_ACTION} WHERE apps.ws = ${ws} AND apps.key = ${app} AND a.key = ${action}`,
    options,
  )

/** Lists the actions in the current deployment of the app. */
export const listCurrentActions = (
  db: Database,
  ws: string,
  app: string,
): Promise<readonly CurrentAction[]> =>
  currentActionRow.all(
    db,
    sql`${CURRENT_ACTION} WHERE apps.ws = ${ws} AND apps.key = ${app} ORDER BY a.key`,
  )

/** Inserts an app without code [functions 13.5]. Changes no row when the key is taken, or a deleted app has left schedules. */
export const insertEmptyApp = (ws: string, key: string, name: string): Statement =>
  sql`INSERT INTO apps (ws, key, name, created_at, updated_at)
    SELECT ${ws}, ${key}, ${name}, ${SQL_NOW}, ${SQL_NOW} WHERE NOT ${hasLeftSchedules({ ws, app: key })}
    ON CONFLICT DO NOTHING`

export type DeployedApp = Readonly<{
  ws: string
  key: string
  name: string
  deploymentId: string
  gitSourceId: string | null
  /** The app and the branch that a new preview app shows. */
  preview?: Preview
}>

export type Preview = Readonly<{ of: string; branch: string }>

/**
 * Makes an inserted deployment the current one. Inserts the app if it is new. A deployment without a git source leaves the
 * app's git source as it is. A repetition does not overwrite later deployments.
 * @param replaces the deployment that must be current; null if the app must have none
 */
export const upsertDeployedApp = (app: DeployedApp, replaces: string | null): Statement =>
  sql`INSERT INTO apps (ws, key, name, deployment_id, git_source_id, preview_of, preview_branch, created_at, updated_at)
    SELECT ${app.ws}, ${app.key}, ${app.name}, d.id, ${app.gitSourceId}, ${app.preview?.of ?? null},
      ${app.preview?.branch ?? null}, ${SQL_NOW}, ${SQL_NOW}
    FROM deployments d WHERE d.id = ${app.deploymentId}
    ON CONFLICT (ws, key) DO UPDATE SET name = excluded.name,
      deployment_id = excluded.deployment_id,
      git_source_id = COALESCE(excluded.git_source_id, apps.git_source_id),
      updated_at = excluded.updated_at
    WHERE apps.deployment_id IS ${replaces}`

/** Lists the previews of an app. */
export const listPreviews = (db: Database, ws: string, of: string): Promise<readonly App[]> =>
  appRow.all(db, sql`${APP} WHERE apps.ws = ${ws} AND apps.preview_of = ${of} ORDER BY apps.key`)

/** Detaches the apps of a git source that is deleted, so that another source may deploy them. */
export const releaseApps = (ws: string, gitSourceId: string): Statement =>
  sql`UPDATE apps SET git_source_id = NULL WHERE ws = ${ws} AND git_source_id = ${gitSourceId}`

/** Deletes the app. Queued and running jobs keep what they pinned; deployments stay as history. */
export const deleteApp = (ws: string, key: string): Statement =>
  sql`DELETE FROM apps WHERE ws = ${ws} AND key = ${key}`

/**
 * Deletes what belongs to an app, including its grants: an app created later under the same key is a different app. Its state and
 * deliveries may be large, so the sweep deletes them, and its schedules many, so further writes delete the rest (left-rows.ts).
 */
export const deleteAppRest = (ws: string, key: string): readonly Statement[] => [
  sql`DELETE FROM action_overrides WHERE ws = ${ws} AND app = ${key}`,
  deleteGrants({ ws, app: key }),
  deleteSomeSchedules({ ws, app: key }),
  ...deleteFunctionsOfApp(ws, key),
  ...deleteRepositoryOfApp(ws, key),
]
