/** Rows of apps as a release before migration 64 made them, for tests of what belongs to an app. */
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'

/** The writer of state in such an app. */
export const OLD_APP = { creationId: null } as const

/** Inserts the apps, and the workspace unless it is there. */
export const insertApps = async (
  db: Database,
  ws: string,
  keys: readonly string[],
): Promise<void> => {
  await db.write([
    sql`INSERT INTO workspaces (id, name, wrapped_key, created_at) VALUES (${ws}, ${ws}, '', 0)
      ON CONFLICT DO NOTHING`,
    sql`INSERT INTO apps (ws, key, name, created_at, updated_at)
      SELECT ${ws}, value, value, 0, 0 FROM json_each(${JSON.stringify(keys)})`,
    sql`UPDATE apps SET creation_id = NULL WHERE ws = ${ws}`,
  ])
}
