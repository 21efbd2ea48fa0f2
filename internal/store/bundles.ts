/** Bundled entry files by content hash. */
import { asBytes } from './column.ts'
import { type Database, SQL_NOW, type Statement, sql } from './database.ts'

export type Bundle = Readonly<{ code: string; sourceMap: string }>

export const findBundle = async (db: Database, hash: string): Promise<Bundle | null> => {
  const row = await db.one(sql('SELECT code, source_map FROM bundles WHERE hash = ?', hash))
  if (row === null) return null
  const decoder = new TextDecoder()
  return {
    code: decoder.decode(asBytes(row.code)),
    sourceMap: decoder.decode(asBytes(row.source_map)),
  }
}

export const insertBundle = (hash: string, bundle: Bundle): Statement => {
  const encoder = new TextEncoder()
  return sql(
    `INSERT INTO bundles (hash, code, source_map, created_at) VALUES (?, ?, ?, ${SQL_NOW})
     ON CONFLICT DO NOTHING`,
    hash,
    encoder.encode(bundle.code),
    encoder.encode(bundle.sourceMap),
  )
}
