/** Versions of functions that nothing can restore: their app does not run them, and no deployment recorded them. */
import type { AppAddress } from '#core/app-address.ts'
import type { Reader, Statement } from '../database.ts'
import { parsed, type RowOf, row, text } from '../row.ts'
import { sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'
import { bundleNotes } from './unused-bundles.ts'
import { sourceNotes } from './unused-sources.ts'

const isRunning = sql`EXISTS (SELECT 1 FROM app_functions f
  WHERE f.ws = v.ws AND f.app = v.app AND f.name = v.name AND f.hash = v.hash)`

/** Lists the apps of a workspace that have versions which they do not run. */
export const listAppsWithVersions = (db: Reader, ws: string): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT DISTINCT app FROM app_function_versions v WHERE ws = ${ws} AND NOT ${isRunning} ORDER BY app`,
  )

const versionRow = row({ name: text, hash: text })
export type FunctionVersion = RowOf<typeof versionRow>

/** Lists the versions of an app that it does not run. */
export const listFormerVersions = (
  db: Reader,
  { ws, app }: AppAddress,
): Promise<readonly FunctionVersion[]> =>
  versionRow.all(
    db,
    sql`SELECT ${versionRow.columns('v')} FROM app_function_versions v
      WHERE v.ws = ${ws} AND v.app = ${app} AND NOT ${isRunning} ORDER BY v.name, v.hash`,
  )

const recordedRow = row({
  id: text,
  functions: parsed((json): Readonly<Record<string, string>> => JSON.parse(json)).nullable(
    sql`CASE WHEN json_valid(functions) THEN functions END`,
  ),
})

/** Lists the functions that deployments of an app recorded, hashes by name, oldest deployment first. */
export const listRecordedFunctions = (
  db: Reader,
  { ws, app }: AppAddress,
  { after, limit }: Readonly<{ after: string; limit: number }>,
): Promise<readonly RowOf<typeof recordedRow>[]> =>
  recordedRow.all(
    db,
    sql`SELECT ${recordedRow.columns()} FROM deployments INDEXED BY deployments_by_app
      WHERE ws = ${ws} AND app = ${app} AND id > ${after} ORDER BY id LIMIT ${limit}`,
  )

export type VersionToDelete = AppAddress &
  FunctionVersion &
  Readonly<{
    /** The newest deployment of the app that was read, or an empty text. */
    newestId: string
  }>

/**
 * Deletes a version and notes what it referred to. Does nothing if the app runs it by now, or was deployed after the last deployment
 * that was read.
 */
export const deleteVersion = ({
  ws,
  app,
  name,
  hash,
  newestId,
}: VersionToDelete): readonly Statement[] => {
  const own = sql`FROM app_function_versions AS v
    WHERE v.ws = ${ws} AND v.app = ${app} AND v.name = ${name} AND v.hash = ${hash} AND NOT ${isRunning}
      AND ${isNotHeld('v.ws')}
      AND NOT EXISTS (SELECT 1 FROM deployments d WHERE d.ws = v.ws AND d.app = v.app AND d.id > ${newestId})`
  // only nodes of the previous release read this row
  const ofNoApp = sql`FROM function_versions AS v WHERE v.name = ${name} AND v.hash = ${hash}
    AND NOT EXISTS (SELECT 1 FROM app_function_versions a WHERE a.name = v.name AND a.hash = v.hash)`
  return [...deleteWithNotes(own), ...deleteWithNotes(ofNoApp)]
}

const deleteWithNotes = (rows: Statement): readonly Statement[] => [
  bundleNotes.noteSelected(sql`SELECT bundle_hash ${rows}`),
  sourceNotes.noteSelected(
    sql`SELECT e.value FROM (SELECT v.shared AS shared ${rows}) s,
      json_each(CASE WHEN json_valid(s.shared) THEN s.shared END) e`,
  ),
  sql`DELETE ${rows}`,
]
