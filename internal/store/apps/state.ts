/** `ctx.state`: JSON values that an app stores under its own keys. */
import type { AppAddress } from '#core/app-address.ts'
import { MAX_STATE_KEYS } from '#core/app-state.ts'
import type { Database, Reader, Statement } from '../database.ts'
import { type Claim, isRunning } from '../jobs/lease.ts'
import { type RowOf, row, text } from '../row.ts'
import { allOf, raw, SQL_NOW, sql } from '../sql.ts'

export type StateAddress = Readonly<{ ws: string; app: string; key: string }>

const storedStateRow = row({
  json: text('value'),
  version: text,
})
export type StoredState = RowOf<typeof storedStateRow>

/**
 * Who reads and writes: an attempt, whose writes are dropped once it is lost, or a caller that has found the app with this
 * `creationId`. Neither reaches an app that was made later under the same key.
 */
export type StateWriter =
  | Readonly<{ claim: Claim }>
  | Readonly<{ claim?: undefined; creationId: string | null }>

/** One write of a value. */
export type StateWrite = StateAddress &
  Readonly<{
    writer: StateWriter
    json: string
    /** Names this write: the caller makes 8 random characters. */
    id: string
    /** The version that the value must have; null if the key must not exist. @default any */
    expected?: string | null
  }>

/** An app's state, and who writes it. */
export type StateOwner = AppAddress & Readonly<{ writer: StateWriter }>

/** A condition: the app has not been deleted since. Another app may have its key. */
const isSameApp = ({ ws, app, writer }: StateOwner): Statement =>
  writer.claim === undefined
    ? sql`EXISTS (SELECT 1 FROM apps WHERE apps.ws = ${ws} AND apps.key = ${app} AND apps.creation_id IS ${writer.creationId})`
    : sql`EXISTS (SELECT 1 FROM jobs JOIN apps ON apps.ws = jobs.ws AND apps.key = jobs.app
        WHERE jobs.ws = ${ws} AND jobs.id = ${writer.claim.id} AND jobs.app = ${app}
          AND apps.creation_id IS (SELECT d.creation_id FROM deployment_apps d
            WHERE d.ws = jobs.ws AND d.deployment_id = jobs.deployment_id))`

/** A condition: the app has not been deleted since, and the attempt runs and has its job. */
export const mayWrite = (owner: StateOwner): Statement => {
  const { claim } = owner.writer
  if (claim === undefined) return isSameApp(owner)
  return sql`${isSameApp(owner)} AND ${isRunning(claim)}`
}

/** Finds the value of a key with its version. The state of a deleted app is gone. */
export const findState = (
  db: Pick<Database, 'one'>,
  at: StateAddress & StateOwner,
): Promise<StoredState | null> =>
  storedStateRow.one(
    db,
    sql`SELECT ${storedStateRow.columns()} FROM app_state
      WHERE ws = ${at.ws} AND app = ${at.app} AND key = ${at.key} AND ${isSameApp(at)}`,
  )

/** A condition: the key exists, or the app may have one more. The count stops at the limit and reads only keys. */
const hasRoom = ({ ws, app, key }: StateAddress): Statement =>
  sql`(EXISTS (SELECT 1 FROM app_state WHERE ws = ${ws} AND app = ${app} AND key = ${key})
    OR (SELECT count(*) FROM (SELECT 1 FROM app_state INDEXED BY app_state_keys WHERE ws = ${ws} AND app = ${app}
      LIMIT ${MAX_STATE_KEYS})) < ${MAX_STATE_KEYS})`

/** Characters of the id of a write. */
const WRITE_ID = 8
/** Characters of a version: the limit of the API. */
const MAX_VERSION = 64

/** A version consists of the ids of the last eight writes, the newest first. */
const versionAfter = (id: string): Statement =>
  sql`substr(${id} || app_state.version, 1, ${MAX_VERSION})`

/** Returns whether the value was made by this write, or by one of the seven writes that followed it. */
export const isWrittenBy = ({ version }: StoredState, id: string): boolean => version.includes(id)

/**
 * Returns whether the key was missing between the two values. False if that is unknown, because so many writes made the value
 * that its version keeps only the last of them.
 */
export const isSetAnew = (now: StoredState, before: StoredState): boolean =>
  now.version.length < MAX_VERSION && !isWrittenBy(now, before.version.slice(0, WRITE_ID))

/**
 * Sets the value. Changes nothing if the attempt is over, the app is deleted or full, or the value has another version.
 * Repeating it after an unknown outcome is harmless: it changes no value that this write has made (`isWrittenBy`), also after
 * others have written since.
 */
export const writeState = (write: StateWrite): Statement => {
  const { ws, app, key, json, id, expected } = write
  if (expected !== undefined && expected !== null) {
    return sql`UPDATE app_state SET value = ${json}, version = ${versionAfter(id)}, updated_at = ${SQL_NOW}
      WHERE ws = ${ws} AND app = ${app} AND key = ${key} AND version = ${expected} AND ${mayWrite(write)}`
  }
  const isReplaceable = expected === undefined ? sql`instr(app_state.version, ${id}) = 0` : raw('0')
  return sql`INSERT INTO app_state (ws, app, key, value, version, updated_at)
    SELECT ${ws}, ${app}, ${key}, ${json}, ${id}, ${SQL_NOW} WHERE ${mayWrite(write)} AND ${hasRoom(write)}
    ON CONFLICT (ws, app, key) DO UPDATE
    SET value = excluded.value, version = ${versionAfter(id)}, updated_at = excluded.updated_at
    WHERE ${isReplaceable}`
}

/**
 * Deletes the value that was read. Changes nothing if the key has another value or none, the attempt is over, or the app is
 * deleted. Repeating it after an unknown outcome is harmless: it deletes no value that was written since.
 */
export const deleteState = (
  at: StateAddress & Readonly<{ version: string; writer: StateWriter }>,
): Statement =>
  sql`DELETE FROM app_state WHERE ws = ${at.ws} AND app = ${at.app} AND key = ${at.key} AND version = ${at.version}
    AND ${mayWrite(at)}`

/** Returns the first text that sorts after all texts that begin with `prefix`, or null if there is none. */
const endOf = (prefix: string): string | null => {
  const points = [...prefix]
  while (points.length > 0) {
    const last = points.pop()?.codePointAt(0) ?? 0
    // surrogates do not occur in UTF-8, so skip them
    const next = last === 0xd7ff ? 0xe000 : last + 1
    if (next <= 0x10ffff) return points.join('') + String.fromCodePoint(next)
  }
  return null
}

/** Lists keys with this prefix in byte order, starting after `after`. */
export const listStateKeys = (
  db: Pick<Reader, 'all'>,
  {
    prefix,
    after,
    limit,
    ...owner
  }: StateOwner & Readonly<{ prefix: string; after: string | null; limit: number }>,
): Promise<readonly string[]> => {
  const end = endOf(prefix)
  const bounds = allOf(
    sql`key >= ${prefix}`,
    after === null ? null : sql`key > ${after}`,
    end === null ? null : sql`key < ${end}`,
  )
  return text.all(
    db,
    sql`SELECT key FROM app_state INDEXED BY app_state_keys
      WHERE ws = ${owner.ws} AND app = ${owner.app} AND ${bounds} AND ${isSameApp(owner)} ORDER BY key LIMIT ${limit}`,
  )
}
