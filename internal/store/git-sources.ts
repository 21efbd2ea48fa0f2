/** Where apps come from. Credentials stand encrypted and are never listed. */
import { asNumber, asNumberOrNull, asText, asTextOrNull } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

export type GitSource = Readonly<{
  id: string
  ws: string
  name: string
  url: string
  branch: string | null
  path: string
  authCiphertext: string | null
  autoSyncS: number | null
  lastCommit: string | null
  lastSyncAt: number | null
  lastError: string | null
  createdBy: string
  createdAt: number
}>

const COLUMNS = `id, ws, name, url, branch, path, auth, auto_sync_s, last_commit, last_sync_at,
  last_error, created_by, created_at`

const toGitSource = (row: Row): GitSource => ({
  id: asText(row.id),
  ws: asText(row.ws),
  name: asText(row.name),
  url: asText(row.url),
  branch: asTextOrNull(row.branch),
  path: asText(row.path),
  authCiphertext: asTextOrNull(row.auth),
  autoSyncS: asNumberOrNull(row.auto_sync_s),
  lastCommit: asTextOrNull(row.last_commit),
  lastSyncAt: asNumberOrNull(row.last_sync_at),
  lastError: asTextOrNull(row.last_error),
  createdBy: asText(row.created_by),
  createdAt: asNumber(row.created_at),
})

export const findGitSource = async (
  db: Database,
  ws: string,
  id: string,
): Promise<GitSource | null> => {
  const row = await db.one(
    sql(`SELECT ${COLUMNS} FROM git_sources WHERE ws = ? AND id = ?`, ws, id),
  )
  return row === null ? null : toGitSource(row)
}

/** Newest first. */
export const listGitSources = async (
  db: Database,
  ws: string,
  { beforeId, limit }: Readonly<{ beforeId: string | null; limit: number }>,
): Promise<readonly GitSource[]> => {
  const rows = await db.all(
    sql(
      `SELECT ${COLUMNS} FROM git_sources WHERE ws = ? AND (? IS NULL OR id < ?)
       ORDER BY id DESC LIMIT ?`,
      ws,
      beforeId,
      beforeId,
      limit,
    ),
  )
  return rows.map(toGitSource)
}

export type NewGitSource = Pick<
  GitSource,
  'id' | 'ws' | 'name' | 'url' | 'branch' | 'path' | 'authCiphertext' | 'autoSyncS' | 'createdBy'
>

/** Inserts, or replaces what a person may change. */
export const upsertGitSource = (source: NewGitSource): Statement =>
  sql(
    `INSERT INTO git_sources (id, ws, name, url, branch, path, auth, auto_sync_s, created_by, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ${SQL_NOW})
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, url = excluded.url,
       branch = excluded.branch, path = excluded.path, auth = excluded.auth,
       auto_sync_s = excluded.auto_sync_s
     WHERE git_sources.ws = excluded.ws`,
    source.id,
    source.ws,
    source.name,
    source.url,
    source.branch,
    source.path,
    source.authCiphertext,
    source.autoSyncS,
    source.createdBy,
  )

export const deleteGitSource = (ws: string, id: string): Statement =>
  sql('DELETE FROM git_sources WHERE ws = ? AND id = ?', ws, id)

export type SyncRecord = Readonly<{
  ws: string
  id: string
  commit: string | null
  error: string | null
}>

/** The last good commit stays when a sync fails. */
export const updateGitSync = ({ ws, id, commit, error }: SyncRecord): Statement =>
  sql(
    `UPDATE git_sources SET last_commit = COALESCE(?, last_commit), last_sync_at = ${SQL_NOW},
       last_error = ?
     WHERE ws = ? AND id = ?`,
    commit,
    error,
    ws,
    id,
  )

/** Sources whose `auto_sync_s` has passed since their last sync, the longest overdue first. */
export const listDueGitSources = async (
  db: Database,
  limit: number,
): Promise<readonly GitSource[]> => {
  const rows = await db.all(
    sql(
      `SELECT ${COLUMNS} FROM git_sources
       WHERE auto_sync_s IS NOT NULL
         AND COALESCE(last_sync_at, created_at) + auto_sync_s * 1000 <= ${SQL_NOW}
       ORDER BY COALESCE(last_sync_at, created_at) LIMIT ?`,
      limit,
    ),
  )
  return rows.map(toGitSource)
}

/** One of several nodes gets it: `changes` is 1 for that one. */
export const claimGitSync = ({ ws, id, lastSyncAt }: GitSource): Statement =>
  sql(
    `UPDATE git_sources SET last_sync_at = ${SQL_NOW} WHERE ws = ? AND id = ? AND last_sync_at IS ?`,
    ws,
    id,
    lastSyncAt,
  )
