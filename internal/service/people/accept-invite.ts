/**
 * Accepts an invite for the account of its e-mail address, which needs a session of that account. An address without an
 * account gets one here. The link alone never signs in to an existing account and never sets its password, because the
 * admin who created the invite has the link too.
 */

import { sessionActor } from '#core/access/actor.ts'
import { passwordFault } from '#core/access/password-rule.ts'
import type { Session } from '#core/access/principal.ts'
import { AppError, forbidden, invalid } from '#core/error.ts'
import { HASH_SLOTS, type HashCaller } from '#crypto/hash-slots.ts'
import { hashPassword } from '#crypto/password.ts'
import {
  type AcceptInvite,
  acceptInviteAsNewUser,
  acceptInviteBySession,
  acceptInviteInCell,
  type Invite,
  insertInvitedAccount,
} from '#store/people/invites.ts'
import { findMember } from '#store/people/members.ts'
import { findAccount, findUser, hasPassword } from '#store/people/users.ts'
import { auditedOnce, isMade } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { alreadyMember, requireOpenInvite } from './invite.ts'
import { type StartedSession, startSession } from './start-session.ts'

export type NewAccount = Readonly<{ name: string; password: string }>

export type Acceptance = Readonly<{
  text: string
  /** Null when the caller is not signed in. */
  session: Session | null
  /** Null when the caller has an account already. */
  newAccount: NewAccount | null
  /** Whether people may sign in with passwords. */
  passwordLogin: boolean
  caller: HashCaller
}>

export type Accepted = Readonly<{
  invite: Invite
  /** Null when the caller continues with the current session. */
  session: StartedSession | null
}>

type AcceptDeps = Pick<Deps, 'db' | 'home' | 'newId' | 'randomBytes'>

/** The same error for addresses with and without an account, so that it does not reveal which exist. */
const signInFirst = (email: string): AppError =>
  new AppError(
    'unauthenticated',
    `Sign in as ${email}, then accept the invite. If this address has no account yet, send a name and a password.`,
    { code: 'sign_in_first' },
  )

const passwordsOff = (): AppError =>
  forbidden('Password sign-in is off. Sign in with the provider, then accept the invite.', {
    code: 'password_login_off',
  })

const wrongAccount = (invite: Invite, session: Session): AppError =>
  forbidden(
    `This invite is for ${invite.email}, and you are signed in as ${session.identity}. Sign in as ${invite.email}.`,
    { code: 'wrong_account' },
  )

/**
 * Accepts an invite, and starts a session for a new account.
 * @throws {AppError} not_found, gone; unauthenticated `sign_in_first`; forbidden `wrong_account`; conflict `member_exists`;
 * `password_login_off`; invalid: the password rule; rate_limited
 */
export const acceptInvite = async (
  deps: AcceptDeps,
  { text, session, newAccount, passwordLogin, caller }: Acceptance,
): Promise<Accepted> => {
  const invite = await requireOpenInvite(deps, text)
  const { id, email } = invite
  const { address } = caller
  if (session?.identity === email) {
    const statements = isAtHome(deps)
      ? acceptInviteBySession(id, session.credentialId)
      : await acceptInCell(deps, invite)
    await join(deps, { text, invite, address, statements })
    return { invite, session: null }
  }
  if (newAccount === null) {
    throw session === null ? signInFirst(email) : wrongAccount(invite, session)
  }
  if (!passwordLogin) throw passwordsOff()
  const passwordHash = await hashNewPassword(deps, { email, newAccount, caller })
  const statements = isAtHome(deps)
    ? acceptInviteAsNewUser({ id, name: newAccount.name, passwordHash })
    : await makeAccountAtHome(deps, invite, { name: newAccount.name, passwordHash })
  await join(deps, { text, invite, address, statements })
  const guard = hasPassword(email, passwordHash)
  const started = await startSession({ ...deps, db: deps.home }, { email, address, guard })
  return { invite, session: started }
}

const isAtHome = ({ db, home }: Pick<AcceptDeps, 'db' | 'home'>): boolean => db === home

/** @throws {AppError} unauthenticated: the account is gone or disabled */
const acceptInCell = async (
  { home }: Pick<AcceptDeps, 'home'>,
  { id, email }: Invite,
): Promise<AcceptInvite> => {
  const account = await findAccount(home, email)
  if (account === null || account.disabledAt !== null) throw signInFirst(email)
  return acceptInviteInCell(id, account)
}

/**
 * Creates the account at home before the cell gets its member. After a crash between the two, the person signs in and accepts
 * the invite with a session.
 */
const makeAccountAtHome = async (
  deps: Pick<AcceptDeps, 'home'>,
  invite: Invite,
  made: Readonly<{ name: string; passwordHash: string }>,
): Promise<AcceptInvite> => {
  const { ws, email } = invite
  await deps.home.write([insertInvitedAccount({ ws, email, ...made })], { retry: true })
  // the hash is salted, so it differs from that of an account that another request created meanwhile
  const user = await findUser(deps.home, email)
  if (user?.passwordHash !== made.passwordHash) throw signInFirst(email)
  return acceptInCell(deps, invite)
}

type NewPassword = Readonly<{ email: string; newAccount: NewAccount; caller: HashCaller }>

const hashNewPassword = async (
  { home }: Pick<Deps, 'home'>,
  { email, newAccount: { password }, caller }: NewPassword,
): Promise<string> => {
  const fault = passwordFault(password, email)
  if (fault !== null) throw invalid(fault, { code: 'bad_password' })
  if ((await findUser(home, email)) !== null) throw signInFirst(email)
  return HASH_SLOTS.run(caller, () => hashPassword(password))
}

type Join = Readonly<{
  text: string
  invite: Invite
  address: string | null
  statements: AcceptInvite
}>

const join = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { text, invite, address, statements }: Join,
): Promise<void> => {
  const { id, ws, email } = invite
  const actor = sessionActor(email, address)
  const batch = { ...statements, ...auditedOnce(deps, { ws, actor }, 'invite.accepted', id) }
  if (isMade(await deps.db.write(batch, { retry: true }))) return
  await requireOpenInvite(deps, text)
  const member = await findMember(deps.db, ws, email)
  throw member === null ? signInFirst(email) : alreadyMember(member)
}
