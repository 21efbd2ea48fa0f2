/**
 * Members: added by an operator, changed, removed. What they hold is read anew at each request, so every change works at
 * once. Admins of a workspace add nobody: they invite, and the person accepts (invite.ts, accept-invite.ts).
 */

import type { Role } from '#core/access/scope.ts'
import { type Actor, CLI_ACTOR } from '#core/actor.ts'
import { normalizeEmail } from '#core/email.ts'
import { type AppError, conflict, notFound } from '#core/error.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import { deleteOpenInvitesOfRemoved } from '#store/invites.ts'
import { deleteMember, findMember, type Member, updateMember } from '#store/members.ts'
import { revokeTokensOfRemoved } from '#store/tokens.ts'
import { findUser, insertMember, type User } from '#store/users.ts'
import { requireWorkspace } from './change-workspace.ts'
import type { Deps } from './deps.ts'
import { alreadyMember } from './invite.ts'

type MemberDeps = Pick<Deps, 'db' | 'newId'>

export type MemberAct = Readonly<{ ws: string; email: string; actor: Actor }>

/** @throws {AppError} not_found */
const requireMember = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  email: string,
): Promise<Member> => {
  const member = await findMember(db, ws, email)
  if (member === null)
    throw notFound(`Member "${normalizeEmail(email)}"`, { code: 'member_not_found' })
  return member
}

const lastAdmin = (): AppError =>
  conflict('The workspace would be left without an admin. Make somebody else admin first.', {
    code: 'last_admin',
  })

export type NewMember = Readonly<{
  ws: string
  email: string
  role: Role
  /** @default whoever runs a command here */
  actor?: Actor
}>

const unprovenAddress = ({ email, inviteWs }: User): AppError =>
  conflict(
    `An invite of the workspace "${inviteWs}" made the account ${email}, so it may not belong to the owner of that address. Invite the address instead.`,
    { code: 'unproven_address' },
  )

/**
 * Without the person's consent: for operators, who make the account themselves.
 * @throws {AppError} not_found `user_not_found` or the workspace; conflict `member_exists`, `unproven_address`
 */
export const addMember = async (
  deps: MemberDeps,
  { ws, email, role, actor = CLI_ACTOR }: NewMember,
): Promise<Member> => {
  await requireWorkspace(deps, ws)
  const user = await findUser(deps.db, email)
  if (user === null) {
    throw notFound(`User "${normalizeEmail(email)}"`, { code: 'user_not_found' })
  }
  const entry = {
    id: deps.newId(),
    ws,
    actor,
    action: 'member.added',
    target: normalizeEmail(email),
  }
  const [result] = await deps.db.write([
    insertMember({ ws, email, role }),
    insertAuditEntryIfChanged(entry),
  ])
  if (result?.changes !== 1) {
    throw (await findMember(deps.db, ws, email)) === null
      ? unprovenAddress(user)
      : alreadyMember(user.email)
  }
  return requireMember(deps, ws, email)
}

export type MemberWish = Readonly<{ role?: Role | undefined; disabled?: boolean | undefined }>

/** @throws {AppError} not_found, conflict `last_admin` */
export const changeMember = async (
  deps: MemberDeps,
  { ws, email, actor, role, disabled }: MemberAct & MemberWish,
): Promise<Member> => {
  const known = await requireMember(deps, ws, email)
  const change = {
    ws,
    email,
    role: role ?? known.role,
    isDisabled: disabled ?? known.disabledAt !== null,
  }
  const entry = { id: deps.newId(), ws, actor, action: 'member.changed', target: known.email }
  const [result] = await deps.db.write([updateMember(change), insertAuditEntryIfChanged(entry)])
  if (result?.changes !== 1) throw lastAdmin()
  return requireMember(deps, ws, email)
}

/** The account stays; its tokens for this workspace and open invites end. @throws {AppError} not_found, conflict `last_admin` */
export const removeMember = async (
  deps: MemberDeps,
  { ws, email, actor }: MemberAct,
): Promise<void> => {
  const known = await requireMember(deps, ws, email)
  const entry = { id: deps.newId(), ws, actor, action: 'member.removed', target: known.email }
  const [result] = await deps.db.write([
    deleteMember(ws, email),
    insertAuditEntryIfChanged(entry),
    revokeTokensOfRemoved(ws, email),
    deleteOpenInvitesOfRemoved(ws, email),
  ])
  if (result?.changes !== 1) throw lastAdmin()
}
