/** Invites: an admin makes one, and the person accepts it (contract-2, section 4). */

import type { Role } from '#core/access/scope.ts'
import { makeTokenText, parseTokenText, TOKEN_RANDOM_BYTES } from '#core/access/token-text.ts'
import type { Actor } from '#core/actor.ts'
import { isEmail, normalizeEmail } from '#core/email.ts'
import { AppError, conflict, invalid, notFound } from '#core/error.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import {
  deleteInvite as deleteStatement,
  findInvite,
  findInviteByHash,
  type Invite,
  insertInvite,
} from '#store/invites.ts'
import type { Deps } from './deps.ts'
import { hashToken } from './hash-token.ts'

const LIFETIME_MS = 7 * 86_400_000

type InviteDeps = Pick<Deps, 'db' | 'newId' | 'randomBytes'>

export type InviteRequest = Readonly<{ ws: string; email: string; role: Role; actor: Actor }>

export const alreadyMember = (email: string): AppError =>
  conflict(`"${email}" is a member already.`, { code: 'member_exists' })

/**
 * The raw text is answered here, once. Accounts are not looked at, so the answer and its time are the same for an address
 * with an account and for one without.
 * @throws {AppError} invalid; conflict `member_exists`
 */
export const createInvite = async (
  deps: InviteDeps,
  { ws, role, actor, ...request }: InviteRequest,
): Promise<Readonly<{ text: string; invite: Invite }>> => {
  const email = normalizeEmail(request.email)
  if (!isEmail(email)) throw invalid(`"${email}" is no e-mail address.`)
  const id = deps.newId()
  const { text } = makeTokenText('invite', deps.randomBytes(TOKEN_RANDOM_BYTES))
  const createdBy = actor.identity
  const entry = { id: deps.newId(), ws, actor, action: 'invite.created', target: email }
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
      insertAuditEntryIfChanged(entry),
    ],
    { retry: true },
  )
  const invite = await findInvite(deps.db, ws, id)
  if (invite === null) throw alreadyMember(email)
  return { text, invite }
}

/** @throws {AppError} not_found */
export const deleteInvite = async (
  { db, newId }: Pick<Deps, 'db' | 'newId'>,
  { ws, id, actor }: Readonly<{ ws: string; id: string; actor: Actor }>,
): Promise<void> => {
  const entry = { id: newId(), ws, actor, action: 'invite.deleted', target: id }
  const [result] = await db.write([deleteStatement(ws, id), insertAuditEntryIfChanged(entry)])
  if (result?.changes !== 1) throw notFound('Invite')
}

const ended = (): AppError =>
  new AppError('gone', 'This invite was used or has expired. Ask for a new one.', {
    code: 'invite_ended',
  })

/** @throws {AppError} not_found, gone */
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
