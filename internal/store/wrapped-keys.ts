/** The wrapped data keys of all workspaces and second factors, for a change of the instance key (service/secrets/rotate-key.ts). */
import type { Database, Statement } from './database.ts'
import { type RowOf, row, text } from './row.ts'
import { sql } from './sql.ts'

const wrappedKeyRow = row({
  /** The id of a workspace, or `user|` and the e-mail address of a person. */
  ws: text,
  wrappedKey: text,
})
export type WrappedKey = RowOf<typeof wrappedKeyRow>

/** All wrapped keys. The ids of workspaces contain no bar. */
const ALL_KEYS = sql`(SELECT id AS ws, wrapped_key FROM workspaces
  UNION ALL SELECT 'user|' || email, wrapped_key FROM two_factors)`

/** Lists the wrapped data keys, by owner. */
export const listWrappedKeys = (db: Database): Promise<readonly WrappedKey[]> =>
  wrappedKeyRow.all(db, sql`SELECT ${wrappedKeyRow.columns()} FROM ${ALL_KEYS} ORDER BY ws`)

export type RewrappedKey = Readonly<{ ws: string; before: string; after: string }>

const toTriples = (keys: readonly RewrappedKey[]): string =>
  JSON.stringify(keys.map(({ ws, before, after }) => [ws, before, after]))

/**
 * Changes the check value if `keys` are all wrapped keys and none has changed since it was read. Changes nothing while a
 * workspace moves to another cell: its key is then in both cells, and one could be rotated before it is copied.
 */
export const replaceCheckValue = (
  { from, to }: Readonly<{ from: string; to: string }>,
  keys: readonly RewrappedKey[],
): Statement =>
  sql`UPDATE meta SET value = ${to}
    WHERE key = 'instance_key_check' AND value = ${from}
      AND NOT EXISTS (SELECT 1 FROM workspace_cells WHERE moving_to IS NOT NULL)
      AND (SELECT count(*) FROM ${ALL_KEYS}) = ${keys.length}
      AND (SELECT count(*) FROM json_each(${toTriples(keys)}) k
        JOIN ${ALL_KEYS} w ON w.ws = k.value ->> 0 AND w.wrapped_key = k.value ->> 1) = ${keys.length}`

/** Replaces the wrapped keys. Runs in the batch right after a statement that changed a row only if `replaceCheckValue` did. */
export const replaceWrappedKeys = (
  keys: readonly RewrappedKey[],
  checkValue: string,
): readonly Statement[] => [
  sql`UPDATE workspaces SET wrapped_key = k.value ->> 2
    FROM json_each(${toTriples(keys)}) k
    WHERE workspaces.id = k.value ->> 0 AND workspaces.wrapped_key = k.value ->> 1 AND changes() = 1`,
  // the previous statement may have changed any number of rows, so check the new check value instead
  sql`UPDATE two_factors SET wrapped_key = k.value ->> 2
    FROM json_each(${toTriples(keys)}) k
    WHERE 'user|' || two_factors.email = k.value ->> 0 AND two_factors.wrapped_key = k.value ->> 1
      AND EXISTS (SELECT 1 FROM meta WHERE key = 'instance_key_check' AND value = ${checkValue})`,
]
