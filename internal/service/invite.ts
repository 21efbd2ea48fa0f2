/** Invites: made by an admin, accepted by whoever holds the link (contract, Auth and people). */
import type { Actor } from '#core/actor.ts'
import { isEmail, normalizeEmail } from '#core/email.ts'
import { AppError, invalid, notFound } from '#core/error.ts'
import { passwordFault } from '#core/password-rule.ts'
import type { Role } from '#core/scope.ts'
import { makeTokenText, parseTokenText, TOKEN_RANDOM_BYTES } from '#core/token-text.ts'
import { hashPassword } from '#crypto/password.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import type { Statement } from '#store/database.ts'
import {
  acceptInvite as acceptStatements,
  deleteInvite as deleteStatement,
  findInvite,
  findInviteByHash,
  type Invite,
  insertInvite,
} from '#store/invites.ts'
import { findUser } from '#store/users.ts'
import type { Deps } from './deps.ts'
import { hashToken } from './hash-token.ts'
import { type PasswordClaim, provePassword } from './prove-password.ts'
import { type StartedSession, startSession } from './start-session.ts'

const LIFETIME_MS = 7 * 86_400_000

type InviteDeps = Pick<Deps, 'db' | 'newId' | 'randomBytes'>

export type InviteRequest = Readonly<{ ws: string; email: string; role: Role; actor: Actor }>

/** The raw text is answered here, once. @throws {AppError} invalid */
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
  if (invite === null) throw new Error('The invite just made is gone.')
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

export type Acceptance = Readonly<{
  text: string
  name: string
  password: string
  address: string | null
}>

export type Accepted = Readonly<{ session: StartedSession; invite: Invite }>

/**
 * Who has no account gets one with this password; who has one proves it by its password, which stays as it is.
 * @throws {AppError} not_found, gone, invalid: the password rule, unauthenticated: the account's password is another,
 * rate_limited
 */
export const acceptInvite = async (
  deps: InviteDeps,
  { text, name, password, address }: Acceptance,
): Promise<Accepted> => {
  const invite = await requireOpenInvite(deps, text)
  const { id, ws, email } = invite
  const { passwordHash, release } = await proveAccount(deps, { email, password, address })
  const actor = {
    identity: email,
    credentialKind: 'session',
    credentialPrefix: null,
    address,
  } as const
  const statements = acceptStatements({ id, name, passwordHash })
  const entry = { id: deps.newId(), ws, actor, action: 'invite.accepted', target: id }
  const results = await deps.db.write([...statements, insertAuditEntryIfChanged(entry)])
  if (results[statements.length - 1]?.changes !== 1) throw ended()
  return { invite, session: await startSession(deps, { email, address, alongside: release }) }
}

type Proof = Readonly<{ passwordHash: string; release: readonly Statement[] }>

/** @throws {AppError} invalid, unauthenticated, rate_limited */
const proveAccount = async (deps: InviteDeps, claim: PasswordClaim): Promise<Proof> => {
  const { email, password } = claim
  if ((await findUser(deps.db, email)) !== null) {
    const { user, release } = await provePassword(deps, claim)
    return { passwordHash: user.passwordHash, release }
  }
  const fault = passwordFault(password, email)
  if (fault !== null) throw invalid(fault, { code: 'bad_password' })
  return { passwordHash: await hashPassword(password), release: [] }
}
