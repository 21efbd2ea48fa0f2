/** Invites into a workspace. Only a hash of the link's text is stored. An open invite can be accepted once. */

import { normalizeEmail } from '#core/access/email.ts'
import { ROLES } from '#core/access/scope.ts'
import type { Database, Statement } from '../database.ts'
import { exists, oneOf, type RowOf, row, text, time } from '../row.ts'
import { type IdPage, isBehind } from '../search.ts'
import { SQL_NOW, sql, TRUE } from '../sql.ts'
import { type Account, insertAccountCopy } from './users.ts'

const inviteRow = row({
  id: text,
  ws: text,
  email: text,
  role: oneOf(ROLES),
  createdBy: text,
  expiresAt: time,
  acceptedAt: time.nullable,
  createdAt: time,
})
export type Invite = RowOf<typeof inviteRow>

export type FoundInvite = Readonly<{ invite: Invite; isExpired: boolean }>

/** Finds the invite with this hash in any workspace. The database's clock decides whether it has expired. */
export const findInviteByHash = async (db: Database, hash: string): Promise<FoundInvite | null> => {
  const row = await db.one(
    sql`SELECT ${inviteRow.columns()}, expires_at <= ${SQL_NOW} AS expired FROM invites WHERE hash = ${hash}`,
  )
  return row === null ? null : { invite: inviteRow.read(row), isExpired: row.expired === 1 }
}

/** Finds an invite of the workspace. */
export const findInvite = (db: Database, ws: string, id: string): Promise<Invite | null> =>
  inviteRow.one(db, sql`SELECT ${inviteRow.columns()} FROM invites WHERE ws = ${ws} AND id = ${id}`)

/** Returns whether an invite is open for an e-mail address, in any workspace. */
export const hasOpenInvite = (db: Database, email: string): Promise<boolean> =>
  exists(
    db,
    sql`SELECT 1 FROM invites WHERE email = ${email} AND accepted_at IS NULL AND expires_at > ${SQL_NOW}`,
  )

/** Lists the invites of a workspace, newest first. */
export const listInvites = (
  db: Database,
  ws: string,
  { beforeId, limit }: IdPage,
): Promise<readonly Invite[]> =>
  inviteRow.all(
    db,
    sql`SELECT ${inviteRow.columns()} FROM invites WHERE ws = ${ws} AND ${isBehind('id', beforeId)}
      ORDER BY id DESC LIMIT ${limit}`,
  )

export type NewInvite = Pick<Invite, 'id' | 'ws' | 'email' | 'role' | 'createdBy'> &
  Readonly<{ hash: string; lifetimeMs: number }>

/** Inserts an invite. Inserts nothing if the address is already a member, disabled or not. */
export const insertInvite = (invite: NewInvite): Statement =>
  sql`INSERT INTO invites (id, ws, email, role, hash, created_by, expires_at, created_at)
    SELECT ${invite.id}, ${invite.ws}, ${invite.email}, ${invite.role}, ${invite.hash}, ${invite.createdBy},
      ${SQL_NOW} + ${invite.lifetimeMs}, ${SQL_NOW}
    WHERE NOT EXISTS (SELECT 1 FROM members WHERE ws = ${invite.ws} AND email = ${invite.email})
    ON CONFLICT (id) DO NOTHING`

/** Deletes an invite, so that its link no longer works. */
export const deleteInvite = (ws: string, id: string): Statement =>
  sql`DELETE FROM invites WHERE ws = ${ws} AND id = ${id}`

/** Deletes open invites. Runs after the removal of the member in the same batch, so that an old link does not add them again. */
export const deleteOpenInvitesOfRemoved = (ws: string, email: string): Statement =>
  sql`DELETE FROM invites WHERE ws = ${ws} AND email = ${normalizeEmail(email)} AND accepted_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM members m WHERE m.ws = invites.ws AND m.email = invites.email)`

/**
 * Deletes the open invites of a person who may no longer invite. Runs after the change in the same batch, so that a former admin
 * keeps no way back.
 * @param ws null for those of all workspaces
 */
export const deleteOpenInvitesByFormerAdmin = (email: string, ws: string | null): Statement =>
  sql`DELETE FROM invites WHERE ws = COALESCE(${ws}, ws) AND created_by = ${normalizeEmail(email)} AND accepted_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM users u
        LEFT JOIN members m ON m.ws = invites.ws AND m.email = u.email AND m.disabled_at IS NULL
        WHERE u.email = invites.created_by AND u.disabled_at IS NULL AND (u.super_admin = 1 OR m.role = 'admin'))`

const IS_OPEN = sql`i.accepted_at IS NULL AND i.expires_at > ${SQL_NOW}`

/** Inserts the account of an invited person. It never changes an existing account. */
const insertInvitedUser = (id: string, name: string, passwordHash: string): Statement =>
  sql`INSERT INTO users (email, name, password_hash, super_admin, invite_ws, created_at)
    SELECT i.email, ${name}, ${passwordHash}, 0, i.ws, ${SQL_NOW} FROM invites i WHERE i.id = ${id} AND ${IS_OPEN}
    ON CONFLICT DO NOTHING`

export type AcceptInvite = Readonly<{
  /** Creates the account if the invited person has none. */
  user: Statement | null
  member: Statement
  /** Changes one row if the invite was accepted. */
  accepted: Statement
}>

/** @param account a condition on the row `u` of the account that may become the member */
const joinByInvite = (id: string, account: Statement): AcceptInvite => ({
  user: null,
  member: sql`INSERT INTO members (ws, email, role, invite_id, created_at)
    SELECT i.ws, u.email, i.role, i.id, ${SQL_NOW} FROM invites i JOIN users u ON u.email = i.email
    WHERE i.id = ${id} AND ${IS_OPEN} AND u.disabled_at IS NULL AND ${account} ON CONFLICT DO NOTHING`,
  accepted: sql`UPDATE invites AS i SET accepted_at = ${SQL_NOW} WHERE i.id = ${id} AND ${IS_OPEN} AND EXISTS (
      SELECT 1 FROM members m WHERE m.ws = i.ws AND m.email = i.email AND m.invite_id = i.id)`,
})

/**
 * Creates the account and adds it to the workspace. The hash is salted, so it identifies exactly the account that this batch
 * created.
 */
export const acceptInviteAsNewUser = ({
  id,
  name,
  passwordHash,
}: Readonly<{ id: string; name: string; passwordHash: string }>): AcceptInvite => ({
  ...joinByInvite(id, sql`u.password_hash = ${passwordHash}`),
  user: insertInvitedUser(id, name, passwordHash),
})

/** Creates an account for an invite that is stored in another cell. It never changes an existing account. */
export const insertInvitedAccount = ({
  ws,
  email,
  name,
  passwordHash,
}: Readonly<{ ws: string; email: string; name: string; passwordHash: string }>): Statement =>
  sql`INSERT INTO users (email, name, password_hash, super_admin, invite_ws, created_at)
    VALUES (${email}, ${name}, ${passwordHash}, 0, ${ws}, ${SQL_NOW}) ON CONFLICT DO NOTHING`

/** Adds an account that the caller has proved in the home cell to a workspace of another cell. */
export const acceptInviteInCell = (
  id: string,
  account: Pick<Account, 'email' | 'name'>,
): AcceptInvite => ({ ...joinByInvite(id, TRUE), user: insertAccountCopy(account) })

/** Adds the account of the session, which must be the one that the invite names. */
export const acceptInviteBySession = (id: string, sessionId: string): AcceptInvite =>
  joinByInvite(
    id,
    sql`EXISTS (SELECT 1 FROM sessions s WHERE s.id = ${sessionId} AND s.email = u.email
        AND s.revoked_at IS NULL AND s.expires_at > ${SQL_NOW})`,
  )
