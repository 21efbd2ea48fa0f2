/** Git sources of apps. Credentials are stored encrypted and never listed. */
import type { Database, Statement } from '../database.ts'
import { number, type RowOf, row, text, time } from '../row.ts'
import { type IdPage, isBehind } from '../search.ts'
import { listed, SQL_NOW, sql, TRUE } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'

const gitSourceRow = row({
  id: text,
  ws: text,
  name: text,
  url: text,
  branch: text.nullable,
  path: text,
  authCiphertext: text.nullable('auth'),
  autoSyncS: number.nullable,
  lastCommit: text.nullable,
  lastSyncAt: time.nullable,
  lastError: text.nullable,
  createdBy: text,
  createdAt: time,
})
export type GitSource = RowOf<typeof gitSourceRow>

/** Finds a git source of the workspace. Its credential remains encrypted. */
export const findGitSource = (db: Database, ws: string, id: string): Promise<GitSource | null> =>
  gitSourceRow.one(
    db,
    sql`SELECT ${gitSourceRow.columns()} FROM git_sources WHERE ws = ${ws} AND id = ${id}`,
  )

/** Lists the git sources of a workspace, newest first. */
export const listGitSources = (
  db: Database,
  ws: string,
  { beforeId, limit }: IdPage,
): Promise<readonly GitSource[]> =>
  gitSourceRow.all(
    db,
    sql`SELECT ${gitSourceRow.columns()} FROM git_sources WHERE ws = ${ws}
      AND ${isBehind('id', beforeId)}
      ORDER BY id DESC LIMIT ${limit}`,
  )

export type NewGitSource = Pick<
  GitSource,
  'id' | 'ws' | 'name' | 'url' | 'branch' | 'path' | 'authCiphertext' | 'autoSyncS' | 'createdBy'
>

/** Inserts a git source. Running it twice inserts once. */
export const insertGitSource = (source: NewGitSource): Statement =>
  sql`INSERT INTO git_sources (id, ws, name, url, branch, path, auth, auto_sync_s, created_by, created_at)
    VALUES (${source.id}, ${source.ws}, ${source.name}, ${source.url}, ${source.branch}, ${source.path},
      ${source.authCiphertext}, ${source.autoSyncS}, ${source.createdBy}, ${SQL_NOW})
    ON CONFLICT (id) DO NOTHING`

type GitSourceFields = Omit<NewGitSource, 'createdBy'>

const fieldsOf = (source: GitSourceFields): Statement =>
  sql`(${source.name}, ${source.url}, ${source.branch}, ${source.path}, ${source.authCiphertext}, ${source.autoSyncS})`

/** Selects what the version of a git source stands for. */
export const gitSourceContent = (ws: string, id: string): Statement =>
  sql`SELECT json_array(name, url, branch, path, auth, auto_sync_s) FROM git_sources
    WHERE ws = ${ws} AND id = ${id}`

/** Replaces the fields that a user may change. Changes no row if they are no longer those of `before`. */
export const updateGitSource = (source: GitSourceFields, before: GitSourceFields): Statement =>
  sql`UPDATE git_sources SET (name, url, branch, path, auth, auto_sync_s) = ${fieldsOf(source)}
    WHERE ws = ${source.ws} AND id = ${source.id}
      AND (name, url, branch, path, auth, auto_sync_s) IS ${fieldsOf(before)}`

/** Deletes a git source. Its apps remain. */
export const deleteGitSource = (ws: string, id: string): Statement =>
  sql`DELETE FROM git_sources WHERE ws = ${ws} AND id = ${id}`

/** A condition: the source still fetches from the same place, and this is its last commit. */
const isAt = ({ ws, id, url, branch, path }: GitSource, commit: string | null): Statement =>
  sql`ws = ${ws} AND id = ${id} AND (url, branch, path, last_commit) IS (${url}, ${branch}, ${path}, ${commit})`

export type SyncRecord = Readonly<{
  /** The source as it was before its fetch. */
  source: GitSource
  commit: string | null
  error: string | null
}>

/**
 * Records a sync, unless another one has recorded a commit since the source was read, or the source was changed. A failed sync
 * keeps the last good commit.
 * @param guard a condition
 */
export const updateGitSync = (
  { source, commit, error }: SyncRecord,
  guard: Statement = TRUE,
): Statement =>
  sql`UPDATE git_sources SET last_commit = COALESCE(${commit}, last_commit), last_sync_at = ${SQL_NOW},
      last_error = ${error}
    WHERE ${isAt(source, source.lastCommit)} AND ${guard}`

/** A condition: this commit is the last that was recorded for the source, which was not changed since it was read. */
export const hasSynced = (source: GitSource, commit: string): Statement =>
  sql`EXISTS (SELECT 1 FROM git_sources WHERE ${isAt(source, commit)})`

type LeftOut = Readonly<{ workspaces: readonly string[]; ids: readonly string[] }>

/** Lists sources whose `auto_sync_s` has passed since their last sync, the longest overdue of each workspace in turn. */
export const listDueGitSources = (
  db: Database,
  limit: number,
  except: LeftOut = { workspaces: [], ids: [] },
): Promise<readonly GitSource[]> =>
  gitSourceRow.all(
    db,
    sql`SELECT ${gitSourceRow.columns()} FROM git_sources
      WHERE auto_sync_s IS NOT NULL AND ${isNotHeld('ws')}
        AND ws NOT IN ${listed(except.workspaces)}
        AND id NOT IN ${listed(except.ids)}
        AND COALESCE(last_sync_at, created_at) + auto_sync_s * 1000 <= ${SQL_NOW}
      ORDER BY row_number() OVER (PARTITION BY ws ORDER BY COALESCE(last_sync_at, created_at)),
        COALESCE(last_sync_at, created_at) LIMIT ${limit}`,
  )

/** Claims an automatic sync for one of several nodes. `changes` is 1 for the node that gets it. */
export const claimGitSync = ({ ws, id, lastSyncAt }: GitSource): Statement =>
  sql`UPDATE git_sources SET last_sync_at = ${SQL_NOW} WHERE ws = ${ws} AND id = ${id}
    AND last_sync_at IS ${lastSyncAt}`
