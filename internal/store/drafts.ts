/** Drafts: an app's files while people work on them in the console, before they are deployed (contract, Apps). */
import { z } from 'zod'
import { asNumber, asText } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

/** Without its files, which may be megabytes. */
export type Draft = Readonly<{
  app: string
  fileCount: number
  /** Of all files together, as UTF-8. */
  bytes: number
  updatedBy: string
  updatedAt: number
}>

const COLUMNS = 'app, file_count, bytes, updated_by, updated_at'

const toDraft = (row: Row): Draft => ({
  app: asText(row.app),
  fileCount: asNumber(row.file_count),
  bytes: asNumber(row.bytes),
  updatedBy: asText(row.updated_by),
  updatedAt: asNumber(row.updated_at),
})

const pairs = z.array(z.tuple([z.string(), z.string()]))

/** Pairs, not an object: a file may be called `__proto__`. */
export type DraftWithFiles = Draft &
  Readonly<{
    files: readonly (readonly [string, string])[]
    /** Hashes of kept source files that are deployed with it, by path. */
    carried: ReadonlyMap<string, string>
  }>

const hashes = z.record(z.string(), z.string())

export const findDraft = async (
  db: Database,
  ws: string,
  app: string,
): Promise<DraftWithFiles | null> => {
  const row = await db.one(
    sql(`SELECT ${COLUMNS}, files, carried FROM drafts WHERE ws = ? AND app = ?`, ws, app),
  )
  if (row === null) return null
  return {
    ...toDraft(row),
    files: pairs.parse(JSON.parse(asText(row.files))),
    carried: new Map(Object.entries(hashes.parse(JSON.parse(asText(row.carried))))),
  }
}

export type DraftPage = Readonly<{ afterApp: string | null; limit: number }>

/** By app. */
export const listDrafts = async (
  db: Database,
  ws: string,
  { afterApp, limit }: DraftPage,
): Promise<readonly Draft[]> => {
  const rows = await db.all(
    sql(
      `SELECT ${COLUMNS} FROM drafts WHERE ws = ? AND app > ? ORDER BY app LIMIT ?`,
      ws,
      afterApp ?? '',
      limit,
    ),
  )
  return rows.map(toDraft)
}

export type NewDraft = Pick<DraftWithFiles, 'app' | 'files' | 'bytes' | 'updatedBy'> &
  Readonly<{ ws: string }>

/** Inserts nothing where there is a draft. */
export const insertDraft = (
  draft: NewDraft & Readonly<{ carried: ReadonlyMap<string, string> }>,
): Statement =>
  sql(
    `INSERT INTO drafts (ws, app, files, file_count, bytes, carried, updated_by, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ${SQL_NOW}) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    draft.ws,
    draft.app,
    JSON.stringify(draft.files),
    draft.files.length,
    draft.bytes,
    JSON.stringify(Object.fromEntries(draft.carried)),
    draft.updatedBy,
  )

/** What the draft carries stays as it is. */
export const upsertDraft = (draft: NewDraft): Statement =>
  sql(
    `INSERT INTO drafts (ws, app, files, file_count, bytes, updated_by, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ${SQL_NOW})
     ON CONFLICT (ws, app) DO UPDATE SET files = excluded.files, file_count = excluded.file_count,
       bytes = excluded.bytes, updated_by = excluded.updated_by, updated_at = excluded.updated_at
     RETURNING ${COLUMNS}`,
    draft.ws,
    draft.app,
    JSON.stringify(draft.files),
    draft.files.length,
    draft.bytes,
    draft.updatedBy,
  )

/** The draft that `upsertDraft` returned. */
export const toSavedDraft = (row: Row | undefined): Draft => {
  if (row === undefined) throw new Error('The draft was not written.')
  return toDraft(row)
}

export const deleteDraft = (ws: string, app: string): Statement =>
  sql('DELETE FROM drafts WHERE ws = ? AND app = ?', ws, app)
