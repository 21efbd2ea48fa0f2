/** The currently deployed functions of apps. */
import type { AppAddress } from '#core/app-address.ts'
import { type FunctionDefinition, storedFunction } from '#core/function/definition.ts'
import { writtenByNewer } from '#core/newer-svc.ts'
import { asText } from '../column.ts'
import type { Database, Statement } from '../database.ts'
import { number, parsed, type RowOf, row, text, time } from '../row.ts'
import { listed, SQL_NOW, sql, TRUE } from '../sql.ts'
import { isNotHeld, isNotImporting } from '../workspaces/held.ts'
import { deleteHostsOfApp } from './hosts.ts'

const parseDefinition = (json: string): FunctionDefinition => {
  const { success, data, error } = storedFunction.safeParse(JSON.parse(json))
  if (!success) throw writtenByNewer('A function of this app', error)
  return data
}

const appFunctionRow = row({
  ws: text,
  app: text,
  name: text,
  hash: text,
  bundleHash: text,
  definition: parsed(parseDefinition),
  entrypoint: text,
  deployedBy: text,
  deployedAt: time,
})
export type AppFunction = RowOf<typeof appFunctionRow>

const sizedFunctionRow = row({
  name: text,
  /** Bytes of the files' columns of `FunctionFiles`. */
  filesSize: number(sql`octet_length(f.files) + octet_length(f.shared)`),
})
export type SizedFunction = RowOf<typeof sizedFunctionRow>

/** Lists the names of an app's functions. */
export const listFunctions = (
  db: Database,
  ws: string,
  app: string,
): Promise<readonly SizedFunction[]> =>
  sizedFunctionRow.all(
    db,
    sql`SELECT ${sizedFunctionRow.columns('f')} FROM app_functions f WHERE f.ws = ${ws}
      AND f.app = ${app} ORDER BY f.name`,
  )

const functionFilesRow = row({
  ...appFunctionRow.fields,
  filesJson: text('files'),
  sharedJson: text('shared'),
})
/**
 * A function with its files: `{path: base64}`, by path in its folder; and `{path: hash}` of files that are kept among the sources, by
 * path in the app. The latter are those outside its folder, and its own files if they are large.
 */
export type FunctionFiles = RowOf<typeof functionFilesRow>

/** Returns some functions with their files. A function that was deleted meanwhile is left out. */
export const findFunctionFiles = (
  db: Database,
  { ws, app }: AppAddress,
  names: readonly string[],
): Promise<readonly FunctionFiles[]> =>
  functionFilesRow.all(
    db,
    sql`SELECT ${functionFilesRow.columns('f')} FROM app_functions f WHERE f.ws = ${ws} AND f.app = ${app}
      AND f.name IN ${listed(names)} ORDER BY f.name`,
  )

/** Returns the hashes of an app's functions by name. */
export const listFunctionHashes = async (
  db: Database,
  ws: string,
  app: string,
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.all(
    sql`SELECT name, hash FROM app_functions WHERE ws = ${ws} AND app = ${app}`,
  )
  return new Map(rows.map((row) => [asText(row.name), asText(row.hash)]))
}

const callableFunctionRow = row({
  ...appFunctionRow.fields,
  creationId: text.nullable(
    sql`(SELECT creation_id FROM apps WHERE apps.ws = f.ws AND apps.key = f.app)`,
  ),
  wrappedKey: text('w.wrapped_key'),
  variablesJson: text(
    sql`(SELECT json_group_array(json_array(key, value)) FROM variables v WHERE v.ws = f.ws)`,
  ),
  resourcesJson: text(
    sql`(SELECT json_group_array(json_array(key, value)) FROM resources r WHERE r.ws = f.ws)`,
  ),
})
/** What a call needs, in one read: the function and the workspace's current variables and resources. */
export type CallableFunction = RowOf<typeof callableFunctionRow>

/** Finds a function in the current deployment of the app. */
export const findCallableFunction = (
  db: Database,
  { ws, app, name }: Readonly<{ ws: string; app: string; name: string }>,
): Promise<CallableFunction | null> =>
  callableFunctionRow.one(
    db,
    sql`SELECT ${callableFunctionRow.columns('f')}
      FROM app_functions f JOIN workspaces w ON w.id = f.ws AND ${isNotHeld('w.id')}
      WHERE f.ws = ${ws} AND f.app = ${app} AND f.name = ${name}`,
    { reuse: true },
  )

export type NewFunction = Omit<AppFunction, 'deployedAt'> &
  Readonly<{
    /** As in `FunctionFiles`. */
    filesJson: string
    sharedJson: string
  }>

/** What follows the rows of an INSERT INTO app_functions: a function of the same name is replaced. */
export const REPLACE_FUNCTION = sql`ON CONFLICT (ws, app, name) DO UPDATE SET hash = excluded.hash,
  bundle_hash = excluded.bundle_hash, definition = excluded.definition, files = excluded.files, shared = excluded.shared,
  entrypoint = excluded.entrypoint, deployed_by = excluded.deployed_by, deployed_at = excluded.deployed_at`

/** Inserts or replaces a function. Does nothing if the app does not exist. @param guard a condition */
export const upsertFunction = (made: NewFunction, guard: Statement = TRUE): Statement =>
  sql`INSERT INTO app_functions
      (ws, app, name, hash, bundle_hash, definition, files, shared, entrypoint, deployed_by, deployed_at)
    SELECT apps.ws, apps.key, ${made.name}, ${made.hash}, ${made.bundleHash},
      ${JSON.stringify(made.definition)}, ${made.filesJson}, ${made.sharedJson}, ${made.entrypoint},
      ${made.deployedBy}, ${SQL_NOW} FROM apps WHERE apps.ws = ${made.ws} AND apps.key = ${made.app}
      AND ${guard}
    ${REPLACE_FUNCTION}`

/** Deletes the functions that a deployment of the whole app no longer has. @param guard a condition */
export const deleteOtherFunctions = (
  { ws, app }: AppAddress,
  names: readonly string[],
  guard: Statement,
): Statement =>
  sql`DELETE FROM app_functions WHERE ws = ${ws} AND app = ${app} AND ${guard}
    AND name NOT IN ${listed(names)}`

/** Deletes the functions of an app and the host names that it claims. */
export const deleteFunctionsOfApp = (ws: string, app: string): readonly Statement[] => [
  sql`DELETE FROM app_functions WHERE ws = ${ws} AND app = ${app}`,
  deleteHostsOfApp(ws, app),
]

const keyHolderRow = row({ ws: text('f.ws'), app: text('f.app'), since: time('a.functions_since') })
/** An app and the time since when it has had functions. */
export type KeyHolder = RowOf<typeof keyHolderRow>

/**
 * Finds the app of any workspace that has this key and functions: that of the preferred workspace, else the one that has had
 * functions longest.
 */
export const findKeyHolder = (
  db: Database,
  { app, preferredWs }: Readonly<{ app: string; preferredWs: string }>,
): Promise<KeyHolder | null> =>
  keyHolderRow.one(
    db,
    sql`SELECT ${keyHolderRow.columns()} FROM app_functions f
      JOIN apps a ON a.ws = f.ws AND a.key = f.app
      WHERE f.app = ${app} AND ${isNotImporting('f.ws')} ORDER BY f.ws <> ${preferredWs}, a.functions_since, f.ws LIMIT 1`,
  )
