/** Variables and resources of a workspace; values stand encrypted (service/set-secret.ts). */
import { asNumber, asText } from './column.ts'
import { type Database, SQL_NOW, type Statement, sql } from './database.ts'

export type Variable = Readonly<{
  key: string
  ciphertext: string
  isSecret: boolean
  updatedBy: string
  updatedAt: number
}>

export const listVariables = async (db: Database, ws: string): Promise<readonly Variable[]> => {
  const rows = await db.all(
    sql(
      'SELECT key, value, secret, updated_by, updated_at FROM variables WHERE ws = ? ORDER BY key',
      ws,
    ),
  )
  return rows.map((row) => ({
    key: asText(row.key),
    ciphertext: asText(row.value),
    isSecret: asNumber(row.secret) === 1,
    updatedBy: asText(row.updated_by),
    updatedAt: asNumber(row.updated_at),
  }))
}

export type NewVariable = Readonly<{
  ws: string
  key: string
  ciphertext: string
  isSecret: boolean
  by: string
}>

export const upsertVariable = (variable: NewVariable): Statement =>
  sql(
    `INSERT INTO variables (ws, key, value, secret, updated_by, updated_at)
     VALUES (?, ?, ?, ?, ?, ${SQL_NOW})
     ON CONFLICT (ws, key) DO UPDATE SET value = excluded.value, secret = excluded.secret,
       updated_by = excluded.updated_by, updated_at = excluded.updated_at
     RETURNING updated_at`,
    variable.ws,
    variable.key,
    variable.ciphertext,
    variable.isSecret ? 1 : 0,
    variable.by,
  )

export const deleteVariable = (ws: string, key: string): Statement =>
  sql('DELETE FROM variables WHERE ws = ? AND key = ?', ws, key)

export type Resource = Readonly<{
  key: string
  type: string
  ciphertext: string
  updatedBy: string
  updatedAt: number
}>

export const listResources = async (db: Database, ws: string): Promise<readonly Resource[]> => {
  const rows = await db.all(
    sql(
      'SELECT key, type, value, updated_by, updated_at FROM resources WHERE ws = ? ORDER BY key',
      ws,
    ),
  )
  return rows.map((row) => ({
    key: asText(row.key),
    type: asText(row.type),
    ciphertext: asText(row.value),
    updatedBy: asText(row.updated_by),
    updatedAt: asNumber(row.updated_at),
  }))
}

export type NewResource = Readonly<{
  ws: string
  key: string
  type: string
  ciphertext: string
  by: string
}>

export const upsertResource = (resource: NewResource): Statement =>
  sql(
    `INSERT INTO resources (ws, key, type, value, updated_by, updated_at)
     VALUES (?, ?, ?, ?, ?, ${SQL_NOW})
     ON CONFLICT (ws, key) DO UPDATE SET type = excluded.type, value = excluded.value,
       updated_by = excluded.updated_by, updated_at = excluded.updated_at
     RETURNING updated_at`,
    resource.ws,
    resource.key,
    resource.type,
    resource.ciphertext,
    resource.by,
  )

export const deleteResource = (ws: string, key: string): Statement =>
  sql('DELETE FROM resources WHERE ws = ? AND key = ?', ws, key)
