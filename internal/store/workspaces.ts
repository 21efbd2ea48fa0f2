import { asNumber, asText } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

export type Workspace = Readonly<{
  id: string
  name: string
  defaultTag: string
  wrappedKey: string
}>

const toWorkspace = (row: Row): Workspace => ({
  id: asText(row.id),
  name: asText(row.name),
  defaultTag: asText(row.default_tag),
  wrappedKey: asText(row.wrapped_key),
})

export const findWorkspace = async (db: Database, ws: string): Promise<Workspace | null> => {
  const row = await db.one(
    sql('SELECT id, name, default_tag, wrapped_key FROM workspaces WHERE id = ?', ws),
  )
  return row === null ? null : toWorkspace(row)
}

export const countWorkspaces = async (db: Database): Promise<number> =>
  asNumber((await db.one(sql('SELECT count(*) AS n FROM workspaces')))?.n)

/** A guard: there is no workspace yet. */
export const hasNoWorkspace: Statement = sql('NOT EXISTS (SELECT 1 FROM workspaces)')

export const insertWorkspace = (
  workspace: Omit<Workspace, 'defaultTag'>,
  guard: Statement = sql('1'),
): Statement =>
  sql(
    `INSERT INTO workspaces (id, name, wrapped_key, created_at)
     SELECT ?, ?, ?, ${SQL_NOW} WHERE ${guard.sql} ON CONFLICT DO NOTHING`,
    workspace.id,
    workspace.name,
    workspace.wrappedKey,
    ...guard.args,
  )

export const listWorkspaceIds = async (db: Database): Promise<readonly string[]> => {
  const rows = await db.all(sql('SELECT id FROM workspaces ORDER BY id'))
  return rows.map((row) => asText(row.id))
}
