/**
 * Sessions of the certificate relay. Each change is one guarded update; its `changeId` lets it be repeated when nobody
 * knows whether it was done. What a session holds is overwritten where it lies by a trigger, in the commit that ends it.
 */
import { RELAY_STATES, type RelayState, statesBefore } from '#core/relay/session.ts'
import { asBytes, asNumber, asText } from './column.ts'
import { type Database, SQL_NOW, type Statement, sql } from './database.ts'

export type RelaySession = Readonly<{
  id: string
  ws: string
  keyId: string
  state: RelayState
  /** Milliseconds since 1970. */
  expiresAt: number
  /** Its time is over, by the database's clock, whether or not somebody has ended it. */
  isOver: boolean
  /** Of its workspace. */
  wrappedKey: string
}>

const isState = (text: string): text is RelayState => RELAY_STATES.some((state) => state === text)

const asState = (text: string): RelayState => {
  if (isState(text)) return text
  throw new Error('A relay session has an unknown state.')
}

/** Without what it holds. Of any workspace: the id is a secret of its own. */
export const findRelaySession = async (db: Database, id: string): Promise<RelaySession | null> => {
  const row = await db.one(
    sql(
      `SELECT r.id, r.ws, r.key_id, r.state, r.expires_at, r.expires_at <= ${SQL_NOW} AS is_over, w.wrapped_key
       FROM relay_sessions r JOIN workspaces w ON w.id = r.ws WHERE r.id = ?`,
      id,
    ),
  )
  if (row === null) return null
  return {
    id: asText(row.id),
    ws: asText(row.ws),
    keyId: asText(row.key_id),
    state: asState(asText(row.state)),
    expiresAt: asNumber(row.expires_at),
    isOver: row.is_over === 1,
    wrappedKey: asText(row.wrapped_key),
  }
}

/** Found by an index over keyed hashes: the time that it takes says nothing of the code. */
export const findRelayIdByCode = async (db: Database, codeHash: string): Promise<string | null> => {
  const row = await db.one(
    sql(`SELECT id FROM relay_sessions WHERE code_hash = ? AND expires_at > ${SQL_NOW}`, codeHash),
  )
  return row === null ? null : asText(row.id)
}

/** As it stands, encrypted; null when there is none. */
export const findRelayMaterial = async (db: Database, id: string): Promise<Uint8Array | null> => {
  const row = await db.one(
    sql(
      `SELECT m.material FROM relay_sessions r JOIN relay_material m ON m.id = r.id
       WHERE r.id = ? AND r.state = 'uploaded'`,
      id,
    ),
  )
  return row === null ? null : asBytes(row.material)
}

/** Milliseconds until the next live session's time is over, negative when it is; null: none lives. */
export const findNextRelayExpiry = async (db: Database): Promise<number | null> => {
  const row = await db.one(
    sql(
      `SELECT expires_at - ${SQL_NOW} AS wait FROM relay_sessions
       WHERE ended_at IS NULL ORDER BY expires_at LIMIT 1`,
    ),
  )
  return row === null ? null : asNumber(row.wait)
}

export type NewRelaySession = Pick<RelaySession, 'id' | 'ws' | 'keyId'> &
  Readonly<{
    codeHash: string
    lifetimeMs: number
    /** Live sessions of the workspace. */
    most: number
  }>

/** Inserts nothing when the code is taken, or the workspace has its fill of sessions. */
export const insertRelaySession = (session: NewRelaySession): Statement =>
  sql(
    `INSERT INTO relay_sessions (id, ws, key_id, code_hash, expires_at, created_at)
     SELECT ?, ?, ?, ?, ${SQL_NOW} + ?, ${SQL_NOW}
     WHERE (SELECT count(*) FROM relay_sessions WHERE ws = ? AND ended_at IS NULL) < ?
     ON CONFLICT DO NOTHING`,
    session.id,
    session.ws,
    session.keyId,
    session.codeHash,
    session.lifetimeMs,
    session.ws,
    session.most,
  )

const before = (state: RelayState): string =>
  `state IN (${statesBefore(state)
    .map((each) => `'${each}'`)
    .join(', ')})`

const ENDED = `ended_at = ${SQL_NOW}, code_hash = NULL`

export type RelayChange = Readonly<{ id: string; changeId: string }>

/** The certificate is there; the first upload is the only one. The first statement tells whether this one was. */
export const holdRelayMaterial = (
  { id, changeId }: RelayChange,
  material: Uint8Array,
): readonly Statement[] => [
  sql(
    `UPDATE relay_sessions SET state = 'uploaded', change_id = ?
     WHERE id = ? AND (${before('uploaded')} AND expires_at > ${SQL_NOW} OR change_id = ?)`,
    changeId,
    id,
    changeId,
  ),
  sql(
    `INSERT INTO relay_material (id, material)
     SELECT id, ? FROM relay_sessions WHERE id = ? AND state = 'uploaded' AND change_id = ?
     ON CONFLICT DO NOTHING`,
    material,
    id,
    changeId,
  ),
]

/** Whoever changes the row has the certificate, and nobody has it after. */
export const takeRelayMaterial = ({ id, changeId }: RelayChange): Statement =>
  sql(
    `UPDATE relay_sessions SET state = 'delivered', change_id = ?, ${ENDED}
     WHERE id = ? AND (${before('delivered')} AND expires_at > ${SQL_NOW} OR change_id = ?)`,
    changeId,
    id,
    changeId,
  )

export const cancelRelaySession = ({ id, changeId }: RelayChange): Statement =>
  sql(
    `UPDATE relay_sessions SET state = 'cancelled', change_id = ?, ${ENDED}
     WHERE id = ? AND (${before('cancelled')} AND expires_at > ${SQL_NOW} OR change_id = ?)`,
    changeId,
    id,
    changeId,
  )

const EXPIRE = `UPDATE relay_sessions SET state = 'expired', ${ENDED}
  WHERE ${before('expired')} AND expires_at <= ${SQL_NOW}`

export const expireRelaySession = (id: string): Statement => sql(`${EXPIRE} AND id = ?`, id)

/** Answers the ids of those that it ended. */
export const expireRelaySessions = (limit: number): Statement =>
  sql(
    `${EXPIRE} AND id IN (SELECT id FROM relay_sessions
       WHERE ended_at IS NULL AND expires_at <= ${SQL_NOW} ORDER BY expires_at LIMIT ?)
     RETURNING id`,
    limit,
  )
