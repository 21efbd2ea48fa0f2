/**
 * Source files that nothing refers to. A deployment notes each file that it stores, because it may be killed before the write that
 * refers to it. That write deletes the notes. A use case that is about to refer to a noted file renews the note first. A sweep deletes
 * files whose note is a day old and which nothing refers to, and notes of files that are in use.
 */
import type { Reader, SqlValue, Statement } from '../database.ts'
import { bool, exists, type RowOf, row, text } from '../row.ts'
import { join, raw, SQL_NOW, sql } from '../sql.ts'

const DAY_MS = 86_400_000

const isOld = sql`since < ${SQL_NOW} - ${DAY_MS}`

const isIn = (hashes: readonly string[]): Statement =>
  sql`IN (SELECT value FROM json_each(${JSON.stringify(hashes)}))`

/** Notes a source file that is stored now. */
export const noteSource = (hash: string): Statement =>
  sql`INSERT INTO unused_sources (hash, since) VALUES (${hash}, ${SQL_NOW})
    ON CONFLICT DO UPDATE SET since = excluded.since`

/** Notes source files unless they are noted. */
export const noteSources = (hashes: readonly string[]): Statement =>
  sql`INSERT INTO unused_sources (hash, since)
    SELECT value, ${SQL_NOW} FROM json_each(${JSON.stringify(hashes)}) WHERE TRUE ON CONFLICT DO NOTHING`

const storedSource = row({
  hash: text,
  isDeployed: bool(sql`EXISTS (SELECT 1 FROM deployment_files f WHERE f.hash = source_files.hash)`),
})

/** Lists source files by hash, with whether a deployment has them. */
export const listSources = (
  db: Reader,
  { after, limit }: Readonly<{ after: string; limit: number }>,
): Promise<readonly RowOf<typeof storedSource>[]> =>
  storedSource.all(
    db,
    sql`SELECT ${storedSource.columns()} FROM source_files WHERE hash > ${after} ORDER BY hash LIMIT ${limit}`,
  )

/** Returns whether one of the files is noted. */
export const hasNotedSources = (db: Reader, hashes: readonly string[]): Promise<boolean> =>
  exists(db, sql`SELECT 1 FROM unused_sources WHERE hash ${isIn(hashes)} LIMIT 1`)

/** Renews the notes of files that are about to be used. */
export const renewNotes = (hashes: readonly string[]): Statement =>
  sql`UPDATE unused_sources SET since = ${SQL_NOW} WHERE hash ${isIn(hashes)}`

/** Deletes the notes of the files of a deployment. Does nothing if the deployment was not inserted. */
export const deleteNotesOf = (deploymentId: string): Statement =>
  sql`DELETE FROM unused_sources
    WHERE hash IN (SELECT hash FROM deployment_files WHERE deployment_id = ${deploymentId})`

/** Lists files whose note is a day old. */
export const listOldNotes = (db: Reader, limit: number): Promise<readonly string[]> =>
  text.all(db, sql`SELECT hash FROM unused_sources WHERE ${isOld} ORDER BY since LIMIT ${limit}`)

/** Deletes files whose note is a day old and which no deployment has, and the notes. */
export const deleteNotedSources = (hashes: readonly string[]): readonly Statement[] => [
  sql`DELETE FROM source_files WHERE hash IN (SELECT hash FROM unused_sources WHERE hash ${isIn(hashes)} AND ${isOld})
    AND NOT EXISTS (SELECT 1 FROM deployment_files f WHERE f.hash = source_files.hash)`,
  deleteOldNotes(hashes),
]

/** Deletes notes that are a day old. */
export const deleteOldNotes = (hashes: readonly string[]): Statement =>
  sql`DELETE FROM unused_sources WHERE hash ${isIn(hashes)} AND ${isOld}`

/** Tables that refer to files in a JSON object, which no index finds: the column, and the primary key. */
const REFERRING = [
  { table: 'app_functions', column: 'shared', key: ['ws', 'app', 'name'] },
  { table: 'app_function_versions', column: 'shared', key: ['ws', 'app', 'name', 'hash'] },
  { table: 'function_versions', column: 'shared', key: ['name', 'hash'] },
  { table: 'drafts', column: 'carried', key: ['ws', 'app'] },
] as const

/** Rows of one read. A row with the files of a function may have megabytes before the column. */
const ROWS = 20

/** Yields which of the files functions and drafts refer to, in parts. */
export async function* referredSources(
  db: Reader,
  hashes: readonly string[],
): AsyncGenerator<readonly string[]> {
  for (const { table, column, key } of REFERRING) {
    const columns = raw(key.join(', '))
    let after: readonly SqlValue[] | null = key.map(() => '')
    while (after !== null) {
      const rows: Awaited<ReturnType<Reader['all']>> = await db.all(
        sql`SELECT ${columns}, (SELECT json_group_array(e.value)
            FROM json_each(CASE WHEN json_valid(${raw(column)}) THEN ${raw(column)} END) e WHERE e.value ${isIn(hashes)}) AS found
          FROM ${raw(table)} WHERE (${columns}) > (${join(
            after.map((value) => sql`${value}`),
            ', ',
          )})
          ORDER BY ${columns} LIMIT ${ROWS}`,
      )
      yield rows.flatMap(({ found }): readonly string[] => JSON.parse(String(found)))
      const last = rows.length < ROWS ? undefined : rows.at(-1)
      after = last === undefined ? null : key.map((each) => last[each] ?? null)
    }
  }
}
