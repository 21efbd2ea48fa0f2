/**
 * Users of the instance and their membership in workspaces. Every address is brought into its one spelling here too, so
 * that a door which forgot cannot make a second person.
 */

import type { Role } from '#core/access/scope.ts'
import { normalizeEmail } from '#core/email.ts'
import { asNumber, asNumberOrNull, asText, asTextOrNull } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

export type User = Readonly<{
  email: string
  passwordHash: string | null
  isSuperAdmin: boolean
  disabledAt: number | null
  /** The workspace whose invite made the account; null: an operator made it. */
  inviteWs: string | null
}>

const COLUMNS = 'email, password_hash, super_admin, disabled_at, invite_ws'

const toUser = (row: Row): User => ({
  email: asText(row.email),
  passwordHash: asTextOrNull(row.password_hash),
  isSuperAdmin: asNumber(row.super_admin) === 1,
  disabledAt: asNumberOrNull(row.disabled_at),
  inviteWs: asTextOrNull(row.invite_ws),
})

export const findUser = async (db: Database, email: string): Promise<User | null> => {
  const row = await db.one(
    sql(`SELECT ${COLUMNS} FROM users WHERE email = ?`, normalizeEmail(email)),
  )
  return row === null ? null : toUser(row)
}

export const countSuperAdmins = async (db: Database): Promise<number> =>
  asNumber((await db.one(sql('SELECT count(*) AS n FROM users WHERE super_admin = 1')))?.n)

export type NewUser = Readonly<{
  email: string
  passwordHash: string | null
  isSuperAdmin: boolean
}>

/** A further condition lets the first start of two nodes make one administrator. */
export const insertUser = (user: NewUser, guard: Statement = sql('1')): Statement =>
  sql(
    `INSERT INTO users (email, password_hash, super_admin, created_at)
     SELECT ?, ?, ?, ${SQL_NOW} WHERE ${guard.sql} ON CONFLICT DO NOTHING`,
    normalizeEmail(user.email),
    user.passwordHash,
    user.isSuperAdmin ? 1 : 0,
    ...guard.args,
  )

/** A guard: nobody runs the instance yet. */
export const hasNoSuperAdmin: Statement = sql(
  'NOT EXISTS (SELECT 1 FROM users WHERE super_admin = 1)',
)

/** Does nothing when somebody runs the instance already. */
export const promoteFirstSuperAdmin = (email: string): Statement =>
  sql(
    `UPDATE users SET super_admin = 1 WHERE email = ? AND ${hasNoSuperAdmin.sql}`,
    normalizeEmail(email),
  )

export type Membership = Readonly<{ ws: string; email: string; role: Role }>

/**
 * Without the person's consent, so only for operators. An account that an invite of another workspace made is left out:
 * whoever made it may not own the address.
 */
export const insertMember = ({ ws, email, role }: Membership): Statement =>
  sql(
    `INSERT INTO members (ws, email, role, created_at)
     SELECT ?, email, ?, ${SQL_NOW} FROM users
     WHERE email = ? AND (invite_ws IS NULL OR invite_ws = ?) ON CONFLICT DO NOTHING`,
    ws,
    role,
    normalizeEmail(email),
    ws,
  )

/** Who runs the instance is an admin of its first workspace. */
export const insertSuperAdminsAsMembers = (ws: string): Statement =>
  sql(
    `INSERT INTO members (ws, email, role, created_at)
     SELECT ?, email, 'admin', ${SQL_NOW} FROM users
     WHERE super_admin = 1 AND EXISTS (SELECT 1 FROM workspaces WHERE id = ?)
     ON CONFLICT DO NOTHING`,
    ws,
    ws,
  )

/** The role of an enabled member, or null. */
export const findRole = async (db: Database, ws: string, email: string): Promise<Role | null> => {
  const row = await db.one(
    sql(
      'SELECT role FROM members WHERE ws = ? AND email = ? AND disabled_at IS NULL',
      ws,
      normalizeEmail(email),
    ),
  )
  if (row === null) return null
  return row.role === 'admin' ? 'admin' : 'member'
}

/** The workspaces of a person, by id; whoever runs the instance is admin of all. */
export const listMemberships = async (
  db: Database,
  email: string,
): Promise<readonly Readonly<{ id: string; role: Role }>[]> => {
  const rows = await db.all(
    sql(
      `SELECT w.id, CASE WHEN u.super_admin = 1 THEN 'admin' ELSE m.role END AS role
       FROM users u JOIN workspaces w
       LEFT JOIN members m ON m.ws = w.id AND m.email = u.email AND m.disabled_at IS NULL
       WHERE u.email = ? AND (u.super_admin = 1 OR m.role IS NOT NULL) ORDER BY w.id`,
      normalizeEmail(email),
    ),
  )
  return rows.map((row) => ({
    id: asText(row.id),
    role: row.role === 'admin' ? 'admin' : 'member',
  }))
}

export type UserPage = Readonly<{ afterEmail: string | null; limit: number }>

/** By e-mail address. */
export const listUsers = async (
  db: Database,
  { afterEmail, limit }: UserPage,
): Promise<readonly User[]> => {
  const rows = await db.all(
    sql(
      `SELECT ${COLUMNS} FROM users
       WHERE email > ? ORDER BY email LIMIT ?`,
      afterEmail ?? '',
      limit,
    ),
  )
  return rows.map(toUser)
}

export type PasswordUpdate = Readonly<{ email: string; before: string; passwordHash: string }>

/** Changes no row when somebody else changed it meanwhile. */
export const updatePassword = ({ email, before, passwordHash }: PasswordUpdate): Statement =>
  sql(
    'UPDATE users SET password_hash = ? WHERE email = ? AND password_hash = ?',
    passwordHash,
    normalizeEmail(email),
    before,
  )

export const updateUserDisabled = (email: string, isDisabled: boolean): Statement =>
  sql(
    `UPDATE users SET disabled_at = CASE WHEN ? THEN COALESCE(disabled_at, ${SQL_NOW}) END
     WHERE email = ?`,
    isDisabled ? 1 : 0,
    normalizeEmail(email),
  )

/** Somebody must go on to run the instance. */
const IS_NOT_LAST_SUPER_ADMIN = `EXISTS (SELECT 1 FROM users u WHERE u.email = ? AND (u.super_admin = 0
  OR EXISTS (SELECT 1 FROM users o WHERE o.super_admin = 1 AND o.disabled_at IS NULL AND o.email <> u.email)))`

/**
 * The account with everything that acts in its name; the last statement changes one row. Changes nothing when it is the
 * last super admin.
 */
export const deleteUser = (email: string): readonly Statement[] =>
  ['sessions', 'tokens', 'members', 'device_logins', 'users'].map((table) =>
    sql(
      `DELETE FROM ${table} WHERE email = ? AND ${IS_NOT_LAST_SUPER_ADMIN}`,
      normalizeEmail(email),
      normalizeEmail(email),
    ),
  )
