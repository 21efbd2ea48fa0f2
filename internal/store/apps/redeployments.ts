/** Former deployments that become current again. Their rows are copied, since deployments never change. */
import type { Database, Statement } from '../database.ts'
import { exists, parsed, row, text } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'
import { hasDeployment } from './apps.ts'
import { isNotExpired } from './expired-deployments.ts'
import { REPLACE_FUNCTION } from './functions.ts'

export type FormerDeployment = Readonly<{
  app: string
  name: string
  commit: string
  /** Hashes by name; null if the deployment did not change the app's functions, or if that is unknown. */
  functions: ReadonlyMap<string, string> | null
}>

const hashesByName = parsed((json): Readonly<Record<string, string>> => JSON.parse(json))

const formerRow = row({
  app: text,
  commit: text('commit_id'),
  name: text(sql`COALESCE(json_extract(manifest, '$.name'), app)`),
  functions: hashesByName.nullable,
})

/** Finds a deployment and what it recorded of the app's functions, or null. */
export const findFormerDeployment = async (
  db: Database,
  ws: string,
  id: string,
): Promise<FormerDeployment | null> => {
  const found = await formerRow.one(
    db,
    sql`SELECT ${formerRow.columns()} FROM deployments d WHERE ws = ${ws} AND id = ${id} AND ${isNotExpired('d')}`,
  )
  if (found === null) return null
  const { functions } = found
  return { ...found, functions: functions === null ? null : new Map(Object.entries(functions)) }
}

export type Redeployment = Readonly<{
  /** The id of the new deployment. */
  id: string
  ws: string
  app: string
  formerId: string
  message: string | null
  createdBy: string
}>

/**
 * Copies a deployment under a new id. Without a message, it keeps that of the former deployment.
 * Inserts nothing if the app's current deployment is not the one that the caller expects.
 */
export const insertRedeployment = (made: Redeployment, replaces: string | null): Statement =>
  sql`INSERT INTO deployments (id, ws, app, commit_id, source, git_source_id, message, manifest, created_by,
      created_at,
      redeployed_from, functions)
    SELECT ${made.id}, ws, app, commit_id, source, git_source_id, COALESCE(${made.message}, message),
      manifest, ${made.createdBy}, ${SQL_NOW}, id, functions
    FROM deployments AS former
    WHERE ws = ${made.ws} AND id = ${made.formerId} AND ${isNotExpired('former')}
    AND ${hasDeployment({ ws: made.ws, key: made.app }, replaces)}
    ON CONFLICT DO NOTHING`

/** Copies the actions. Inserts nothing if the deployment was not inserted. */
export const copyDeploymentActions = ({ id }: Pick<Redeployment, 'id'>): Statement =>
  sql`INSERT INTO deployment_actions (deployment_id, key, entrypoint, bundle_hash, definition)
    SELECT d.id, a.key, a.entrypoint, a.bundle_hash, a.definition
    FROM deployments d JOIN deployment_actions a ON a.deployment_id = d.redeployed_from
    WHERE d.id = ${id} ON CONFLICT DO NOTHING`

const CURRENT = sql`FROM deployments d JOIN apps ON apps.ws = d.ws AND apps.key = d.app AND apps.deployment_id = d.id`

/** Restores the functions that the deployment recorded, if it is current. Runs after `upsertDeployedApp` in the batch. */
export const restoreFunctions = ({
  id,
  ws,
  app,
  createdBy,
}: Redeployment): readonly Statement[] => [
  sql`INSERT INTO app_functions (ws, app, name, hash, bundle_hash, definition, files, shared, entrypoint,
      deployed_by, deployed_at)
    SELECT d.ws, d.app, v.name, v.hash, v.bundle_hash, v.definition, v.files, v.shared, v.entrypoint,
      ${createdBy}, ${SQL_NOW}
    ${CURRENT} JOIN json_each(d.functions) f
      JOIN app_function_versions v ON v.ws = d.ws AND v.app = d.app AND v.name = f.key AND v.hash = f.value
    WHERE d.id = ${id}
    ${REPLACE_FUNCTION}
    WHERE app_functions.hash <> excluded.hash`,
  sql`DELETE FROM app_functions WHERE ws = ${ws} AND app = ${app}
      AND EXISTS (SELECT 1 ${CURRENT} WHERE d.id = ${id} AND d.functions IS NOT NULL)
      AND name NOT IN (SELECT f.key FROM deployments d JOIN json_each(d.functions) f WHERE d.id = ${id})`,
]

/**
 * Keeps the versions of an app's functions for redeployments. Runs after the functions of a whole app were written. Nodes of the
 * previous release read `function_versions`. This code reads `app_function_versions`, which triggers fill unless the workspace is
 * held: a deployment that began before a move may end after the move has held it.
 */
export const keepFunctionVersions = (ws: string, app: string): readonly Statement[] => [
  sql`INSERT INTO function_versions (name, hash, bundle_hash, definition, files, shared, entrypoint)
    SELECT name, hash, bundle_hash, definition, files, shared, entrypoint FROM app_functions
    WHERE ws = ${ws} AND app = ${app}
    ON CONFLICT DO NOTHING`,
  sql`INSERT INTO app_function_versions (ws, app, name, hash, bundle_hash, definition, files, shared, entrypoint)
    SELECT ws, app, name, hash, bundle_hash, definition, files, shared, entrypoint FROM app_functions
    WHERE ws = ${ws} AND app = ${app} AND NOT ${isNotHeld('ws')}
    ON CONFLICT DO NOTHING`,
]

export type DeployedCommit = Readonly<{
  ws: string
  app: string
  commit: string
  gitSourceId: string
}>

/** Returns whether this commit was rolled back: it was deployed, and a former deployment has replaced it. */
export const wasRolledBack = (
  db: Database,
  { ws, app, commit, gitSourceId }: DeployedCommit,
): Promise<boolean> =>
  exists(
    db,
    sql`SELECT 1 FROM apps JOIN deployments now ON now.id = apps.deployment_id
      WHERE apps.ws = ${ws} AND apps.key = ${app} AND now.redeployed_from IS NOT NULL
      AND now.commit_id <> ${commit}
        AND EXISTS (SELECT 1 FROM deployments d
          WHERE d.ws = apps.ws AND d.app = apps.key AND d.commit_id = ${commit}
          AND d.git_source_id = ${gitSourceId})`,
  )
