/** Drafts: an app's files while people work on them in the console, before they are deployed. */
import { z } from 'zod'
import type { Database, Row, Statement } from '../database.ts'
import { number, parsed, type RowOf, row, text, time } from '../row.ts'
import { isAsRead, type RowMatch } from '../row-match.ts'
import type { NamePage } from '../search.ts'
import { SQL_NOW, sql } from '../sql.ts'
import { hasDraftParts } from './draft-parts.ts'

const draftRow = row({
  app: text,
  fileCount: number,
  /** Total size of the files as UTF-8. */
  bytes: number,
  updatedBy: text,
  updatedAt: time,
})
/** A draft without its files, which may be megabytes. */
export type Draft = RowOf<typeof draftRow>

const hashes = z.record(z.string(), z.string())

const storedDraft = row({
  ...draftRow.fields,
  /**
   * Pairs of path and text instead of an object, because a file may be named `__proto__`. Of a large draft, an object `parts`
   * with pairs of path and hashes (draft-parts.ts).
   */
  filesJson: text('files'),
  /** Hashes of kept source files that are deployed with the draft, by path. */
  carried: parsed(
    (json): ReadonlyMap<string, string> => new Map(Object.entries(hashes.parse(JSON.parse(json)))),
  ),
})
export type StoredDraft = RowOf<typeof storedDraft>

/** Finds the draft of an app with its files. */
export const findDraft = (db: Database, ws: string, app: string): Promise<StoredDraft | null> =>
  storedDraft.one(
    db,
    sql`SELECT ${storedDraft.columns()} FROM drafts WHERE ws = ${ws} AND app = ${app}`,
  )

/** Lists the drafts of a workspace, by app. */
export const listDrafts = (
  db: Database,
  ws: string,
  { after, limit }: NamePage,
): Promise<readonly Draft[]> =>
  draftRow.all(
    db,
    sql`SELECT ${draftRow.columns()} FROM drafts WHERE ws = ${ws} AND app > ${after ?? ''}
      ORDER BY app LIMIT ${limit}`,
  )

export type NewDraft = Pick<
  StoredDraft,
  'app' | 'fileCount' | 'bytes' | 'updatedBy' | 'filesJson'
> &
  Readonly<{
    ws: string
    /** Hashes of the parts that `filesJson` lists. Without their content, the draft is not written. */
    parts: readonly string[]
  }>

/** Inserts a draft and returns its columns. Inserts nothing if the app has a draft or parts are missing. */
export const insertDraft = (
  draft: NewDraft & Readonly<{ carried: ReadonlyMap<string, string> }>,
): Statement =>
  sql`INSERT INTO drafts (ws, app, files, file_count, bytes, carried, updated_by, updated_at)
    SELECT ${draft.ws}, ${draft.app}, ${draft.filesJson}, ${draft.fileCount}, ${draft.bytes},
      ${JSON.stringify(Object.fromEntries(draft.carried))}, ${draft.updatedBy}, ${SQL_NOW}
    WHERE ${hasDraftParts(draft, draft.parts)}
    ON CONFLICT DO NOTHING RETURNING ${draftRow.columns()}`

const rowOf = (ws: string, app: string): Statement => sql`drafts WHERE ws = ${ws} AND app = ${app}`

/**
 * Inserts or replaces a draft and returns its columns, if it is as the caller has read it and no parts are missing. The files that an existing draft
 * carries by hash are kept.
 */
export const upsertDraft = (draft: NewDraft, match: RowMatch): Statement =>
  sql`INSERT INTO drafts (ws, app, files, file_count, bytes, updated_by, updated_at)
    SELECT ${draft.ws}, ${draft.app}, ${draft.filesJson}, ${draft.fileCount}, ${draft.bytes},
      ${draft.updatedBy}, ${SQL_NOW} WHERE ${isAsRead(rowOf(draft.ws, draft.app), match)}
      AND ${hasDraftParts(draft, draft.parts)}
    ON CONFLICT (ws, app) DO UPDATE SET files = excluded.files, file_count = excluded.file_count,
      bytes = excluded.bytes, updated_by = excluded.updated_by,
      updated_at = max(excluded.updated_at, drafts.updated_at + 1)
    RETURNING ${draftRow.columns()}`

/** A condition: the app has a draft. */
export const hasDraft = (ws: string, app: string): Statement => isAsRead(rowOf(ws, app), 'any')

/** Reads the row that `upsertDraft` or `insertDraft` returned. */
export const toSavedDraft = (row: Row): Draft => draftRow.read(row)

/** Deletes the draft of an app, if it is as the caller has read it. */
export const deleteDraft = (ws: string, app: string, match: RowMatch): Statement =>
  sql`DELETE FROM drafts WHERE ws = ${ws} AND app = ${app} AND ${isAsRead(rowOf(ws, app), match)}`

/** Fails the batch with a constraint if the app has a draft, so that what belongs to it stays. */
export const requireNoDraft = (ws: string, app: string): Statement =>
  sql`UPDATE drafts SET files = NULL WHERE ws = ${ws} AND app = ${app}`
