/** Inserts the rows of a copy into a database while the import holds the workspace. Each statement may be repeated. */
import { bundleNotes } from '../apps/unused-bundles.ts'
import type { UnusedNotes } from '../apps/unused-notes.ts'
import { sourceNotes } from '../apps/unused-sources.ts'
import type { Reader, SqlValue, Statement } from '../database.ts'
import { exists } from '../row.ts'
import { allOf, join, raw, SQL_NOW, sql, TRUE, valueList } from '../sql.ts'
import { type HeldWorkspace, isHeldBy } from '../workspaces/held.ts'
import { type CopiedTable, copiedSchema, quoted } from './tables.ts'

/**
 * A condition: no rows belong to the row yet, such as the input of a job. Keys of jobs and runs begin with the workspace, but what
 * belongs to them has their id alone: with the id of another workspace's job, a file could have its input deleted.
 */
const hasNoChildren = (table: CopiedTable, row: readonly SqlValue[]): Statement =>
  allOf(
    ...copiedSchema()
      .tables.filter(({ parent }) => parent?.table.name === table.name)
      .map(({ name, parent }) => {
        const id = row[table.columns.indexOf(table.key[0] ?? '')] ?? null
        return sql`NOT EXISTS (SELECT 1 FROM ${raw(name)} WHERE ${quoted([parent?.column ?? ''])} = ${id})`
      }),
  )

/**
 * A condition: the row belongs to the workspace, so that a file never adds rows to another workspace. The row is the table
 * `given`. A row of a parent is looked up by its key, because the scope of its table would read all rows of the parent.
 */
const isOwn = ({ ws }: HeldWorkspace, table: CopiedTable, row: readonly SqlValue[]): Statement => {
  const { parent, columns, isShared, scope } = table
  if (isShared) return TRUE
  if (parent === null) return allOf(scope(ws), hasNoChildren(table, row))
  const { name, key, scope: scopeOfParent } = parent.table
  const id = row[columns.indexOf(parent.column)] ?? null
  return sql`EXISTS (SELECT 1 FROM ${raw(name)} WHERE ${scopeOfParent(ws)} AND ${quoted(key)} = ${id})`
}

const named = (columns: readonly string[], row: readonly SqlValue[]): Statement =>
  join(
    columns.map((column, at) => sql`${row[at] ?? null} AS ${quoted([column])}`),
    ', ',
  )

/** Contents that a sweep deletes when nothing refers to them. */
const NOTES: Readonly<Record<string, UnusedNotes>> = {
  bundles: bundleNotes,
  source_files: sourceNotes,
}

const renewNote = (
  { name, columns }: CopiedTable,
  row: readonly SqlValue[],
): readonly Statement[] => {
  const notes = NOTES[name]
  return notes === undefined ? [] : [notes.renew([String(row[columns.indexOf('hash')])])]
}

/**
 * Inserts a row. Inserts nothing if the import no longer holds the workspace or the row exists. A sweep that has begun leaves a
 * content that exists.
 */
export const insertCopiedRow = (
  held: HeldWorkspace,
  table: CopiedTable,
  row: readonly SqlValue[],
): readonly Statement[] => [
  ...renewNote(table, row),
  sql`INSERT INTO ${raw(table.name)} (${quoted(table.columns)})
    SELECT ${quoted(table.columns)} FROM (SELECT ${named(table.columns, row)}) given
    WHERE ${isHeldBy(held)} AND ${isOwn(held, table, row)} ON CONFLICT DO NOTHING`,
]

export type CopiedWorkspace = Readonly<{
  columns: readonly string[]
  row: readonly SqlValue[]
  /** The data key, wrapped by the instance key of this database. */
  wrappedKey: string
  /** The check value of that instance key. */
  keyCheck: string
}>

/** Inserts the workspace itself, unless the instance key has changed meanwhile. */
export const insertCopiedWorkspace = (
  held: HeldWorkspace,
  { columns, row, wrappedKey, keyCheck }: CopiedWorkspace,
): Statement =>
  sql`INSERT INTO workspaces (${quoted(columns)}, wrapped_key) SELECT ${valueList(row)}, ${wrappedKey}
    WHERE ${isHeldBy(held)}
      AND EXISTS (SELECT 1 FROM meta WHERE key = 'instance_key_check' AND value = ${keyCheck})
    ON CONFLICT DO NOTHING`

/** Sets the notification rules. It runs last, because inserted rows must not be reported. @param rules JSON */
export const setNotifyRules = (held: HeldWorkspace, rules: SqlValue): Statement =>
  sql`UPDATE workspaces SET notify = ${rules} WHERE id = ${held.ws} AND ${isHeldBy(held)}`

/**
 * Makes the apps the last to have had functions, so that none takes the host below SVC_APPS_DOMAIN of an app that is served
 * here. It runs last, because the inserted rows are compared with the file before.
 */
export const restartFunctionsSince = (held: HeldWorkspace): Statement =>
  sql`UPDATE apps SET functions_since = ${SQL_NOW}
    WHERE ws = ${held.ws} AND functions_since IS NOT NULL AND ${isHeldBy(held)}`

/**
 * Revokes tokens whose owner is a super admin of this instance: a file must not bring a credential that grants more than access
 * to its own workspace.
 */
export const revokeTokensOfSuperAdmins = (held: HeldWorkspace): Statement =>
  sql`UPDATE tokens SET revoked_at = ${SQL_NOW}
    WHERE ws = ${held.ws} AND revoked_at IS NULL AND ${isHeldBy(held)}
      AND email IN (SELECT email FROM users WHERE super_admin = 1)`

/** Columns that name a row of the same workspace without a foreign key, and the tables that may have the row. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  deployment_id: ['deployments'],
  redeployed_from: ['deployments'],
  git_source_id: ['git_sources'],
  consumer_id: ['consumers'],
  customer_id: ['consumers'],
  // what ends under such a name continues the job or run, or gives it an event
  flow_run_id: ['flow_runs'],
  parent_run_id: ['flow_runs'],
  called_by: ['jobs'],
  canceled_with: ['jobs'],
  owner_id: ['jobs', 'flow_runs'],
}

/**
 * Returns whether a column of the workspace's rows names a row of another workspace. Jobs and runs are found by workspace and id, so
 * it looks in each workspace, for rows that name none of their own.
 */
const namesForeignRow = (
  db: Pick<Reader, 'one'>,
  { name, scope }: CopiedTable,
  { column, named }: Readonly<{ column: string; named: string }>,
  ws: string,
): Promise<boolean> => {
  const isNamed = sql`named.id = child.${raw(column)}`
  return exists(
    db,
    sql`SELECT 1 FROM ${raw(name)} child WHERE ${scope(ws)} AND child.${raw(column)} IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM ${raw(named)} named WHERE named.ws = ${ws} AND ${isNamed})
      AND EXISTS (SELECT 1 FROM workspaces w CROSS JOIN ${raw(named)} named ON named.ws = w.id AND ${isNamed}
        WHERE w.id <> ${ws})
      LIMIT 1`,
  )
}

/** Returns the first column of a table that names a row of another workspace for a row of this one, or null. @throws {DatabaseError} */
export const findForeignName = async (
  db: Pick<Reader, 'one'>,
  table: CopiedTable,
  ws: string,
): Promise<string | null> => {
  // rows of a parent were inserted only if the parent is the workspace's
  const columns = table.parent === null ? table.columns : []
  for (const column of columns) {
    for (const named of NAMED[column] ?? []) {
      if (await namesForeignRow(db, table, { column, named }, ws)) return `${table.name}.${column}`
    }
  }
  return null
}

/** Returns the first foreign key of a table that refers to no row for a row of the workspace, or null. @throws {DatabaseError} */
export const findBrokenReference = async (
  db: Pick<Reader, 'one'>,
  table: CopiedTable,
  ws: string,
): Promise<string | null> => {
  for (const { column, table: parent, to } of table.references) {
    const isBroken = await exists(
      db,
      sql`SELECT 1 FROM ${raw(table.name)} child WHERE ${table.scope(ws)} AND child.${raw(column)} IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM ${raw(parent)} parent WHERE parent.${raw(to)} = child.${raw(column)}) LIMIT 1`,
    )
    if (isBroken) return `${table.name}.${column}`
  }
  return null
}
