/** Workspaces and their settings. */
import { z } from 'zod'
import { type NotifyRule, notifyRule } from '#core/notify/rule.ts'
import { knownSections, type Section } from '#core/sections.ts'
import type { Database, Reader, ReadOptions, Row, Statement } from '../database.ts'
import { hasNoSuperAdmin } from '../people/users.ts'
import { count, number, parsed, type RowOf, readTexts, row, text, texts, time } from '../row.ts'
import type { NamePage } from '../search.ts'
import { listed, SQL_NOW, sql, TRUE } from '../sql.ts'
import { isNotInCell } from './cells.ts'
import { isNotHeld } from './held.ts'

const workspaceRow = row({
  id: text,
  name: text,
  defaultTag: text,
  /** In the form `app/action`. */
  errorHandler: text.nullable,
  wrappedKey: text,
  /** Since when the workspace's paid calls are refused. */
  suspendedAt: time.nullable,
  /** Limit of jobs that run at once; null for the limit of the instance, 0 for no limit. */
  maxRunning: number.nullable,
  /** Tags that its jobs may have; null for any. */
  allowedTags: texts.nullable,
  /** Private destinations that its jobs may reach in addition to those of the instance; null for none. */
  egressAllow: texts.nullable,
  /** Which events are reported to which targets. */
  notify: parsed((json): readonly NotifyRule[] => z.array(notifyRule).parse(JSON.parse(json)))(
    sql`COALESCE(notify, '[]')`,
  ),
  /** Sections that the console hides in its side bar. */
  hiddenSections: parsed((json) => knownSections(readTexts(json)))(
    sql`COALESCE(hidden_sections, '[]')`,
  ),
  createdAt: time,
})
export type Workspace = RowOf<typeof workspaceRow>

/** Checks that svc can read a row of the table before it is inserted as it is. @throws {Error} a value has another form */
export const checkWorkspaceRow = (found: Row): void => {
  const notify = found.notify ?? '[]'
  workspaceRow.read({ ...found, notify, hidden_sections: found.hidden_sections ?? '[]' })
}

/** Finds a workspace by its id. */
export const findWorkspace = (
  db: Pick<Reader, 'one'>,
  ws: string,
  options?: ReadOptions,
): Promise<Workspace | null> =>
  workspaceRow.one(
    db,
    sql`SELECT ${workspaceRow.columns()} FROM workspaces WHERE id = ${ws}`,
    options,
  )

/** Counts the workspaces of the instance. */
export const countWorkspaces = (db: Database): Promise<number> =>
  count(db, sql`SELECT count(*) FROM workspaces`)

/** A guard: the instance has no workspace or no super admin yet. A later start finds both. */
export const isFirstStart: Statement = sql`(NOT EXISTS (SELECT 1 FROM workspaces) OR ${hasNoSuperAdmin})`

export type NewWorkspace = Pick<Workspace, 'id' | 'name' | 'wrappedKey'> &
  Readonly<{
    /** The check value of the instance key that wrapped the workspace's data key. */
    keyCheck: string
  }>

/** Inserts a workspace. Inserts nothing if the instance key has changed meanwhile, because the data key would be lost. */
export const insertWorkspace = (workspace: NewWorkspace, guard: Statement = TRUE): Statement =>
  sql`INSERT INTO workspaces (id, name, wrapped_key, created_at)
    SELECT ${workspace.id}, ${workspace.name}, ${workspace.wrappedKey}, ${SQL_NOW}
    WHERE EXISTS (SELECT 1 FROM meta WHERE key = 'instance_key_check' AND value = ${workspace.keyCheck})
      AND ${isNotInCell(workspace.id)} AND ${guard}
    ON CONFLICT DO NOTHING`

/** Lists the ids of all workspaces, sorted. */
export const listWorkspaceIds = (db: Database): Promise<readonly string[]> =>
  text.all(db, sql`SELECT id FROM workspaces WHERE ${isNotHeld('id')} ORDER BY id`)

/** Returns those of the names that are no workspace, also of no cell. */
export const listMissingWorkspaces = (
  home: Database,
  names: readonly string[],
): Promise<readonly string[]> =>
  text.all(
    home,
    sql`SELECT value FROM ${listed(names)} WHERE value NOT IN (SELECT id FROM workspaces)
      AND value NOT IN (SELECT ws FROM workspace_cells)`,
  )

/** Lists the workspaces of the instance, by id. */
export const listWorkspaces = (
  db: Database,
  { after, limit }: NamePage,
): Promise<readonly Workspace[]> =>
  workspaceRow.all(
    db,
    sql`SELECT ${workspaceRow.columns()} FROM workspaces
      WHERE id > ${after ?? ''} AND ${isNotHeld('id')} ORDER BY id LIMIT ${limit}`,
  )

export type WorkspaceSettings = Readonly<{
  name?: string | undefined
  defaultTag?: string | undefined
  /** `app/action`; null for none. */
  errorHandler?: string | null | undefined
}>

/** Selects what the version of a workspace's settings stands for. */
export const settingsContent = (ws: string): Statement =>
  sql`SELECT json_array(name, default_tag, error_handler, notify, hidden_sections) FROM workspaces WHERE id = ${ws}`

/** Changes name, default tag and error handler. Absent fields keep their values. */
export const updateWorkspace = (
  ws: string,
  { name, defaultTag, errorHandler }: WorkspaceSettings,
): Statement =>
  sql`UPDATE workspaces SET name = COALESCE(${name ?? null}, name),
      default_tag = COALESCE(${defaultTag ?? null}, default_tag),
      error_handler = CASE WHEN ${errorHandler === undefined} THEN error_handler ELSE ${errorHandler ?? null} END
    WHERE id = ${ws}`

/** Sets the limit of running jobs. Changes no row if it is already set. @param maxRunning as `Workspace` describes it */
export const updateMaxRunning = (ws: string, maxRunning: number | null): Statement =>
  sql`UPDATE workspaces SET max_running = ${maxRunning} WHERE id = ${ws} AND max_running IS NOT ${maxRunning}`

/** Sets which tags jobs may have. @param tags null for any */
export const updateAllowedTags = (ws: string, tags: readonly string[] | null): Statement =>
  sql`UPDATE workspaces SET allowed_tags = ${tags === null ? null : JSON.stringify([...new Set(tags)])}
    WHERE id = ${ws}`

/** Sets which private destinations jobs may reach. @param grants null for none */
export const updateEgressAllow = (ws: string, grants: readonly string[] | null): Statement =>
  sql`UPDATE workspaces SET egress_allow = ${grants === null ? null : JSON.stringify([...new Set(grants)])}
    WHERE id = ${ws}`

/** Sets which sections the console hides in its side bar. */
export const updateHiddenSections = (ws: string, sections: readonly Section[]): Statement =>
  sql`UPDATE workspaces SET hidden_sections = ${sections.length === 0 ? null : JSON.stringify(sections)}
    WHERE id = ${ws}`

const errorHandlerRow = row({ id: text, errorHandler: text })

/** Returns the error handlers (`app/action`) of these workspaces, by id. Workspaces without one are left out. */
export const listErrorHandlers = async (
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const found = await errorHandlerRow.all(
    db,
    sql`SELECT ${errorHandlerRow.columns()} FROM workspaces
      WHERE error_handler IS NOT NULL AND id IN ${listed(ids)}`,
  )
  return new Map(found.map(({ id, errorHandler }) => [id, errorHandler]))
}
