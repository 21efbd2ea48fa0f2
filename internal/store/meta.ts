/** Facts of the whole instance, for example the instance key's check value. */
import { asText } from './column.ts'
import { type Database, type Statement, sql } from './database.ts'

export type MetaKey = 'instance_key_check' | 'move_in_progress' | 'write_check'

export const findMeta = async (db: Database, key: MetaKey): Promise<string | null> => {
  const row = await db.one(sql('SELECT value FROM meta WHERE key = ?', key))
  return row === null ? null : asText(row.value)
}

/** The first value stays. */
export const insertMeta = (key: MetaKey, value: string): Statement =>
  sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING', key, value)

/** The last value stays. */
export const upsertMeta = (key: MetaKey, value: string): Statement =>
  sql(
    `INSERT INTO meta (key, value) VALUES (?, ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    key,
    value,
  )

export const deleteMeta = (key: MetaKey): Statement => sql('DELETE FROM meta WHERE key = ?', key)
