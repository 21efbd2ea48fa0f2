import { asText } from './column.ts'
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

export const insertWorkspace = (workspace: Omit<Workspace, 'defaultTag'>): Statement =>
  sql(
    `INSERT INTO workspaces (id, name, wrapped_key, created_at) VALUES (?, ?, ?, ${SQL_NOW})
     ON CONFLICT DO NOTHING`,
    workspace.id,
    workspace.name,
    workspace.wrappedKey,
  )
