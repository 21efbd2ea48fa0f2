/**
 * Notes of contents that nothing may refer to, by hash. A deployment notes each content that it stores, because it may be killed
 * before the write that refers to it. A use case that is about to refer to a noted content renews the note first. A sweep looks at
 * notes that are a day old: it deletes the contents that nothing refers to, and the notes.
 */
import { DAY_MS } from '#core/time-units.ts'
import type { Database, Reader, Statement } from '../database.ts'
import { exists, text } from '../row.ts'
import { listed, raw, SQL_NOW, sql } from '../sql.ts'

/** A condition on a note: it is a day old. */
const isOld = sql`since < ${SQL_NOW} - ${DAY_MS}`

export type UnusedNotes = Readonly<{
  /** Notes a content that is stored now. */
  note: (hash: string) => Statement
  /** Notes contents unless they are noted. */
  noteAll: (hashes: readonly string[]) => Statement
  /** Notes the contents that a query selects, unless they are noted. */
  noteSelected: (query: Statement) => Statement
  /** Renews the notes of contents that are about to be used. */
  renew: (hashes: readonly string[]) => Statement
  /** Renews those that are noted, in a write of its own; writes nothing if none is. */
  renewNoted: (db: Database, hashes: readonly string[]) => Promise<void>
  /** Lists contents whose note is a day old. */
  listOld: (db: Reader, limit: number) => Promise<readonly string[]>
  /** Selects those of the contents whose note is a day old. */
  oldOf: (hashes: readonly string[]) => Statement
  /** Deletes notes that are a day old. */
  deleteOld: (hashes: readonly string[]) => Statement
}>

export const createUnusedNotes = (table: 'unused_sources' | 'unused_bundles'): UnusedNotes => {
  const notes = raw(table)
  const noteSelected = (query: Statement): Statement =>
    sql`INSERT INTO ${notes} (hash, since) SELECT selected.*, ${SQL_NOW} FROM (${query}) selected WHERE TRUE
      ON CONFLICT DO NOTHING`
  const renew = (hashes: readonly string[]): Statement =>
    sql`UPDATE ${notes} SET since = ${SQL_NOW} WHERE hash IN ${listed(hashes)}`
  return {
    noteSelected,
    noteAll: (hashes) => noteSelected(sql`SELECT value FROM json_each(${JSON.stringify(hashes)})`),
    note: (hash) =>
      sql`INSERT INTO ${notes} (hash, since) VALUES (${hash}, ${SQL_NOW})
        ON CONFLICT DO UPDATE SET since = excluded.since`,
    renew,
    renewNoted: async (db, hashes) => {
      if (!(await exists(db, sql`SELECT 1 FROM ${notes} WHERE hash IN ${listed(hashes)} LIMIT 1`)))
        return
      await db.write([renew(hashes)], { retry: true })
    },
    listOld: (db, limit) =>
      text.all(db, sql`SELECT hash FROM ${notes} WHERE ${isOld} ORDER BY since LIMIT ${limit}`),
    oldOf: (hashes) => sql`SELECT hash FROM ${notes} WHERE hash IN ${listed(hashes)} AND ${isOld}`,
    deleteOld: (hashes) => sql`DELETE FROM ${notes} WHERE hash IN ${listed(hashes)} AND ${isOld}`,
  }
}
