/** Decides whether a person may still act in a workspace when work that they requested earlier goes on. */
import { findMember } from '#store/people/members.ts'
import { findAccount } from '#store/people/users.ts'
import type { Deps } from '../deps.ts'

/** Whether the account is enabled, and is an enabled member or a super admin. */
export const mayAct = async (
  { db, home }: Pick<Deps, 'db' | 'home'>,
  { ws, email }: Readonly<{ ws: string; email: string }>,
): Promise<boolean> => {
  const account = await findAccount(home, email)
  if (account === null || account.disabledAt !== null) return false
  if (account.isSuperAdmin) return true
  const member = await findMember(db, ws, email)
  return member !== null && member.disabledAt === null
}
