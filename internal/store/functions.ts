/** Functions of apps as they are deployed now. */
import type { FunctionDefinition } from '#core/function/definition.ts'
import { deleteHostsOfApp, type HostedApp } from './app-hosts.ts'
import { asNumber, asText } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

export type AppFunction = Readonly<{
  ws: string
  app: string
  name: string
  hash: string
  bundleHash: string
  definition: FunctionDefinition
  entrypoint: string
  deployedBy: string
  deployedAt: number
}>

const COLUMNS =
  'f.ws, f.app, f.name, f.hash, f.bundle_hash, f.definition, f.entrypoint, f.deployed_by, f.deployed_at'

const toFunction = (row: Row): AppFunction => ({
  ws: asText(row.ws),
  app: asText(row.app),
  name: asText(row.name),
  hash: asText(row.hash),
  bundleHash: asText(row.bundle_hash),
  definition: JSON.parse(asText(row.definition)),
  entrypoint: asText(row.entrypoint),
  deployedBy: asText(row.deployed_by),
  deployedAt: asNumber(row.deployed_at),
})

/** With its files as JSON, `{path: base64}`, and the hashes of what it shares with its app, `{path: hash}`. */
export type FunctionWithFiles = AppFunction & Readonly<{ filesJson: string; sharedJson: string }>

/** By name. */
export const listFunctions = async (
  db: Database,
  ws: string,
  app: string,
): Promise<readonly FunctionWithFiles[]> => {
  const rows = await db.all(
    sql(
      `SELECT ${COLUMNS}, f.files, f.shared FROM app_functions f WHERE f.ws = ? AND f.app = ? ORDER BY f.name`,
      ws,
      app,
    ),
  )
  return rows.map((row) => ({
    ...toFunction(row),
    filesJson: asText(row.files),
    sharedJson: asText(row.shared),
  }))
}

/** Hashes by name. */
export const listFunctionHashes = async (
  db: Database,
  ws: string,
  app: string,
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.all(
    sql('SELECT name, hash FROM app_functions WHERE ws = ? AND app = ?', ws, app),
  )
  return new Map(rows.map((row) => [asText(row.name), asText(row.hash)]))
}

/** What a call needs, in one read: the function, and the workspace's secrets as they are now. */
export type CallableFunction = AppFunction &
  Readonly<{ wrappedKey: string; variablesJson: string; resourcesJson: string }>

export const findCallableFunction = async (
  db: Database,
  { ws, app, name }: Readonly<{ ws: string; app: string; name: string }>,
): Promise<CallableFunction | null> => {
  const row = await db.one(
    sql(
      `SELECT ${COLUMNS}, w.wrapped_key,
         (SELECT json_group_array(json_array(key, value)) FROM variables v WHERE v.ws = f.ws) AS variables,
         (SELECT json_group_array(json_array(key, value)) FROM resources r WHERE r.ws = f.ws) AS resources
       FROM app_functions f JOIN workspaces w ON w.id = f.ws
       WHERE f.ws = ? AND f.app = ? AND f.name = ?`,
      ws,
      app,
      name,
    ),
  )
  if (row === null) return null
  return {
    ...toFunction(row),
    wrappedKey: asText(row.wrapped_key),
    variablesJson: asText(row.variables),
    resourcesJson: asText(row.resources),
  }
}

export type NewFunction = Omit<AppFunction, 'deployedAt'> &
  Readonly<{
    filesJson: string
    /** Hashes of the files outside its folder, by path. */
    sharedJson: string
  }>

/** Inserts nothing when the app is gone. */
export const upsertFunction = (made: NewFunction): Statement =>
  sql(
    `INSERT INTO app_functions
       (ws, app, name, hash, bundle_hash, definition, files, shared, entrypoint, deployed_by, deployed_at)
     SELECT apps.ws, apps.key, ?, ?, ?, ?, ?, ?, ?, ?, ${SQL_NOW} FROM apps WHERE apps.ws = ? AND apps.key = ?
     ON CONFLICT (ws, app, name) DO UPDATE SET hash = excluded.hash, bundle_hash = excluded.bundle_hash,
       definition = excluded.definition, files = excluded.files, shared = excluded.shared, entrypoint = excluded.entrypoint,
       deployed_by = excluded.deployed_by, deployed_at = excluded.deployed_at`,
    made.name,
    made.hash,
    made.bundleHash,
    JSON.stringify(made.definition),
    made.filesJson,
    made.sharedJson,
    made.entrypoint,
    made.deployedBy,
    made.ws,
    made.app,
  )

/** Those that a deployment of the whole app does not hold any more. */
export const deleteOtherFunctions = (
  ws: string,
  app: string,
  names: readonly string[],
): Statement =>
  sql(
    `DELETE FROM app_functions WHERE ws = ? AND app = ? AND name NOT IN (SELECT value FROM json_each(?))`,
    ws,
    app,
    JSON.stringify(names),
  )

export const deleteFunctionsOfApp = (ws: string, app: string): readonly Statement[] => [
  sql('DELETE FROM app_functions WHERE ws = ? AND app = ?', ws, app),
  deleteHostsOfApp(ws, app),
]

/** Apps of this key, with functions, in any workspace; the one that has had them longest is first. */
export const listAppsByKey = async (db: Database, app: string): Promise<readonly HostedApp[]> => {
  const rows = await db.all(
    sql(
      `SELECT DISTINCT f.ws, f.app, a.functions_since FROM app_functions f
       JOIN apps a ON a.ws = f.ws AND a.key = f.app
       WHERE f.app = ? ORDER BY a.functions_since, f.ws LIMIT 20`,
      app,
    ),
  )
  return rows.map((row) => ({ ws: asText(row.ws), app: asText(row.app) }))
}
