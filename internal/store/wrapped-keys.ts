/** The data keys of all workspaces, as a change of the instance key sees them (service/rotate-key.ts). */
import { asText } from './column.ts'
import { type Database, type Statement, sql } from './database.ts'

export type WrappedKey = Readonly<{ ws: string; wrappedKey: string }>

export const listWrappedKeys = async (db: Database): Promise<readonly WrappedKey[]> => {
  const rows = await db.all(sql('SELECT id, wrapped_key FROM workspaces ORDER BY id'))
  return rows.map((row) => ({ ws: asText(row.id), wrappedKey: asText(row.wrapped_key) }))
}

export type RewrappedKey = Readonly<{ ws: string; before: string; after: string }>

const toTriples = (keys: readonly RewrappedKey[]): string =>
  JSON.stringify(keys.map(({ ws, before, after }) => [ws, before, after]))

/** Changes the check value when `keys` are all that there are, and as they were read. */
export const replaceCheckValue = (
  { from, to }: Readonly<{ from: string; to: string }>,
  keys: readonly RewrappedKey[],
): Statement =>
  sql(
    `UPDATE meta SET value = ?
     WHERE key = 'instance_key_check' AND value = ?
       AND (SELECT count(*) FROM workspaces) = ?
       AND (SELECT count(*) FROM json_each(?) k
         JOIN workspaces w ON w.id = k.value ->> 0 AND w.wrapped_key = k.value ->> 1) = ?`,
    to,
    from,
    keys.length,
    toTriples(keys),
    keys.length,
  )

/** In the same batch, behind a statement that changed a row only when `replaceCheckValue` did. */
export const replaceWrappedKeys = (keys: readonly RewrappedKey[]): Statement =>
  sql(
    `UPDATE workspaces SET wrapped_key = k.value ->> 2
     FROM json_each(?) k
     WHERE workspaces.id = k.value ->> 0 AND workspaces.wrapped_key = k.value ->> 1 AND changes() = 1`,
    toTriples(keys),
  )
