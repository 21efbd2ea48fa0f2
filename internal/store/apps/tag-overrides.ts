/** Tags that replace those of the manifest. */
import type { Reader, Statement } from '../database.ts'
import { exists } from '../row.ts'
import { sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'

/** Makes an action run under another tag than that of its manifest. Changes no row if the app has no such action. */
export const upsertTagOverride = (
  ws: string,
  app: string,
  action: string,
  tag: string,
): Statement =>
  sql`INSERT INTO action_overrides (ws, app, action, tag) SELECT ${ws}, ${app}, ${action}, ${tag}
    WHERE EXISTS (SELECT 1 FROM apps JOIN deployment_actions a ON a.deployment_id = apps.deployment_id
      WHERE apps.ws = ${ws} AND apps.key = ${app} AND a.key = ${action})
    ON CONFLICT (ws, app, action) DO UPDATE SET tag = excluded.tag`

/** Makes the action run under its manifest's tag again. */
export const deleteTagOverride = (ws: string, app: string, action: string): Statement =>
  sql`DELETE FROM action_overrides WHERE ws = ${ws} AND app = ${app} AND action = ${action}`

/** Overrides of actions that no stored deployment has, which none can bring back. */
const unused = (ws: string): Statement =>
  sql`SELECT o.ws, o.app, o.action FROM action_overrides o WHERE o.ws = ${ws} AND ${isNotHeld('o.ws')}
    AND NOT EXISTS (SELECT 1 FROM deployments d INDEXED BY deployments_by_app
      JOIN deployment_actions a ON a.deployment_id = d.id AND a.key = o.action
      WHERE d.ws = o.ws AND d.app = o.app)`

/** Returns whether a workspace has overrides of actions that no stored deployment has. */
export const hasUnusedTagOverrides = (db: Reader, ws: string): Promise<boolean> =>
  exists(db, sql`${unused(ws)} LIMIT 1`)

/** Deletes up to `limit` overrides of actions that no stored deployment has. */
export const deleteUnusedTagOverrides = (ws: string, limit: number): Statement =>
  sql`DELETE FROM action_overrides WHERE (ws, app, action) IN (${unused(ws)} LIMIT ${limit})`
