/** Signs people in through an OpenID Connect provider [access 21]. */
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { sessionActor } from '#core/access/actor.ts'
import { type AutoJoin, requireVerifiedEmail } from '#core/access/oidc-identity.ts'
import { AppError, forbidden } from '#core/error.ts'
import { parseJsonOrNull } from '#core/json/value.ts'
import { HOUR_MS } from '#core/time-units.ts'
import type { OidcClient } from '#outbound/oidc-client.ts'
import type { Database, Statement } from '#store/database.ts'
import { denyApprovedLogins } from '#store/people/device-logins.ts'
import { hasOpenInvite } from '#store/people/invites.ts'
import {
  deleteLink,
  findIdentity,
  findLink,
  type Identity,
  insertIdentity,
  insertIdentityWithoutPassword,
  insertLink,
  takeState,
} from '#store/people/oidc.ts'
import { revokeOtherSessions } from '#store/people/sessions.ts'
import {
  clearInvitedPassword,
  findUser,
  insertAccountCopy,
  insertMember,
  insertUser,
  type User,
} from '#store/people/users.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { hashToken, isSameSecret } from '../access/hash-token.ts'
import { audited, type Change } from '../audited.ts'
import { askCells } from '../cells/ask-cells.ts'
import { findDatabaseOf } from '../cells/find-database.ts'
import type { Deps } from '../deps.ts'
import { type StartedSession, startSession } from './start-session.ts'

export type OidcSignIn = Readonly<{
  client: OidcClient
  issuer: string
  /** An empty list allows any. */
  allowedDomains: readonly string[]
  /** The membership that people without an account get; null to admit only those who were invited. */
  autoJoin: AutoJoin | null
}>

type OidcDeps = Pick<Deps, 'db' | 'home' | 'furtherCells' | 'newId' | 'randomBytes'>

/** Seconds that a person has at the provider, and for the password of an account that is to be linked. */
export const SIGN_IN_S = 600
/**
 * Milliseconds for which a used state is stored: longer than a code of a provider is valid, and short, because any caller can
 * make svc store states.
 */
const USED_STATE_MS = HOUR_MS
/** Characters. The cookies of four sign-ins arrive in one header, and proxies such as nginx refuse one of more than 8 KiB. */
const MAX_NEXT = 1_000

const cookieShape = z.tuple([z.string(), z.string(), z.string(), z.string()])

/** A sign-in that this browser has begun. */
export type BegunSignIn = Readonly<{ state: string; nonce: string; verifier: string; next: string }>

const random = (): string => randomBytes(32).toString('base64url')
const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')

export type SignInStart = Readonly<{
  redirectUri: string
  /** A path in ASCII; `home` replaces one that is too long for a cookie. */
  next: string
  home: string
  /** Whether the person wants another account than the one that is signed in at the provider. */
  otherAccount: boolean
}>

/**
 * Returns where the browser goes, and the text of the cookie that it brings back.
 * @throws {AppError} bad_gateway
 */
export const beginSignIn = async (
  { client }: OidcSignIn,
  { next, home, ...start }: SignInStart,
): Promise<Readonly<{ url: string; cookie: string }>> => {
  const [state, nonce, verifier] = [random(), random(), random()]
  const url = await client.startUrl({ ...start, state, nonce, challenge: challengeOf(verifier) })
  const kept = JSON.stringify([state, nonce, verifier, next.length > MAX_NEXT ? home : next])
  return { url, cookie: Buffer.from(kept).toString('base64url') }
}

const lostState = (): AppError =>
  new AppError('unauthenticated', 'This sign-in was used or has expired. Sign in again.', {
    code: 'oidc_state',
  })

/** Returns the sign-in with the state if the text is its cookie, else null. */
export const readBegun = (cookie: string, state: string | undefined): BegunSignIn | null => {
  const json = parseJsonOrNull(Buffer.from(cookie, 'base64url').toString('utf8'))
  const kept = cookieShape.safeParse(json)
  if (!kept.success || state === undefined || !isSameSecret(kept.data[0], state)) return null
  const [, nonce, verifier, next] = kept.data
  return { state, nonce, verifier, next }
}

export type SignInReturn = Readonly<{
  /** Null if this browser has not begun the sign-in. */
  begun: BegunSignIn | null
  code: string | undefined
  /** The provider's word for why there is no code. */
  error: string | undefined
  /** The provider that the answer names. */
  issuer: string | undefined
  redirectUri: string
  address: string | null
  userAgent: string | null
  /** Whether people may sign in with passwords. */
  passwordLogin: boolean
}>

export type SignedIn =
  | Readonly<{ session: StartedSession; idToken: string }>
  /** The text of a cookie. The account has a password, by which the person links the identity. */
  | Readonly<{ link: string; email: string }>

/** @throws {AppError} unauthenticated, forbidden, bad_gateway */
export const finishSignIn = async (
  deps: OidcDeps,
  oidc: OidcSignIn,
  back: SignInReturn,
): Promise<SignedIn> => {
  const { begun, code, error, issuer, redirectUri } = back
  if (begun === null) throw lostState()
  const { state, nonce, verifier } = begun
  const { taken } = await deps.db.write({ taken: takeState(hashToken(state), USED_STATE_MS) })
  if (taken.changes !== 1) throw lostState()
  const proof = { code, error, issuer, redirectUri, nonce, verifier }
  const { claims, idToken } = await oidc.client.identify(proof)
  const identity = { issuer: oidc.issuer, subject: claims.sub }
  const email = requireVerifiedEmail(claims, oidc.allowedDomains)
  const account = await findIdentity(deps.db, identity)
  if (account !== null) {
    return { idToken, session: await open(deps, await findUser(deps.db, account), back) }
  }
  const user = await findUser(deps.db, email)
  if (user === null) {
    return { idToken, session: await join(deps, oidc, { identity, email, back }) }
  }
  requireEnabled(user)
  if (user.passwordHash !== null && back.passwordLogin) {
    const link = random()
    const pending = insertLink(hashToken(link), { ...identity, email }, SIGN_IN_S * 1_000)
    await deps.db.write([pending], { retry: true })
    return { link, email }
  }
  const change = changeBy(email, back.address)
  await deps.db.write(
    [
      insertIdentity(identity, email),
      audited(deps, change, 'identity.linked', email),
      ...takeFromInvited(deps, change, user),
    ],
    { retry: true },
  )
  return { idToken, session: await open(deps, user, back) }
}

/**
 * Anyone with the link of its invite may have created the account, and the provider proves who owns the address. So the sessions
 * and the password of before end.
 */
const takeFromInvited = (
  deps: Pick<Deps, 'newId'>,
  change: Change,
  { email, inviteWs }: User,
): readonly Statement[] =>
  inviteWs === null
    ? []
    : [
        clearInvitedPassword(email),
        audited(deps, change, 'password.removed', email),
        revokeOtherSessions(email, ''),
        denyApprovedLogins(email),
      ]

/** A change of the instance by the person who signs in. */
const changeBy = (email: string, address: string | null): Change => ({
  ws: null,
  actor: sessionActor(email, address),
})

const requireEnabled = ({ disabledAt }: User): void => {
  if (disabledAt !== null) {
    throw forbidden('This account is disabled. Ask an administrator.', { code: 'account_disabled' })
  }
}

const noAccount = (): AppError =>
  forbidden(
    'There is no account for this address here. Ask an admin of a workspace for an invite.',
    {
      code: 'no_account',
    },
  )

const open = async (
  deps: OidcDeps,
  user: User | null,
  { address, userAgent }: Pick<SignInReturn, 'address' | 'userAgent'>,
): Promise<StartedSession> => {
  if (user === null) throw noAccount()
  requireEnabled(user)
  return startSession(deps, { email: user.email, address, userAgent })
}

const isInvited = async (deps: OidcDeps, email: string): Promise<boolean> =>
  (await hasOpenInvite(deps.db, email)) ||
  (await askCells(deps, (db) => hasOpenInvite(db, email))).includes(true)

/** @throws {AppError} forbidden: the workspace does not exist; unavailable */
const findJoined = async (deps: OidcDeps, ws: string): Promise<Database> => {
  const db = await findDatabaseOf(deps, ws)
  if ((await findWorkspace(db, ws)) !== null) return db
  throw forbidden(
    `New accounts join the workspace "${ws}", which does not exist. Ask the operator to correct SVC_OIDC_AUTO_JOIN.`,
    { code: 'no_workspace_to_join' },
  )
}

type Joining = Readonly<{ identity: Identity; email: string; back: SignInReturn }>

/**
 * Creates account, membership and link at the first sign-in. For an invite it creates no membership: the person becomes a
 * member by accepting the invite.
 */
const join = async (
  deps: OidcDeps,
  { autoJoin }: OidcSignIn,
  { identity, email, back }: Joining,
): Promise<StartedSession> => {
  if (autoJoin === null && !(await isInvited(deps, email))) throw noAccount()
  const cell = autoJoin === null ? null : await findJoined(deps, autoJoin.ws)
  const change = changeBy(email, back.address)
  const member =
    autoJoin === null
      ? []
      : [
          insertMember({ ...autoJoin, email }),
          audited(deps, { ...change, ws: autoJoin.ws }, 'member.added', email),
        ]
  const isElsewhere = cell !== null && cell !== deps.home
  // before the account, because this is done only at the first sign-in
  if (isElsewhere) {
    await cell.write([insertAccountCopy({ email, name: null }), ...member], { retry: true })
  }
  await deps.db.write(
    [
      insertUser({ email, passwordHash: null, isSuperAdmin: false }),
      audited(deps, change, 'user.created', email),
      ...(isElsewhere ? [] : member),
      insertIdentityWithoutPassword(identity, email),
      audited(deps, change, 'identity.linked', email),
    ],
    { retry: true },
  )
  // someone else has created the account with a password meanwhile
  if ((await findIdentity(deps.db, identity)) === null) throw lostState()
  return open(deps, await findUser(deps.db, email), back)
}

/** Links an identity to the account whose password was just proved. Another account's link stays as it is. */
export const linkIdentity = async (
  { db, newId }: Pick<Deps, 'db' | 'newId'>,
  { text, email, address }: Readonly<{ text: string; email: string; address: string | null }>,
): Promise<void> => {
  const hash = hashToken(text)
  const link = await findLink(db, hash)
  if (link === null || link.email !== email) return
  const linked = audited({ newId }, changeBy(email, address), 'identity.linked', email)
  await db.write([insertIdentity(link, email), linked, deleteLink(hash)], { retry: true })
}
