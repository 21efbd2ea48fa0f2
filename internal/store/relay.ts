/**
 * Sessions of the certificate relay. The first database stores them for the workspaces of all cells. Each change is one
 * guarded update. Its `changeId` allows repeating it when its outcome is unknown. A trigger overwrites the content of a
 * session in the commit that ends it.
 */
import { RELAY_STATES, type RelayState, statesBefore } from '#core/relay/session.ts'
import type { Database, Statement } from './database.ts'
import { bool, bytes, count, number, oneOf, type RowOf, row, text, time } from './row.ts'
import { raw, SQL_NOW, sql } from './sql.ts'

const relaySessionRow = row({
  id: text,
  ws: text,
  keyId: text,
  state: oneOf(RELAY_STATES),
  /** Milliseconds since 1970. */
  expiresAt: time,
  /** The session has expired by the database's clock, whether or not a sweep has ended it. */
  isOver: bool(sql`r.expires_at <= ${SQL_NOW}`),
})
export type RelaySession = RowOf<typeof relaySessionRow>

/** Finds a session, without its certificate. It searches all workspaces, since the id is a secret. */
export const findRelaySession = (db: Database, id: string): Promise<RelaySession | null> =>
  relaySessionRow.one(
    db,
    sql`SELECT ${relaySessionRow.columns('r')} FROM relay_sessions r WHERE r.id = ${id}`,
  )

/** Finds a session by an index over keyed hashes, so that the time it takes reveals nothing about the code. */
export const findRelayIdByCode = (db: Database, codeHash: string): Promise<string | null> =>
  text.one(
    db,
    sql`SELECT id FROM relay_sessions WHERE code_hash = ${codeHash} AND expires_at > ${SQL_NOW}`,
  )

/** Finds the encrypted certificate that a session holds, or null. */
export const findRelayMaterial = (db: Database, id: string): Promise<Uint8Array | null> =>
  bytes.one(
    db,
    sql`SELECT m.material FROM relay_sessions r JOIN relay_material m ON m.id = r.id
      WHERE r.id = ${id} AND r.state = 'uploaded'`,
  )

/** Returns the milliseconds until the next live session expires, negative if it has expired; null if none is live. */
export const findNextRelayExpiry = (db: Database): Promise<number | null> =>
  number.one(
    db,
    sql`SELECT expires_at - ${SQL_NOW} AS wait FROM relay_sessions
      WHERE ended_at IS NULL ORDER BY expires_at LIMIT 1`,
  )

export type NewRelaySession = Pick<RelaySession, 'id' | 'ws' | 'keyId'> &
  Readonly<{
    codeHash: string
    lifetimeMs: number
    /** Limit of live sessions in a workspace. */
    most: number
  }>

/** Inserts a session. Inserts nothing if the code is taken or the workspace has the maximum of live sessions. */
export const insertRelaySession = (session: NewRelaySession): Statement =>
  sql`INSERT INTO relay_sessions (id, ws, key_id, code_hash, expires_at, created_at)
    SELECT ${session.id}, ${session.ws}, ${session.keyId}, ${session.codeHash},
      ${SQL_NOW} + ${session.lifetimeMs}, ${SQL_NOW}
    WHERE (SELECT count(*) FROM relay_sessions WHERE ws = ${session.ws} AND ended_at IS NULL) < ${session.most}
    ON CONFLICT DO NOTHING`

const isBefore = (state: RelayState): Statement => {
  const states = statesBefore(state).map((each) => `'${each}'`)
  return raw(`state IN (${states.join(', ')})`)
}

const ENDED = sql`ended_at = ${SQL_NOW}, code_hash = NULL`

export type RelayChange = Readonly<{ id: string; changeId: string }>

/** A condition: the session may change to `state`, or this change has already made it so. */
const mayBecome = (state: RelayState, { id, changeId }: RelayChange): Statement =>
  sql`id = ${id} AND (${isBefore(state)} AND expires_at > ${SQL_NOW} OR change_id = ${changeId})`

const heldBytes = (ws: string): Statement =>
  sql`(SELECT COALESCE(SUM(length(m.material)), 0) FROM relay_sessions r JOIN relay_material m ON m.id = r.id
    WHERE r.ws = ${ws} AND r.ended_at IS NULL)`

/** Returns the bytes of the certificates that the sessions of a workspace hold. */
export const findHeldBytes = (db: Database, ws: string): Promise<number> =>
  count(db, sql`SELECT ${heldBytes(ws)} AS held`)

export type Held = Readonly<{ ws: string; material: Uint8Array; mostBytes: number }>

/**
 * Stores the uploaded certificate, unless the workspace then holds more than `mostBytes`. Only the first upload counts. `session`
 * changes one row if this was the first.
 */
export const holdRelayMaterial = (change: RelayChange, { ws, material, mostBytes }: Held) => ({
  session: sql`UPDATE relay_sessions SET state = 'uploaded', change_id = ${change.changeId}
    WHERE ${mayBecome('uploaded', change)}
      AND (change_id = ${change.changeId} OR ${heldBytes(ws)} + ${material.length} <= ${mostBytes})`,
  material: sql`INSERT INTO relay_material (id, material)
    SELECT id, ${material} FROM relay_sessions
    WHERE id = ${change.id} AND state = 'uploaded' AND change_id = ${change.changeId}
    ON CONFLICT DO NOTHING`,
})

/** Only the caller whose UPDATE changes the row receives the certificate. Later callers change nothing. */
export const takeRelayMaterial = (change: RelayChange): Statement =>
  sql`UPDATE relay_sessions SET state = 'delivered', change_id = ${change.changeId}, ${ENDED}
    WHERE ${mayBecome('delivered', change)}`

/** Cancels a live session. Changes no row if it has ended. */
export const cancelRelaySession = (change: RelayChange): Statement =>
  sql`UPDATE relay_sessions SET state = 'cancelled', change_id = ${change.changeId}, ${ENDED}
    WHERE ${mayBecome('cancelled', change)}`

const EXPIRE = sql`UPDATE relay_sessions SET state = 'expired', ${ENDED}
  WHERE ${isBefore('expired')} AND expires_at <= ${SQL_NOW}`

/** Ends one session if its time is over. */
export const expireRelaySession = (id: string): Statement => sql`${EXPIRE} AND id = ${id}`

/** Ends up to `limit` expired sessions, the longest expired first, and returns their ids. */
export const expireRelaySessions = (limit: number): Statement =>
  sql`${EXPIRE} AND id IN (SELECT id FROM relay_sessions
      WHERE ended_at IS NULL AND expires_at <= ${SQL_NOW} ORDER BY expires_at LIMIT ${limit})
    RETURNING id`
