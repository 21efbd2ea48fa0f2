/** Members: added, changed, removed. What they hold is read anew at each request, so every change works at once. */
import { type Actor, CLI_ACTOR } from '#core/actor.ts'
import { normalizeEmail } from '#core/email.ts'
import { type AppError, conflict, notFound } from '#core/error.ts'
import type { Role } from '#core/scope.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import { deleteMember, findMember, type Member, updateMember } from '#store/members.ts'
import { findUser, insertMember } from '#store/users.ts'
import { requireWorkspace } from './change-workspace.ts'
import type { Deps } from './deps.ts'

type MemberDeps = Pick<Deps, 'db' | 'newId'>

export type MemberAct = Readonly<{ ws: string; email: string; actor: Actor }>

/** @throws {AppError} not_found */
export const requireMember = async (
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

/** @throws {AppError} not_found `user_not_found` or the workspace, conflict */
export const addMember = async (
  deps: MemberDeps,
  { ws, email, role, actor = CLI_ACTOR }: NewMember,
): Promise<Member> => {
  await requireWorkspace(deps, ws)
  if ((await findUser(deps.db, email)) === null) {
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
    throw conflict(`"${normalizeEmail(email)}" is a member already.`, { code: 'member_exists' })
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

/** The account stays. @throws {AppError} not_found, conflict `last_admin` */
export const removeMember = async (
  deps: MemberDeps,
  { ws, email, actor }: MemberAct,
): Promise<void> => {
  const known = await requireMember(deps, ws, email)
  const entry = { id: deps.newId(), ws, actor, action: 'member.removed', target: known.email }
  const [result] = await deps.db.write([deleteMember(ws, email), insertAuditEntryIfChanged(entry)])
  if (result?.changes !== 1) throw lastAdmin()
}
