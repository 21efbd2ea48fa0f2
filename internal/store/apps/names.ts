/** Names of deployed apps, actions and functions. It reads only what is deployed, never the queue. */
import { NAME_KINDS } from '#core/deploy/names.ts'
import type { Database } from '../database.ts'
import { oneOf, type RowOf, row, text } from '../row.ts'
import { sql } from '../sql.ts'

const nameRow = row({
  kind: oneOf(NAME_KINDS),
  app: text,
  /** For an app, the same as `app`. */
  key: text,
})
export type DeployedName = RowOf<typeof nameRow>

export type NameSearch = Readonly<{ ws: string; text: string; limit: number }>

/** Finds names whose `app/key` contains the text, ignoring the case of ASCII letters; apps first, then by name [functions 13.8]. */
export const findNames = (
  db: Database,
  { ws, text: wanted, limit }: NameSearch,
): Promise<readonly DeployedName[]> =>
  nameRow.all(
    db,
    sql`SELECT kind, app, key FROM (
        SELECT 'app' AS kind, 0 AS place, key AS app, key AS key FROM apps WHERE ws = ${ws}
        UNION ALL
        SELECT 'action', 1, apps.key, a.key FROM apps
          JOIN deployment_actions a ON a.deployment_id = apps.deployment_id WHERE apps.ws = ${ws}
        UNION ALL
        SELECT 'function', 2, app, name FROM app_functions WHERE ws = ${ws})
      WHERE instr(lower(CASE kind WHEN 'app' THEN app ELSE app || '/' || key END), lower(${wanted})) > 0
      ORDER BY place, app, key LIMIT ${limit}`,
  )
