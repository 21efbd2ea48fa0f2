/** Source files that nothing refers to. The write of a deployment deletes the notes of its files. */
import type { Reader, SqlValue, Statement } from '../database.ts'
import { bool, type RowOf, row, text } from '../row.ts'
import { listed, raw, sql, valueList } from '../sql.ts'
import { createUnusedNotes } from './unused-notes.ts'

export const sourceNotes = createUnusedNotes('unused_sources')

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

/** Deletes the notes of the files of a deployment. Does nothing if the deployment was not inserted. */
export const deleteNotesOf = (deploymentId: string): Statement =>
  sql`DELETE FROM unused_sources
    WHERE hash IN (SELECT hash FROM deployment_files WHERE deployment_id = ${deploymentId})`

/** Deletes files whose note is a day old and which no deployment has, and the notes. */
export const deleteNotedSources = (hashes: readonly string[]): readonly Statement[] => [
  sql`DELETE FROM source_files WHERE hash IN (${sourceNotes.oldOf(hashes)})
    AND NOT EXISTS (SELECT 1 FROM deployment_files f WHERE f.hash = source_files.hash)`,
  sourceNotes.deleteOld(hashes),
]

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
            FROM json_each(CASE WHEN json_valid(${raw(column)}) THEN ${raw(column)} END) e WHERE e.value IN ${listed(hashes)}) AS found
          FROM ${raw(table)} WHERE (${columns}) > (${valueList(after)})
          ORDER BY ${columns} LIMIT ${ROWS}`,
      )
      yield rows.flatMap(({ found }): readonly string[] => JSON.parse(String(found)))
      const last = rows.length < ROWS ? undefined : rows.at(-1)
      after = last === undefined ? null : key.map((each) => last[each] ?? null)
    }
  }
}
