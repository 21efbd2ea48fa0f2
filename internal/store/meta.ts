/** Facts about the whole instance, for example the check value of the instance key. */
import type { Database, Reader, Statement } from './database.ts'
import { exists, text } from './row.ts'
import { sql } from './sql.ts'

/** Key that is set while `svc db move` fills this database. Nodes and commands refuse it meanwhile. */
export const MOVE_MARK = 'move_in_progress'

/** Key of what was moved here last. A move whose command was killed before it printed its end finds that it has ended. */
export const MOVED_MARK = 'moved_from'

/** Key of the name that the database has among the cells of its instance. */
export const CELL_NAME = 'cell'

/** Key of the address that the node which started last shows to people. */
export const BASE_URL = 'base_url'

export type MetaKey =
  | 'instance_key_check'
  | typeof BASE_URL
  | typeof CELL_NAME
  | typeof MOVE_MARK
  | typeof MOVED_MARK
  | 'write_check'

/** Returns the value of a key, or null. */
export const findMeta = (db: Reader, key: MetaKey): Promise<string | null> =>
  text.one(db, sql`SELECT value FROM meta WHERE key = ${key}`)

/** Inserts a value unless the key has one. */
export const insertMeta = (key: MetaKey, value: string): Statement =>
  sql`INSERT INTO meta (key, value) VALUES (${key}, ${value}) ON CONFLICT DO NOTHING`

const HAS_NO_DATA = sql`NOT EXISTS (SELECT 1 FROM workspaces) AND NOT EXISTS (SELECT 1 FROM meta)`

/** Whether no instance has used a database that has a schema. */
export const hasNoData = (db: Database): Promise<boolean> =>
  exists(db, sql`SELECT 1 WHERE ${HAS_NO_DATA}`)

/** Marks an empty database as the target of a move. @param id what is moved */
export const insertMoveMark = (id: string): Statement =>
  sql`INSERT INTO meta (key, value) SELECT ${MOVE_MARK}, ${id} WHERE ${HAS_NO_DATA}`

/** Inserts or replaces the value of a key. */
export const upsertMeta = (key: MetaKey, value: string): Statement =>
  sql`INSERT INTO meta (key, value) VALUES (${key}, ${value})
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`

/** Deletes a key. */
export const deleteMeta = (key: MetaKey): Statement => sql`DELETE FROM meta WHERE key = ${key}`
