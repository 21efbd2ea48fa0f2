/** The texts of large drafts, in parts. Equal parts of a draft are stored once, so that a save writes only what has changed. */
import type { AppAddress } from '#core/app-address.ts'
import { asText } from '../column.ts'
import type { Database, Statement } from '../database.ts'
import { number, type RowOf, row, text } from '../row.ts'
import { listed, raw, sql } from '../sql.ts'

/** The content of parts by their hash. */
export type DraftParts = ReadonlyMap<string, string>

/** Inserts a part unless it exists. */
export const insertDraftPart = (
  { ws, app }: AppAddress,
  hash: string,
  content: string,
): Statement =>
  sql`INSERT INTO draft_parts (ws, app, hash, content) VALUES (${ws}, ${app}, ${hash}, ${content})
    ON CONFLICT DO NOTHING`

/** A condition: the draft has the content of all these parts. */
export const hasDraftParts = ({ ws, app }: AppAddress, hashes: readonly string[]): Statement =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(hashes)})
    WHERE value NOT IN (SELECT hash FROM draft_parts WHERE ws = ${ws} AND app = ${app}))`

/** Returns a row if the draft lacks the content of one of these parts. */
export const lacksDraftParts = (key: AppAddress, hashes: readonly string[]): Statement =>
  sql`SELECT 1 AS lacking WHERE NOT ${hasDraftParts(key, hashes)}`

/** Deletes the parts that the draft does not list; all of them if there is no draft. */
export const deleteUnlistedParts = ({ ws, app }: AppAddress): Statement =>
  sql`DELETE FROM draft_parts WHERE ws = ${ws} AND app = ${app} AND hash NOT IN (
    SELECT part.value FROM drafts d, json_each(d.files, '$.parts') file, json_each(file.value, '$[1]') part
    WHERE d.ws = ${ws} AND d.app = ${app} AND substr(d.files, 1, 1) = '{')`

const partSize = row({ hash: text, bytes: number(raw('octet_length(content)')) })

/** Lists the parts of a draft, also those that it does not list, with their sizes in bytes. */
export const listDraftParts = (
  db: Database,
  { ws, app }: AppAddress,
): Promise<readonly RowOf<typeof partSize>[]> =>
  partSize.all(
    db,
    sql`SELECT ${partSize.columns()} FROM draft_parts WHERE ws = ${ws} AND app = ${app}`,
  )

/** Returns the content of parts by hash. Unknown hashes are left out. */
export const findDraftParts = async (
  db: Database,
  { ws, app }: AppAddress,
  hashes: readonly string[],
): Promise<DraftParts> => {
  const rows = await db.all(
    sql`SELECT hash, content FROM draft_parts WHERE ws = ${ws} AND app = ${app}
      AND hash IN ${listed(hashes)}`,
  )
  return new Map(rows.map((row) => [asText(row.hash), asText(row.content)]))
}
