/**
 * Users of the instance and their membership in workspaces. Addresses are also normalized here, so that an endpoint that
 * forgets it cannot create a second user for one address.
 */

import { normalizeEmail } from '#core/access/email.ts'
import { ROLES, type Role } from '#core/access/scope.ts'
import type { Database, Reader, Statement } from '../database.ts'
import { bool, count, exists, oneOf, type RowOf, row, text, time } from '../row.ts'
import type { NamePage } from '../search.ts'
import { raw, SQL_NOW, sql, TRUE } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'

const userRow = row({
  email: text,
  passwordHash: text.nullable,
  isSuperAdmin: bool('super_admin'),
  disabledAt: time.nullable,
  /** The workspace whose invite created the account; null if an operator created it. */
  inviteWs: text.nullable,
})
export type User = RowOf<typeof userRow>

/** Finds a user by e-mail address, ignoring case. */
export const findUser = (db: Database, email: string): Promise<User | null> =>
  userRow.one(
    db,
    sql`SELECT ${userRow.columns()} FROM users WHERE email = ${normalizeEmail(email)}`,
  )

/** Counts the super admins of the instance, including disabled ones. */
export const countSuperAdmins = (db: Database): Promise<number> =>
  count(db, sql`SELECT count(*) FROM users WHERE super_admin = 1`)

export type NewUser = Readonly<{
  email: string
  passwordHash: string | null
  isSuperAdmin: boolean
}>

/** Inserts a user if `guard` is true. The guard prevents two nodes that start together from creating two administrators. */
export const insertUser = (user: NewUser, guard: Statement = TRUE): Statement =>
  sql`INSERT INTO users (email, password_hash, super_admin, created_at)
    SELECT ${normalizeEmail(user.email)}, ${user.passwordHash}, ${user.isSuperAdmin}, ${SQL_NOW}
    WHERE ${guard} ON CONFLICT DO NOTHING`

/** A guard: the instance has no super admin yet. */
export const hasNoSuperAdmin: Statement = sql`NOT EXISTS (SELECT 1 FROM users WHERE super_admin = 1)`

/** Makes the user super admin unless the instance has one. Users who came with an imported workspace get the password. */
export const promoteFirstSuperAdmin = ({ email, passwordHash }: NewUser): Statement =>
  sql`UPDATE users SET super_admin = 1, password_hash = COALESCE(password_hash, ${passwordHash}) WHERE email = ${normalizeEmail(email)} AND ${hasNoSuperAdmin}`

export type Membership = Readonly<{ ws: string; email: string; role: Role }>

/**
 * Adds a member without an invite, so only for operators. Does nothing for an account that an invite of another workspace
 * created, because its creator may not own the address.
 */
export const insertMember = ({ ws, email, role }: Membership): Statement =>
  sql`INSERT INTO members (ws, email, role, created_at)
    SELECT ${ws}, email, ${role}, ${SQL_NOW} FROM users
    WHERE email = ${normalizeEmail(email)} AND (invite_ws IS NULL OR invite_ws = ${ws}) ON CONFLICT DO NOTHING`

/** Makes every super admin an admin of the workspace, if it exists. */
export const insertSuperAdminsAsMembers = (ws: string): Statement =>
  sql`INSERT INTO members (ws, email, role, created_at)
    SELECT ${ws}, email, 'admin', ${SQL_NOW} FROM users
    WHERE super_admin = 1 AND EXISTS (SELECT 1 FROM workspaces WHERE id = ${ws})
    ON CONFLICT DO NOTHING`

/** Finds the role of an enabled member, or null. */
export const findRole = (db: Database, ws: string, email: string): Promise<Role | null> =>
  oneOf(ROLES).one(
    db,
    sql`SELECT role FROM members
      WHERE ws = ${ws} AND email = ${normalizeEmail(email)} AND disabled_at IS NULL`,
  )

const membershipRow = row({ id: text, role: oneOf(ROLES) })

/** Lists the workspaces of a user and the role in each, by id. A super admin is admin of all. */
export const listMemberships = (
  db: Database,
  email: string,
): Promise<readonly RowOf<typeof membershipRow>[]> =>
  membershipRow.all(
    db,
    sql`SELECT w.id, CASE WHEN u.super_admin = 1 THEN 'admin' ELSE m.role END AS role
      FROM users u JOIN workspaces w
      LEFT JOIN members m ON m.ws = w.id AND m.email = u.email AND m.disabled_at IS NULL
      WHERE u.email = ${normalizeEmail(email)} AND (u.super_admin = 1 OR m.role IS NOT NULL)
        AND ${isNotHeld('w.id')} ORDER BY w.id`,
  )

const accountRow = row({
  email: text,
  name: text.nullable,
  isSuperAdmin: bool('super_admin'),
  disabledAt: time.nullable,
})
/** What decides whether a person may act, in any cell. */
export type Account = RowOf<typeof accountRow>

/** Finds an account in the home cell. A row may be reused for 250 ms, like that of a token. */
export const findAccount = (home: Reader, email: string): Promise<Account | null> =>
  accountRow.one(home, sql`SELECT ${accountRow.columns()} FROM users WHERE email = ${email}`, {
    reuse: true,
  })

/**
 * Inserts the row that members and tokens of another cell refer to. It grants nothing: passwords, rights and whether the
 * account is disabled are read in the home cell.
 */
export const insertAccountCopy = ({ email, name }: Pick<Account, 'email' | 'name'>): Statement =>
  sql`INSERT INTO users (email, name, super_admin, created_at) VALUES (${email}, ${name}, 0, ${SQL_NOW})
    ON CONFLICT DO NOTHING`

/** Lists the workspaces of a person in another cell and the role in each, by id. */
export const listMembershipsInCell = (
  cell: Reader,
  { email, isSuperAdmin }: Pick<Account, 'email' | 'isSuperAdmin'>,
): Promise<readonly RowOf<typeof membershipRow>[]> =>
  membershipRow.all(
    cell,
    sql`SELECT w.id, CASE WHEN ${isSuperAdmin} THEN 'admin' ELSE m.role END AS role
      FROM workspaces w LEFT JOIN members m ON m.ws = w.id AND m.email = ${email} AND m.disabled_at IS NULL
      WHERE (${isSuperAdmin} OR m.role IS NOT NULL) AND ${isNotHeld('w.id')} ORDER BY w.id`,
  )

const cellMembershipRow = row({ id: text, role: oneOf(ROLES).nullable('m.role') })

/** Finds the role of a person in a workspace of another cell; null if there is no such workspace. */
export const findMembershipInCell = (
  cell: Reader,
  ws: string,
  email: string,
): Promise<Readonly<{ id: string; role: Role | null }> | null> =>
  cellMembershipRow.one(
    cell,
    sql`SELECT w.id, m.role FROM workspaces w
      LEFT JOIN members m ON m.ws = w.id AND m.email = ${email} AND m.disabled_at IS NULL
      WHERE w.id = ${ws} AND ${isNotHeld('w.id')}`,
  )

/** Deletes what acts for an account in another cell, before the account itself is deleted in the home cell. */
export const deleteAccountCopy = (email: string): readonly Statement[] => [
  sql`DELETE FROM tokens WHERE email = ${email}`,
  sql`DELETE FROM members WHERE email = ${email}`,
  sql`DELETE FROM users WHERE email = ${email}`,
]

/** Lists the users of the instance, by e-mail address. */
export const listUsers = (db: Database, { after, limit }: NamePage): Promise<readonly User[]> =>
  userRow.all(
    db,
    sql`SELECT ${userRow.columns()} FROM users
      WHERE email > ${after ?? ''} ORDER BY email LIMIT ${limit}`,
  )

/** Removes the password of an account that an invite created, and proves its address. Changes no other account. */
export const clearInvitedPassword = (email: string): Statement =>
  sql`UPDATE users SET password_hash = NULL, invite_ws = NULL WHERE email = ${email} AND invite_ws IS NOT NULL`

/** A condition: the account has the password with this hash. Each hash is salted, so it identifies one setting of a password. */
export const hasPassword = (email: string, passwordHash: string): Statement =>
  sql`EXISTS (SELECT 1 FROM users WHERE email = ${email} AND password_hash = ${passwordHash})`

export type PasswordUpdate = Readonly<{ email: string; before: string; passwordHash: string }>

/** Changes a password. Changes no row if it was changed meanwhile. */
export const updatePassword = ({ email, before, passwordHash }: PasswordUpdate): Statement =>
  sql`UPDATE users SET password_hash = ${passwordHash} WHERE email = ${normalizeEmail(email)}
    AND password_hash = ${before}`

/** Sets a password, whatever the account had before. */
export const setPassword = (email: string, passwordHash: string): Statement =>
  sql`UPDATE users SET password_hash = ${passwordHash} WHERE email = ${email}`

/** A guard: the account exists, and without it the instance still has an enabled super admin. */
const isNotLastSuperAdmin = (email: string): Statement =>
  sql`EXISTS (SELECT 1 FROM users u WHERE u.email = ${email} AND (u.super_admin = 0
    OR EXISTS (SELECT 1 FROM users o WHERE o.super_admin = 1 AND o.disabled_at IS NULL AND o.email <> u.email)))`

/** Disables or enables an account. Disabling twice keeps the first time. Does not disable the last enabled super admin. */
export const updateUserDisabled = (address: string, isDisabled: boolean): Statement => {
  const email = normalizeEmail(address)
  return sql`UPDATE users SET disabled_at = CASE WHEN ${isDisabled} THEN COALESCE(disabled_at, ${SQL_NOW}) END
    WHERE email = ${email} AND (NOT ${isDisabled} OR ${isNotLastSuperAdmin(email)})`
}

/** Returns whether the account exists and the instance still has an enabled super admin without it. */
export const mayBeRemoved = (db: Database, email: string): Promise<boolean> =>
  exists(db, sql`SELECT 1 WHERE ${isNotLastSuperAdmin(email)}`)

const deleteRows = (table: string, email: string): Statement =>
  sql`DELETE FROM ${raw(table)} WHERE email = ${email} AND ${isNotLastSuperAdmin(email)}`

/**
 * Deletes the account with everything that acts in its name. `user` changes one row if it did. Changes nothing for the last
 * super admin.
 */
export const deleteUser = (address: string) => {
  const email = normalizeEmail(address)
  return {
    traces: ['sessions', 'tokens', 'members', 'device_logins', 'two_factors', 'recovery_codes'].map(
      (table) => deleteRows(table, email),
    ),
    user: deleteRows('users', email),
  }
}
