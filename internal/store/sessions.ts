/** Browser sessions: hash only, never the cookie's text. */
import type { Role } from '#core/access/scope.ts'
import { asText } from './column.ts'
import { type Database, SQL_NOW, type Statement, sql } from './database.ts'

/** A session with what decides whether it still counts, and its user's place in one workspace. */
export type SessionHolder = Readonly<{
  id: string
  email: string
  isExpired: boolean
  isRevoked: boolean
  userDisabled: boolean
  isSuperAdmin: boolean
  workspaceExists: boolean
  /** Null: no enabled member of the workspace that was asked for. */
  role: Role | null
}>

/** One read for the whole check; expiry is decided by the database's clock. @param ws empty: no workspace */
export const findSessionByHash = async (
  db: Database,
  hash: string,
  ws: string,
): Promise<SessionHolder | null> => {
  const row = await db.one(
    sql(
      `SELECT s.id, s.email, s.expires_at <= ${SQL_NOW} AS expired, s.revoked_at IS NOT NULL AS revoked,
         u.disabled_at IS NOT NULL AS user_disabled, u.super_admin,
         w.id IS NOT NULL AS workspace_exists, m.role
       FROM sessions s JOIN users u ON u.email = s.email
       LEFT JOIN workspaces w ON w.id = ?
       LEFT JOIN members m ON m.ws = w.id AND m.email = s.email AND m.disabled_at IS NULL
       WHERE s.hash = ?`,
      ws,
      hash,
    ),
  )
  if (row === null) return null
  return {
    id: asText(row.id),
    email: asText(row.email),
    isExpired: row.expired === 1,
    isRevoked: row.revoked === 1,
    userDisabled: row.user_disabled === 1,
    isSuperAdmin: row.super_admin === 1,
    workspaceExists: row.workspace_exists === 1,
    role: row.role === 'admin' || row.role === 'member' ? row.role : null,
  }
}

export type NewSession = Readonly<{
  id: string
  email: string
  hash: string
  address: string | null
  lifetimeMs: number
}>

export const insertSession = (session: NewSession): Statement =>
  sql(
    `INSERT INTO sessions (id, email, hash, address, expires_at, created_at)
     VALUES (?, ?, ?, ?, ${SQL_NOW} + ?, ${SQL_NOW}) ON CONFLICT (id) DO NOTHING`,
    session.id,
    session.email,
    session.hash,
    session.address,
    session.lifetimeMs,
  )

export const revokeSession = (id: string): Statement =>
  sql(`UPDATE sessions SET revoked_at = ${SQL_NOW} WHERE id = ? AND revoked_at IS NULL`, id)

/** All of a user but one: whoever changes the password stays signed in. */
export const revokeOtherSessions = (email: string, keptId: string): Statement =>
  sql(
    `UPDATE sessions SET revoked_at = ${SQL_NOW}
     WHERE email = ? AND id <> ? AND revoked_at IS NULL`,
    email,
    keptId,
  )
