/** Variables and resources of a workspace. Their values are stored encrypted (service/secrets/set-secret.ts). */
import type { Database, Statement } from './database.ts'
import { bool, type RowOf, row, text, time } from './row.ts'
import { isAsRead, type RowMatch } from './row-match.ts'
import { raw, SQL_NOW, sql } from './sql.ts'

const variableRow = row({
  key: text,
  ciphertext: text('value'),
  isSecret: bool('secret'),
  updatedBy: text,
  updatedAt: time,
})
export type Variable = RowOf<typeof variableRow>

/** Lists the variables of a workspace, by key. */
export const listVariables = (db: Database, ws: string): Promise<readonly Variable[]> =>
  variableRow.all(
    db,
    sql`SELECT ${variableRow.columns()} FROM variables WHERE ws = ${ws} ORDER BY key`,
  )

export type NewVariable = Readonly<{
  ws: string
  key: string
  ciphertext: string
  isSecret: boolean
  by: string
}>

/** Limits of all variables, or all resources, of a workspace. */
export type SecretBounds = Readonly<{
  count: number
  /** Bytes of their encrypted values. */
  bytes: number
}>

export type SecretTable = 'variables' | 'resources'
type SecretKey = Readonly<{ ws: string; key: string }>
type NewSecret = SecretKey & Readonly<{ ciphertext: string }>

/** A condition: the variable or resource is as the caller has read it. */
const isSecretAsRead = (table: SecretTable, { ws, key }: SecretKey, match: RowMatch): Statement =>
  isAsRead(sql`${raw(table)} WHERE ws = ${ws} AND key = ${key}`, match)

/** Reads `{is_read}`: whether the variable or resource is as the caller has read it. */
export const readIsSecretAsRead = (
  table: SecretTable,
  key: SecretKey,
  match: RowMatch,
): Statement => sql`SELECT ${isSecretAsRead(table, key, match)} AS is_read`

/** Whether the value fits into the bounds together with the values of the other keys. */
const fits = (
  table: SecretTable,
  { ws, key, ciphertext }: NewSecret,
  { count, bytes }: SecretBounds,
): Statement =>
  sql`(SELECT COUNT(*) < ${count} AND COALESCE(SUM(LENGTH(value)), 0) + ${ciphertext.length} <= ${bytes}
    FROM ${raw(table)} WHERE ws = ${ws} AND key <> ${key})`

/** Inserts or replaces a variable. Returns `{updated_at}`, or no row if it is not as the caller has read it or exceeds the bounds. */
export const upsertVariable = (
  variable: NewVariable,
  bounds: SecretBounds,
  match: RowMatch,
): Statement =>
  sql`INSERT INTO variables (ws, key, value, secret, updated_by, updated_at)
    SELECT ${variable.ws}, ${variable.key}, ${variable.ciphertext}, ${variable.isSecret}, ${variable.by}, ${SQL_NOW}
    WHERE ${fits('variables', variable, bounds)} AND ${isSecretAsRead('variables', variable, match)}
    ON CONFLICT (ws, key) DO UPDATE SET value = excluded.value, secret = excluded.secret,
      updated_by = excluded.updated_by, updated_at = max(excluded.updated_at, variables.updated_at + 1)
    RETURNING updated_at`

const resourceRow = row({
  key: text,
  type: text,
  ciphertext: text('value'),
  updatedBy: text,
  updatedAt: time,
})
export type Resource = RowOf<typeof resourceRow>

/** Lists the resources of a workspace, by key. */
export const listResources = (db: Database, ws: string): Promise<readonly Resource[]> =>
  resourceRow.all(
    db,
    sql`SELECT ${resourceRow.columns()} FROM resources WHERE ws = ${ws} ORDER BY key`,
  )

export type NewResource = Readonly<{
  ws: string
  key: string
  type: string
  ciphertext: string
  by: string
}>

/** Inserts or replaces a resource. Returns `{updated_at}`, or no row if it is not as the caller has read it or exceeds the bounds. */
export const upsertResource = (
  resource: NewResource,
  bounds: SecretBounds,
  match: RowMatch,
): Statement =>
  sql`INSERT INTO resources (ws, key, type, value, updated_by, updated_at)
    SELECT ${resource.ws}, ${resource.key}, ${resource.type}, ${resource.ciphertext}, ${resource.by}, ${SQL_NOW}
    WHERE ${fits('resources', resource, bounds)} AND ${isSecretAsRead('resources', resource, match)}
    ON CONFLICT (ws, key) DO UPDATE SET type = excluded.type, value = excluded.value,
      updated_by = excluded.updated_by, updated_at = max(excluded.updated_at, resources.updated_at + 1)
    RETURNING updated_at`

/** Deletes a variable or resource, if it is as the caller has read it. */
export const deleteSecret = (
  table: SecretTable,
  { ws, key }: SecretKey,
  match: RowMatch,
): Statement =>
  sql`DELETE FROM ${raw(table)} WHERE ws = ${ws} AND key = ${key}
    AND ${isSecretAsRead(table, { ws, key }, match)}`
