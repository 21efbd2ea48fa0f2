/** Bundled entry files by content hash. */
import type { Database, Statement } from '../database.ts'
import { bytes, row, text } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'

const decode = (value: Uint8Array): string => new TextDecoder().decode(value)

const bundleRow = row({ code: bytes, sourceMap: bytes })

export type Bundle = Readonly<{ code: string; sourceMap: string }>

/** Finds the bundle with this content hash, or null. */
export const findBundle = async (db: Database, hash: string): Promise<Bundle | null> => {
  const found = await bundleRow.one(
    db,
    sql`SELECT ${bundleRow.columns()} FROM bundles WHERE hash = ${hash}`,
  )
  return found === null ? null : { code: decode(found.code), sourceMap: decode(found.sourceMap) }
}

/** Returns the hashes whose bundle the database does not have. */
export const findMissingBundles = (
  db: Database,
  hashes: readonly string[],
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT DISTINCT value FROM json_each(${JSON.stringify(hashes)})
      WHERE value NOT IN (SELECT hash FROM bundles)`,
  )

/** Inserts a bundle unless it exists. */
export const insertBundle = (hash: string, bundle: Bundle): Statement => {
  const encoder = new TextEncoder()
  return sql`INSERT INTO bundles (hash, code, source_map, created_at)
    VALUES (${hash}, ${encoder.encode(bundle.code)}, ${encoder.encode(bundle.sourceMap)}, ${SQL_NOW})
    ON CONFLICT DO NOTHING`
}
