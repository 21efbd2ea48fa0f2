/**
 * Use cases of members. Roles are read at each request, so every change takes effect at once. Only operators add members;
 * admins of a workspace invite people, who accept (invite.ts, accept-invite.ts).
 */

import { type Actor, CLI_ACTOR } from '#core/access/actor.ts'
import { normalizeEmail } from '#core/access/email.ts'
import type { Role } from '#core/access/scope.ts'
import { type AppError, conflict, notFound } from '#core/error.ts'
import { revokeTokens, revokeTokensOfRemoved } from '#store/credentials/tokens.ts'
import {
  deleteOpenInvitesByFormerAdmin,
  deleteOpenInvitesOfRemoved,
} from '#store/people/invites.ts'
import { deleteMember, findMember, type Member, updateMember } from '#store/people/members.ts'
import { insertMember, type User } from '#store/people/users.ts'
import { audited } from '../audited.ts'
import { copyAccount } from '../cells/copy-account.ts'
import type { Deps } from '../deps.ts'
import { requireWorkspace } from '../workspaces/require-workspace.ts'
import { alreadyMember } from './invite.ts'
import { endTokensOf, hasManyTokens } from './many-tokens.ts'
import { requireUser } from './require-user.ts'

type MemberDeps = Pick<Deps, 'db' | 'newId'>

export type MemberAct = Readonly<{ ws: string; email: string; actor: Actor }>

/** Reads a member. @throws {AppError} not_found */
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
  conflict('The workspace would be left without an admin. Make another member admin first.', {
    code: 'last_admin',
  })

export type NewMember = Readonly<{
  ws: string
  email: string
  role: Role
}>

const unprovenAddress = ({ email, inviteWs }: User): AppError =>
  conflict(
    `An invite of the workspace "${inviteWs}" created the account ${email}, so it may not belong to the owner of that address. Invite the address instead.`,
    { code: 'unproven_address' },
  )

/**
 * Adds a member without consent; for operators, who create accounts themselves.
 * @throws {AppError} not_found `user_not_found` or the workspace; conflict `member_exists`, `unproven_address`
 */
export const addMember = async (
  deps: MemberDeps & Pick<Deps, 'home'>,
  { ws, email, role }: NewMember,
): Promise<Member> => {
  await requireWorkspace(deps, ws)
  const user = await requireUser(deps.home, email)
  // the copy of an account in a cell does not have its invite
  if (deps.db !== deps.home && user.inviteWs !== null && user.inviteWs !== ws) {
    throw unprovenAddress(user)
  }
  const { member } = await deps.db.write({
    account: copyAccount(deps, { email: user.email, name: null }),
    member: insertMember({ ws, email, role }),
    audit: audited(deps, { ws, actor: CLI_ACTOR }, 'member.added', normalizeEmail(email)),
  })
  if (member.changes !== 1) {
    const present = await findMember(deps.db, ws, email)
    throw present === null ? unprovenAddress(user) : alreadyMember(present)
  }
  return requireMember(deps, ws, email)
}

export type MemberChange = Readonly<{ role?: Role | undefined; disabled?: boolean | undefined }>

/** Changes role or state of a member. An absent field keeps what another request may set meanwhile. @throws {AppError} not_found, conflict `last_admin` */
export const changeMember = async (
  deps: MemberDeps,
  { ws, email, actor, role, disabled }: MemberAct & MemberChange,
): Promise<Member> => {
  const current = await requireMember(deps, ws, email)
  const { member } = await deps.db.write({
    member: updateMember({ ws, email, role: role ?? null, isDisabled: disabled ?? null }),
    audit: audited(deps, { ws, actor }, 'member.changed', current.email),
    madeInvites: deleteOpenInvitesByFormerAdmin(email, ws),
  })
  const changed = await requireMember(deps, ws, email)
  if (member.changes !== 1) throw lastAdmin()
  return changed
}

/**
 * Disables a member and revokes their tokens in small writes. A removal that is interrupted leaves a disabled member, whom an admin
 * can remove again.
 * @returns the token after which some may be left
 */
const revokeMany = async (deps: MemberDeps, act: MemberAct): Promise<string> => {
  const { ws } = act
  const { email, disabledAt } = await requireMember(deps, ws, act.email)
  if (disabledAt === null) await changeMember(deps, { ...act, disabled: true })
  return endTokensOf(deps.db, { ws, email }, (ids) => revokeTokens(ws, ids))
}

/** Removes a member; the account stays, its tokens and invites here end. @throws {AppError} not_found, conflict `last_admin` */
export const removeMember = async (
  deps: MemberDeps,
  { ws, email, actor }: MemberAct,
): Promise<void> => {
  const member = await requireMember(deps, ws, email)
  const isLarge = await hasManyTokens(deps.db, { ws, email: member.email })
  const afterId = isLarge ? await revokeMany(deps, { ws, email, actor }) : ''
  const { removed } = await deps.db.write({
    removed: deleteMember(ws, email),
    audit: audited(deps, { ws, actor }, 'member.removed', member.email),
    tokens: revokeTokensOfRemoved(ws, email, afterId),
    invites: deleteOpenInvitesOfRemoved(ws, email),
    madeInvites: deleteOpenInvitesByFormerAdmin(email, ws),
  })
  if (removed.changes === 1) return
  await requireMember(deps, ws, email)
  throw lastAdmin()
}
