/** Members of a workspace. Concurrent changes never remove the last enabled admin of a workspace. */

import { normalizeEmail } from '#core/access/email.ts'
import { ROLES, type Role } from '#core/access/scope.ts'
import type { Database, Statement } from '../database.ts'
import { oneOf, type RowOf, row, text, time } from '../row.ts'
import type { NamePage } from '../search.ts'
import { SQL_NOW, sql } from '../sql.ts'

const memberRow = row({
  ws: text,
  email: text,
  name: text.nullable('u.name'),
  role: oneOf(ROLES),
  disabledAt: time.nullable,
  createdAt: time,
})
export type Member = RowOf<typeof memberRow>

/** Finds a member of the workspace by e-mail address, ignoring case. */
export const findMember = (db: Database, ws: string, email: string): Promise<Member | null> =>
  memberRow.one(
    db,
    sql`SELECT ${memberRow.columns('m')} FROM members m JOIN users u ON u.email = m.email
      WHERE m.ws = ${ws} AND m.email = ${normalizeEmail(email)}`,
  )

/** Lists the members of a workspace, by e-mail address. */
export const listMembers = (
  db: Database,
  ws: string,
  { after, limit }: NamePage,
): Promise<readonly Member[]> =>
  memberRow.all(
    db,
    sql`SELECT ${memberRow.columns('m')} FROM members m JOIN users u ON u.email = m.email
      WHERE m.ws = ${ws} AND m.email > ${after ?? ''} ORDER BY m.email LIMIT ${limit}`,
  )

/** A guard for statements that remove an admin: the workspace has another enabled admin. */
const HAS_OTHER_ADMIN = sql`EXISTS (SELECT 1 FROM members o WHERE o.ws = members.ws
  AND o.email <> members.email AND o.role = 'admin' AND o.disabled_at IS NULL)`
const IS_NO_ADMIN = sql`(role <> 'admin' OR disabled_at IS NOT NULL)`

export type MemberChange = Readonly<{
  ws: string
  email: string
  /** Null keeps it. */
  role: Role | null
  /** Null keeps it. */
  isDisabled: boolean | null
}>

/** Updates a member. Changes no row if that would leave the workspace without an enabled admin. */
export const updateMember = ({ ws, email, role, isDisabled }: MemberChange): Statement =>
  sql`UPDATE members SET role = COALESCE(${role}, role),
      disabled_at = CASE ${isDisabled} WHEN 1 THEN COALESCE(disabled_at, ${SQL_NOW}) WHEN 0 THEN NULL ELSE disabled_at END
    WHERE ws = ${ws} AND email = ${normalizeEmail(email)}
    AND (${role !== 'member' && isDisabled !== true} OR ${IS_NO_ADMIN} OR ${HAS_OTHER_ADMIN})`

/** Deletes a member. Changes no row if that would leave the workspace without an enabled admin. */
export const deleteMember = (ws: string, email: string): Statement =>
  sql`DELETE FROM members WHERE ws = ${ws} AND email = ${normalizeEmail(email)}
    AND (${IS_NO_ADMIN} OR ${HAS_OTHER_ADMIN})`
