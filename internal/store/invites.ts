/** Invites into a workspace; of the text in the link only the hash. An open one can be accepted once. */

import type { Role } from '#core/access/scope.ts'
import { normalizeEmail } from '#core/email.ts'
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

/** Inserts nothing where the address is a member of the workspace already, disabled or not. */
export const insertInvite = (invite: NewInvite): Statement =>
  sql(
    `INSERT INTO invites (id, ws, email, role, hash, created_by, expires_at, created_at)
     SELECT ?, ?, ?, ?, ?, ?, ${SQL_NOW} + ?, ${SQL_NOW}
     WHERE NOT EXISTS (SELECT 1 FROM members WHERE ws = ? AND email = ?) ON CONFLICT (id) DO NOTHING`,
    invite.id,
    invite.ws,
    invite.email,
    invite.role,
    invite.hash,
    invite.createdBy,
    invite.lifetimeMs,
    invite.ws,
    invite.email,
  )

export const deleteInvite = (ws: string, id: string): Statement =>
  sql('DELETE FROM invites WHERE ws = ? AND id = ?', ws, id)

/** Goes after the removal of the member, in the same batch: an old link must not bring the person back. */
export const deleteOpenInvitesOfRemoved = (ws: string, email: string): Statement =>
  sql(
    `DELETE FROM invites WHERE ws = ? AND email = ? AND accepted_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM members m WHERE m.ws = invites.ws AND m.email = invites.email)`,
    ws,
    normalizeEmail(email),
  )

const IS_OPEN = `i.accepted_at IS NULL AND i.expires_at > ${SQL_NOW}`

/** An account that exists is never touched. */
const insertInvitedUser = (id: string, name: string, passwordHash: string): Statement =>
  sql(
    `INSERT INTO users (email, name, password_hash, super_admin, invite_ws, created_at)
     SELECT i.email, ?, ?, 0, i.ws, ${SQL_NOW} FROM invites i WHERE i.id = ? AND ${IS_OPEN}
     ON CONFLICT DO NOTHING`,
    name,
    passwordHash,
    id,
  )

/**
 * Two statements; the last changes one row when the invite was accepted.
 * @param account which account may become the member, as a condition on its row `u`
 */
const joinByInvite = (id: string, account: Statement): readonly Statement[] => [
  sql(
    `INSERT INTO members (ws, email, role, invite_id, created_at)
     SELECT i.ws, u.email, i.role, i.id, ${SQL_NOW} FROM invites i JOIN users u ON u.email = i.email
     WHERE i.id = ? AND ${IS_OPEN} AND u.disabled_at IS NULL AND ${account.sql} ON CONFLICT DO NOTHING`,
    id,
    ...account.args,
  ),
  sql(
    `UPDATE invites AS i SET accepted_at = ${SQL_NOW} WHERE i.id = ? AND ${IS_OPEN} AND EXISTS (
       SELECT 1 FROM members m WHERE m.ws = i.ws AND m.email = i.email AND m.invite_id = i.id)`,
    id,
  ),
]

/** Makes the account too; the hash is salted, so that it names the account that this batch made and no other. */
export const acceptInviteAsNewUser = ({
  id,
  name,
  passwordHash,
}: Readonly<{ id: string; name: string; passwordHash: string }>): readonly Statement[] => [
  insertInvitedUser(id, name, passwordHash),
  ...joinByInvite(id, sql('u.password_hash = ?', passwordHash)),
]

/** For the account of the session, which must be the one that the invite names. */
export const acceptInviteBySession = (id: string, sessionId: string): readonly Statement[] =>
  joinByInvite(
    id,
    sql(
      `EXISTS (SELECT 1 FROM sessions s WHERE s.id = ? AND s.email = u.email
         AND s.revoked_at IS NULL AND s.expires_at > ${SQL_NOW})`,
      sessionId,
    ),
  )
