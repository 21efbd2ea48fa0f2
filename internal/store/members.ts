/** Members of a workspace. A workspace that has an enabled admin keeps one, whoever changes what at once. */

import type { Role } from '#core/access/scope.ts'
import { normalizeEmail } from '#core/email.ts'
import { asNumber, asNumberOrNull, asText, asTextOrNull } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

export type Member = Readonly<{
  ws: string
  email: string
  name: string | null
  role: Role
  disabledAt: number | null
  createdAt: number
}>

const COLUMNS = 'm.ws, m.email, u.name, m.role, m.disabled_at, m.created_at'

const toMember = (row: Row): Member => ({
  ws: asText(row.ws),
  email: asText(row.email),
  name: asTextOrNull(row.name),
  role: row.role === 'admin' ? 'admin' : 'member',
  disabledAt: asNumberOrNull(row.disabled_at),
  createdAt: asNumber(row.created_at),
})

export const findMember = async (
  db: Database,
  ws: string,
  email: string,
): Promise<Member | null> => {
  const row = await db.one(
    sql(
      `SELECT ${COLUMNS} FROM members m JOIN users u ON u.email = m.email
       WHERE m.ws = ? AND m.email = ?`,
      ws,
      normalizeEmail(email),
    ),
  )
  return row === null ? null : toMember(row)
}

export type MemberPage = Readonly<{ afterEmail: string | null; limit: number }>

/** By e-mail address. */
export const listMembers = async (
  db: Database,
  ws: string,
  { afterEmail, limit }: MemberPage,
): Promise<readonly Member[]> => {
  const rows = await db.all(
    sql(
      `SELECT ${COLUMNS} FROM members m JOIN users u ON u.email = m.email
       WHERE m.ws = ? AND m.email > ? ORDER BY m.email LIMIT ?`,
      ws,
      afterEmail ?? '',
      limit,
    ),
  )
  return rows.map(toMember)
}

/** Somebody else could go on: a guard for whatever takes an admin away. */
const HAS_OTHER_ADMIN = `EXISTS (SELECT 1 FROM members o WHERE o.ws = members.ws
  AND o.email <> members.email AND o.role = 'admin' AND o.disabled_at IS NULL)`
const IS_NO_ADMIN = "(role <> 'admin' OR disabled_at IS NOT NULL)"

export type MemberChange = Readonly<{
  ws: string
  email: string
  role: Role
  isDisabled: boolean
}>

/** Changes no row when the workspace would be left without an enabled admin. */
export const updateMember = ({ ws, email, role, isDisabled }: MemberChange): Statement =>
  sql(
    `UPDATE members SET role = ?, disabled_at = CASE WHEN ? THEN COALESCE(disabled_at, ${SQL_NOW}) END
     WHERE ws = ? AND email = ? AND (? OR ${IS_NO_ADMIN} OR ${HAS_OTHER_ADMIN})`,
    role,
    isDisabled ? 1 : 0,
    ws,
    normalizeEmail(email),
    role === 'admin' && !isDisabled ? 1 : 0,
  )

/** Changes no row when the workspace would be left without an enabled admin. */
export const deleteMember = (ws: string, email: string): Statement =>
  sql(
    `DELETE FROM members WHERE ws = ? AND email = ? AND (${IS_NO_ADMIN} OR ${HAS_OTHER_ADMIN})`,
    ws,
    normalizeEmail(email),
  )
