/** Names of deployed apps, actions and functions. It reads only what is deployed, never the queue. */
import { NAME_KINDS } from '#core/deploy/names.ts'
import type { Database, Statement } from '../database.ts'
import { oneOf, type RowOf, row, text } from '../row.ts'
import { sql } from '../sql.ts'
import { appRanges, type InRange } from './app-ranges.ts'

const nameRow = row({
  kind: oneOf(NAME_KINDS),
  app: text,
  /** For an app, the same as `app`. */
  key: text,
})
export type DeployedName = RowOf<typeof nameRow>

export type NameSearch = Readonly<{ ws: string; text: string; limit: number }>

type Names = (ws: string, inRange: InRange) => Statement

/** The names of each kind by app, in the order in which they are found. */
const NAMES: readonly Names[] = [
  (ws, inRange) => sql`SELECT 'app' AS kind, key AS app, key, key AS path FROM apps
    WHERE ws = ${ws} AND ${inRange('key')}`,
  (
    ws,
    inRange,
  ) => sql`SELECT 'action' AS kind, apps.key AS app, a.key, apps.key || '/' || a.key AS path FROM apps
    JOIN deployment_actions a ON a.deployment_id = apps.deployment_id WHERE apps.ws = ${ws} AND ${inRange('apps.key')}`,
  (
    ws,
    inRange,
  ) => sql`SELECT 'function' AS kind, app, name AS key, app || '/' || name AS path FROM app_functions
    WHERE ws = ${ws} AND ${inRange('app')}`,
]

/** Finds names whose `app/key` contains the text, ignoring the case of ASCII letters; apps first, then by name [functions 13.8]. */
export const findNames = async (
  db: Database,
  { ws, text: wanted, limit }: NameSearch,
): Promise<readonly DeployedName[]> => {
  const found: DeployedName[] = []
  for (const names of NAMES) {
    for await (const inRange of appRanges(db, ws)) {
      const more = await nameRow.all(
        db,
        sql`SELECT kind, app, key FROM (${names(ws, inRange)})
          WHERE instr(lower(path), lower(${wanted})) > 0 ORDER BY app, key LIMIT ${limit - found.length}`,
      )
      found.push(...more)
      if (found.length === limit) return found
    }
  }
  return found
}
