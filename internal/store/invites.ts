/** Invites into a workspace; of the text in the link only the hash. An open one can be accepted once. */
import type { Role } from '#core/scope.ts'
import { asNumber, asNumberOrNull, asText } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

export type Invite = Readonly<{
  id: string
  ws: string
  email: string
  role: Role
  createdBy: string
  expiresAt: number
  acceptedAt: number | null
  createdAt: number
}>

const COLUMNS = 'id, ws, email, role, created_by, expires_at, accepted_at, created_at'

const toInvite = (row: Row): Invite => ({
  id: asText(row.id),
  ws: asText(row.ws),
  email: asText(row.email),
  role: row.role === 'admin' ? 'admin' : 'member',
  createdBy: asText(row.created_by),
  expiresAt: asNumber(row.expires_at),
  acceptedAt: asNumberOrNull(row.accepted_at),
  createdAt: asNumber(row.created_at),
})

export type FoundInvite = Readonly<{ invite: Invite; isExpired: boolean }>

/** Expiry is decided by the database's clock. */
export const findInviteByHash = async (db: Database, hash: string): Promise<FoundInvite | null> => {
  const row = await db.one(
    sql(`SELECT ${COLUMNS}, expires_at <= ${SQL_NOW} AS expired FROM invites WHERE hash = ?`, hash),
  )
  return row === null ? null : { invite: toInvite(row), isExpired: row.expired === 1 }
}

export const findInvite = async (db: Database, ws: string, id: string): Promise<Invite | null> => {
  const row = await db.one(sql(`SELECT ${COLUMNS} FROM invites WHERE ws = ? AND id = ?`, ws, id))
  return row === null ? null : toInvite(row)
}

export type InvitePage = Readonly<{ beforeId: string | null; limit: number }>

/** Newest first. */
export const listInvites = async (
  db: Database,
  ws: string,
  { beforeId, limit }: InvitePage,
): Promise<readonly Invite[]> => {
  const rows = await db.all(
    sql(
      `SELECT ${COLUMNS} FROM invites WHERE ws = ? AND (? IS NULL OR id < ?)
       ORDER BY id DESC LIMIT ?`,
      ws,
      beforeId,
      beforeId,
      limit,
    ),
  )
  return rows.map(toInvite)
}

export type NewInvite = Pick<Invite, 'id' | 'ws' | 'email' | 'role' | 'createdBy'> &
  Readonly<{ hash: string; lifetimeMs: number }>

export const insertInvite = (invite: NewInvite): Statement =>
  sql(
    `INSERT INTO invites (id, ws, email, role, hash, created_by, expires_at, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ${SQL_NOW} + ?, ${SQL_NOW}) ON CONFLICT (id) DO NOTHING`,
    invite.id,
    invite.ws,
    invite.email,
    invite.role,
    invite.hash,
    invite.createdBy,
    invite.lifetimeMs,
  )

export const deleteInvite = (ws: string, id: string): Statement =>
  sql('DELETE FROM invites WHERE ws = ? AND id = ?', ws, id)

const IS_OPEN = `i.accepted_at IS NULL AND i.expires_at > ${SQL_NOW}`

/** Who has no account yet gets one; an account that is there is never touched. */
const insertInvitedUser = (id: string, name: string, passwordHash: string): Statement =>
  sql(
    `INSERT INTO users (email, name, password_hash, super_admin, created_at)
     SELECT i.email, ?, ?, 0, ${SQL_NOW} FROM invites i WHERE i.id = ? AND ${IS_OPEN}
     ON CONFLICT DO NOTHING`,
    name,
    passwordHash,
    id,
  )

/**
 * Three statements; the last changes one row when the invite was accepted. `passwordHash` is that of the account, the
 * one just made or the one whose password was given: another account that came first is let be.
 */
export const acceptInvite = ({
  id,
  name,
  passwordHash,
}: Readonly<{ id: string; name: string; passwordHash: string }>): readonly Statement[] => [
  insertInvitedUser(id, name, passwordHash),
  sql(
    `INSERT INTO members (ws, email, role, created_at)
     SELECT i.ws, u.email, i.role, ${SQL_NOW} FROM invites i JOIN users u ON u.email = i.email
     WHERE i.id = ? AND ${IS_OPEN} AND u.password_hash = ? ON CONFLICT DO NOTHING`,
    id,
    passwordHash,
  ),
  sql(
    `UPDATE invites AS i SET accepted_at = ${SQL_NOW} WHERE i.id = ? AND ${IS_OPEN}
       AND EXISTS (SELECT 1 FROM users u WHERE u.email = i.email AND u.password_hash = ?)`,
    id,
    passwordHash,
  ),
]
