/** Creates, reads and deletes invites [access 9]; accept-invite.ts accepts them. */

import type { Actor } from '#core/access/actor.ts'
import { requireEmail } from '#core/access/email.ts'
import type { Role } from '#core/access/scope.ts'
import { makeTokenText, parseTokenText, TOKEN_RANDOM_BYTES } from '#core/access/token-text.ts'
import { AppError, conflict, notFound } from '#core/error.ts'
import { DAY_MS } from '#core/time-units.ts'
import {
  deleteInvite as deleteStatement,
  findInvite,
  findInviteByHash,
  type Invite,
  insertInvite,
} from '#store/people/invites.ts'
import { findMember, type Member } from '#store/people/members.ts'
import { hashToken } from '../access/hash-token.ts'
import { audited, auditedOnce, isMade } from '../audited.ts'
import type { Deps } from '../deps.ts'

const LIFETIME_MS = 7 * DAY_MS

type InviteDeps = Pick<Deps, 'db' | 'newId' | 'randomBytes'>

export type InviteRequest = Readonly<{ ws: string; email: string; role: Role; actor: Actor }>

/** Builds the error of an address that is a member already. A disabled member is enabled again, not invited. */
export const alreadyMember = ({
  email,
  disabledAt,
}: Pick<Member, 'email' | 'disabledAt'>): AppError =>
  conflict(
    disabledAt === null
      ? `"${email}" is already a member.`
      : `"${email}" is already a member, but disabled. An admin of the workspace can enable them, in the console under Members.`,
    { code: 'member_exists' },
  )

/**
 * Creates an invite. Only this result contains its text. Accounts are not read, so that neither error nor timing reveals
 * which addresses have one.
 * @throws {AppError} invalid; conflict `member_exists`
 */
export const createInvite = async (
  deps: InviteDeps,
  { ws, role, actor, ...request }: InviteRequest,
): Promise<Readonly<{ text: string; invite: Invite }>> => {
  const email = requireEmail(request.email)
  const id = deps.newId()
  const { text } = makeTokenText('invite', deps.randomBytes(TOKEN_RANDOM_BYTES))
  const createdBy = actor.identity
  await deps.db.write(
    [
      insertInvite({
        id,
        ws,
        email,
        role,
        createdBy,
        hash: hashToken(text),
        lifetimeMs: LIFETIME_MS,
      }),
      audited(deps, { ws, actor }, 'invite.created', email),
    ],
    { retry: true },
  )
  const invite = await findInvite(deps.db, ws, id)
  if (invite === null) {
    throw alreadyMember((await findMember(deps.db, ws, email)) ?? { email, disabledAt: null })
  }
  return { text, invite }
}

/** Deletes an invite. @throws {AppError} not_found */
export const deleteInvite = async (
  { db, newId }: Pick<Deps, 'db' | 'newId'>,
  { ws, id, actor }: Readonly<{ ws: string; id: string; actor: Actor }>,
): Promise<void> => {
  const audit = auditedOnce({ newId }, { ws, actor }, 'invite.deleted', id)
  const written = await db.write({ deleted: deleteStatement(ws, id), ...audit }, { retry: true })
  if (!isMade(written)) throw notFound('Invite')
}

const ended = (): AppError =>
  new AppError('gone', 'This invite was used or has expired. Ask for a new one.', {
    code: 'invite_ended',
  })

/** Finds an invite that can be accepted. @throws {AppError} not_found; gone: used or expired */
export const requireOpenInvite = async (
  { db }: Pick<Deps, 'db'>,
  text: string,
): Promise<Invite> => {
  const isInvite = parseTokenText(text)?.kind === 'invite'
  const found = isInvite ? await findInviteByHash(db, hashToken(text)) : null
  if (found === null) {
    throw notFound('Invite', { code: 'invite_not_found' })
  }
  if (found.isExpired || found.invite.acceptedAt !== null) throw ended()
  return found.invite
}
