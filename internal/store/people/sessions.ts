/** Browser sessions. Only a hash of the cookie's text is stored. */
import { ROLES } from '#core/access/scope.ts'
import type { Database, Statement } from '../database.ts'
import { bool, exists, oneOf, type RowOf, row, text, time } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'
import type { Identity } from './oidc.ts'

const sessionHolderRow = row({
  id: text,
  email: text,
  isExpired: bool(sql`s.expires_at <= ${SQL_NOW}`),
  isRevoked: bool(sql`s.revoked_at IS NOT NULL`),
  userDisabled: bool(sql`u.disabled_at IS NOT NULL`),
  isSuperAdmin: bool('u.super_admin'),
  workspaceExists: bool(sql`w.id IS NOT NULL`),
  /** Null if the user is not an enabled member of the workspace. */
  role: oneOf(ROLES).nullable('m.role'),
})
/** A session with its user's role in one workspace and what decides whether it is valid. */
export type SessionHolder = RowOf<typeof sessionHolderRow>

/**
 * Finds a session with all that authentication checks. The database's clock decides whether it has expired.
 * @param ws empty for no workspace
 */
export const findSessionByHash = (
  db: Database,
  hash: string,
  ws: string,
): Promise<SessionHolder | null> =>
  sessionHolderRow.one(
    db,
    sql`SELECT ${sessionHolderRow.columns('s')}
      FROM sessions s JOIN users u ON u.email = s.email
      LEFT JOIN workspaces w ON w.id = ${ws} AND ${isNotHeld('w.id')}
      LEFT JOIN members m ON m.ws = w.id AND m.email = s.email AND m.disabled_at IS NULL
      WHERE s.hash = ${hash}`,
  )

export type NewSession = Readonly<{
  id: string
  email: string
  hash: string
  address: string | null
  /** Browser and operating system; null if unknown. */
  device: string | null
  lifetimeMs: number
}>

/** Inserts a session that expires after `lifetimeMs`. @param guard a condition */
export const insertSession = (session: NewSession, guard: Statement): Statement =>
  sql`INSERT INTO sessions (id, email, hash, address, device, expires_at, created_at)
    SELECT ${session.id}, ${session.email}, ${session.hash}, ${session.address}, ${session.device},
      ${SQL_NOW} + ${session.lifetimeMs}, ${SQL_NOW} WHERE ${guard} ON CONFLICT (id) DO NOTHING`

/** Revokes a session. Revoking twice keeps the first time. */
export const revokeSession = (id: string): Statement =>
  sql`UPDATE sessions SET revoked_at = ${SQL_NOW} WHERE id = ${id} AND revoked_at IS NULL`

/** Revokes all sessions of a user except one, so that changing the password does not sign the user out. */
export const revokeOtherSessions = (email: string, keptId: string): Statement =>
  sql`UPDATE sessions SET revoked_at = ${SQL_NOW}
    WHERE email = ${email} AND id <> ${keptId} AND revoked_at IS NULL`

/** Revokes all sessions of a user. */
export const revokeSessions = (email: string): Statement =>
  sql`UPDATE sessions SET revoked_at = ${SQL_NOW} WHERE email = ${email} AND revoked_at IS NULL`

/** Revokes the other sessions if the statement right before it in the batch changed a row. */
export const revokeOtherSessionsIfChanged = (email: string, keptId: string): Statement =>
  sql`${revokeOtherSessions(email, keptId)} AND changes() > 0`

/**
 * Revokes all sessions of an identity's account, unless the message that requests it was already processed.
 * @param takenHash hash of the message
 */
export const revokeSessionsOfIdentity = (
  { issuer, subject }: Identity,
  takenHash: string,
): Statement =>
  sql`UPDATE sessions SET revoked_at = ${SQL_NOW}
    WHERE revoked_at IS NULL AND email = (SELECT email FROM oidc_identities WHERE issuer = ${issuer} AND subject = ${subject})
      AND NOT EXISTS (SELECT 1 FROM oidc_states WHERE hash = ${takenHash})`

const sessionRow = row({
  id: text,
  address: text.nullable,
  device: text.nullable,
  createdAt: time,
  expiresAt: time,
})
export type SessionRow = RowOf<typeof sessionRow>

/** Limit of listed sessions, newest first. A person has few. */
const MOST_LISTED = 100

/** Lists the sessions of a user that are valid now, newest first. */
export const listSessions = (db: Database, email: string): Promise<readonly SessionRow[]> =>
  sessionRow.all(
    db,
    sql`SELECT ${sessionRow.columns()} FROM sessions
      WHERE email = ${email} AND revoked_at IS NULL AND expires_at > ${SQL_NOW}
      ORDER BY id DESC LIMIT ${MOST_LISTED}`,
  )

/** Returns whether a session is one of the user's. */
export const isSessionOf = (db: Database, email: string, id: string): Promise<boolean> =>
  exists(db, sql`SELECT 1 FROM sessions WHERE id = ${id} AND email = ${email}`)
