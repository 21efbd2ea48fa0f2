/** `ctx.state`: JSON kept per app (contract, Apps; contract-2, Flow control). */
import { MAX_STATE_KEYS } from '#core/app-state.ts'
import { asText } from './column.ts'
import { type Database, type Reader, SQL_NOW, type Statement, sql } from './database.ts'
import type { Held } from './jobs/lease.ts'

export type StateAddress = Readonly<{ ws: string; app: string; key: string }>

export type StoredState = Readonly<{ json: string; version: string }>

/** One write of a value. `version` is made by the caller, never twice the same. */
export type StateWrite = StateAddress &
  Readonly<{
    json: string
    version: string
    /** The version that the value must have; null: there must be no value. @default whatever it is */
    expected?: string | null
    /** Writes only while this attempt holds its job and the lease: a lost worker's late word is not kept. */
    held?: Held
  }>

export const findState = async (
  db: Pick<Database, 'one'>,
  { ws, app, key }: StateAddress,
): Promise<StoredState | null> => {
  const row = await db.one(
    sql('SELECT value, version FROM app_state WHERE ws = ? AND app = ? AND key = ?', ws, app, key),
  )
  return row === null ? null : { json: asText(row.value), version: asText(row.version) }
}

type Condition = Readonly<{ text: string; values: readonly (string | number)[] }>

const ALWAYS: Condition = { text: '1', values: [] }

const whileHeld = ({ app, held }: Readonly<{ app: string; held?: Held }>): Condition =>
  held === undefined
    ? ALWAYS
    : {
        text: `EXISTS (SELECT 1 FROM jobs WHERE jobs.ws = ? AND jobs.id = ? AND jobs.attempt = ? AND jobs.app = ?
               AND jobs.status = 'running' AND jobs.lease_until > ${SQL_NOW})`,
        values: [held.ws, held.id, held.attempt, app],
      }

/** The key is there, or the app may have one more. The count stops at the limit, and reads keys only. */
const HAS_ROOM = `(EXISTS (SELECT 1 FROM app_state WHERE ws = ? AND app = ? AND key = ?)
  OR (SELECT count(*) FROM (SELECT 1 FROM app_state INDEXED BY app_state_keys WHERE ws = ? AND app = ? LIMIT ${MAX_STATE_KEYS})) < ${MAX_STATE_KEYS})`

/**
 * Sets the value, or changes nothing: the attempt is over, the app is full, or the value has another version.
 * Repeating it after an unknown outcome does no harm: a value that has its own version already is written again.
 */
export const writeState = (write: StateWrite): Statement => {
  const { ws, app, key, json, version, expected } = write
  const held = whileHeld(write)
  const mustBe: Condition =
    expected === undefined
      ? ALWAYS
      : { text: '(version = ? OR version = ?)', values: [expected ?? version, version] }
  if (expected !== undefined && expected !== null) {
    return sql(
      `UPDATE app_state SET value = ?, version = ?, updated_at = ${SQL_NOW}
       WHERE ws = ? AND app = ? AND key = ? AND ${mustBe.text} AND ${held.text}`,
      ...[json, version, ws, app, key, ...mustBe.values, ...held.values],
    )
  }
  return sql(
    `INSERT INTO app_state (ws, app, key, value, version, updated_at)
     SELECT ?, ?, ?, ?, ?, ${SQL_NOW} WHERE ${held.text} AND ${HAS_ROOM}
     ON CONFLICT (ws, app, key) DO UPDATE
     SET value = excluded.value, version = excluded.version, updated_at = excluded.updated_at
     WHERE ${mustBe.text.replaceAll('version', 'app_state.version')}`,
    ...[ws, app, key, json, version, ...held.values, ws, app, key, ws, app, ...mustBe.values],
  )
}

/** Changes nothing when there is no such key, or the attempt is over. */
export const deleteState = (at: StateAddress & Readonly<{ held?: Held }>): Statement => {
  const held = whileHeld(at)
  return sql(
    `DELETE FROM app_state WHERE ws = ? AND app = ? AND key = ? AND ${held.text}`,
    ...[at.ws, at.app, at.key, ...held.values],
  )
}

/** The first text behind all that begin with `prefix`; null: there is none. */
const endOf = (prefix: string): string | null => {
  const points = [...prefix]
  while (points.length > 0) {
    const last = points.pop()?.codePointAt(0) ?? 0
    // surrogates are no characters of UTF-8
    const next = last === 0xd7ff ? 0xe000 : last + 1
    if (next <= 0x10ffff) return points.join('') + String.fromCodePoint(next)
  }
  return null
}

/** Keys with this prefix in the order of their bytes, from behind `after`. */
export const listStateKeys = async (
  db: Pick<Reader, 'all'>,
  {
    ws,
    app,
    prefix,
    after,
    limit,
  }: Readonly<Omit<StateAddress, 'key'> & { prefix: string; after: string | null; limit: number }>,
): Promise<readonly string[]> => {
  const end = endOf(prefix)
  const bounds: Condition[] = [{ text: 'key >= ?', values: [prefix] }]
  if (after !== null) bounds.push({ text: 'key > ?', values: [after] })
  if (end !== null) bounds.push({ text: 'key < ?', values: [end] })
  const rows = await db.all(
    sql(
      `SELECT key FROM app_state INDEXED BY app_state_keys
       WHERE ws = ? AND app = ? AND ${bounds.map(({ text }) => text).join(' AND ')} ORDER BY key LIMIT ?`,
      ...[ws, app, ...bounds.flatMap(({ values }) => values), limit],
    ),
  )
  return rows.map((row) => asText(row.key))
}
