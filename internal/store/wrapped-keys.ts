/** The wrapped data keys of all workspaces, for a change of the instance key (service/rotate-key.ts). */
import type { Database, Statement } from './database.ts'
import { type RowOf, row, text } from './row.ts'
import { sql } from './sql.ts'

const wrappedKeyRow = row({
  ws: text('id'),
  wrappedKey: text,
})
export type WrappedKey = RowOf<typeof wrappedKeyRow>

/** The wrapped data keys, by workspace. */
export const listWrappedKeys = (db: Database): Promise<readonly WrappedKey[]> =>
  wrappedKeyRow.all(db, sql`SELECT ${wrappedKeyRow.columns()} FROM workspaces ORDER BY id`)

export type RewrappedKey = Readonly<{ ws: string; before: string; after: string }>

const toTriples = (keys: readonly RewrappedKey[]): string =>
  JSON.stringify(keys.map(({ ws, before, after }) => [ws, before, after]))

/** Changes the check value when `keys` are all wrapped keys and none has changed since it was read. */
export const replaceCheckValue = (
  { from, to }: Readonly<{ from: string; to: string }>,
  keys: readonly RewrappedKey[],
): Statement =>
  sql`UPDATE meta SET value = ${to}
    WHERE key = 'instance_key_check' AND value = ${from}
      AND (SELECT count(*) FROM workspaces) = ${keys.length}
      AND (SELECT count(*) FROM json_each(${toTriples(keys)}) k
        JOIN workspaces w ON w.id = k.value ->> 0 AND w.wrapped_key = k.value ->> 1) = ${keys.length}`

/** Goes in the same batch behind a statement that changed a row only when `replaceCheckValue` did. */
export const replaceWrappedKeys = (keys: readonly RewrappedKey[]): Statement =>
  sql`UPDATE workspaces SET wrapped_key = k.value ->> 2
    FROM json_each(${toTriples(keys)}) k
    WHERE workspaces.id = k.value ->> 0 AND workspaces.wrapped_key = k.value ->> 1 AND changes() = 1`
