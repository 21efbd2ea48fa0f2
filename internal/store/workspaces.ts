import { z } from 'zod'
import { asNumber, asNumberOrNull, asText, asTextOrNull } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

export type Workspace = Readonly<{
  id: string
  name: string
  defaultTag: string
  /** `app/action` */
  errorHandler: string | null
  wrappedKey: string
  /** Since when its paid calls are refused. */
  suspendedAt: number | null
  /** Jobs that may run at once; null: as many as the instance says, 0: any number. */
  maxRunning: number | null
  /** Tags that its jobs may have; null: any. */
  allowedTags: readonly string[] | null
  createdAt: number
}>

const COLUMNS =
  'id, name, default_tag, error_handler, wrapped_key, suspended_at, max_running, allowed_tags, created_at'

const readTags = (json: string | null): readonly string[] | null =>
  json === null ? null : z.array(z.string()).parse(JSON.parse(json))

const toWorkspace = (row: Row): Workspace => ({
  id: asText(row.id),
  name: asText(row.name),
  defaultTag: asText(row.default_tag),
  errorHandler: asTextOrNull(row.error_handler),
  wrappedKey: asText(row.wrapped_key),
  suspendedAt: asNumberOrNull(row.suspended_at),
  maxRunning: asNumberOrNull(row.max_running),
  allowedTags: readTags(asTextOrNull(row.allowed_tags)),
  createdAt: asNumber(row.created_at),
})

export const findWorkspace = async (db: Database, ws: string): Promise<Workspace | null> => {
  const row = await db.one(sql(`SELECT ${COLUMNS} FROM workspaces WHERE id = ?`, ws))
  return row === null ? null : toWorkspace(row)
}

export const countWorkspaces = async (db: Database): Promise<number> =>
  asNumber((await db.one(sql('SELECT count(*) AS n FROM workspaces')))?.n)

/** A guard: there is no workspace yet. */
export const hasNoWorkspace: Statement = sql('NOT EXISTS (SELECT 1 FROM workspaces)')

export type NewWorkspace = Pick<Workspace, 'id' | 'name' | 'wrappedKey'> &
  Readonly<{
    /** Of the instance key that wrapped its data key. */
    keyCheck: string
  }>

/** Inserts nothing when the instance key is another by now: the data key would be lost. */
export const insertWorkspace = (workspace: NewWorkspace, guard: Statement = sql('1')): Statement =>
  sql(
    `INSERT INTO workspaces (id, name, wrapped_key, created_at)
     SELECT ?, ?, ?, ${SQL_NOW}
     WHERE EXISTS (SELECT 1 FROM meta WHERE key = 'instance_key_check' AND value = ?)
       AND ${guard.sql}
     ON CONFLICT DO NOTHING`,
    workspace.id,
    workspace.name,
    workspace.wrappedKey,
    workspace.keyCheck,
    ...guard.args,
  )

export const listWorkspaceIds = async (db: Database): Promise<readonly string[]> => {
  const rows = await db.all(sql('SELECT id FROM workspaces ORDER BY id'))
  return rows.map((row) => asText(row.id))
}

export type WorkspacePage = Readonly<{ afterId: string | null; limit: number }>

/** By id. */
export const listWorkspaces = async (
  db: Database,
  { afterId, limit }: WorkspacePage,
): Promise<readonly Workspace[]> => {
  const rows = await db.all(
    sql(`SELECT ${COLUMNS} FROM workspaces WHERE id > ? ORDER BY id LIMIT ?`, afterId ?? '', limit),
  )
  return rows.map(toWorkspace)
}

export type WorkspaceSettings = Pick<Workspace, 'id' | 'name' | 'defaultTag' | 'errorHandler'>

export const updateWorkspace = (settings: WorkspaceSettings): Statement =>
  sql(
    'UPDATE workspaces SET name = ?, default_tag = ?, error_handler = ? WHERE id = ?',
    settings.name,
    settings.defaultTag,
    settings.errorHandler,
    settings.id,
  )

/** Changes nothing where the limit is this one already. */
export const updateMaxRunning = (ws: string, maxRunning: number | null): Statement =>
  sql(
    'UPDATE workspaces SET max_running = ? WHERE id = ? AND max_running IS NOT ?',
    maxRunning,
    ws,
    maxRunning,
  )

/** @param tags null: any */
export const updateAllowedTags = (ws: string, tags: readonly string[] | null): Statement =>
  sql(
    'UPDATE workspaces SET allowed_tags = ? WHERE id = ?',
    tags === null ? null : JSON.stringify([...new Set(tags)]),
    ws,
  )

/** `app/action` of each of these workspaces that has one. */
export const listErrorHandlers = async (
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.all(
    sql(
      `SELECT id, error_handler FROM workspaces
       WHERE error_handler IS NOT NULL AND id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    ),
  )
  return new Map(rows.map((row) => [asText(row.id), asText(row.error_handler)]))
}
