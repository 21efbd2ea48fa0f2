/** Device login (RFC 8628): a program on a machine without a browser gets a token that a user approves elsewhere. */

import { type Actor, sessionActor } from '#core/access/actor.ts'
import type { Principal, Session } from '#core/access/principal.ts'
import { makeTokenText, parseTokenText, TOKEN_RANDOM_BYTES } from '#core/access/token-text.ts'
import { makeUserCode, parseUserCode, USER_CODE_RANDOM_BYTES } from '#core/access/user-code.ts'
import { AppError, forbidden, invalid, notFound, unavailable } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { SECOND_MS } from '#core/time-units.ts'
import type { Statement } from '#store/database.ts'
import {
  approveDeviceLogin,
  type DeviceLogin,
  denyDeviceLogin,
  findDeviceLoginByHash,
  findPendingDeviceLogin,
  insertDeviceLogin,
  takeDeviceLogin,
  updateDevicePoll,
} from '#store/people/device-logins.ts'
import { guessBucket, makeGuess } from '../access/guess.ts'
import { hashToken } from '../access/hash-token.ts'
import { issueToken } from '../access/issue-token.ts'
import { auditedOnce, isMade } from '../audited.ts'
import { findDatabaseOf } from '../cells/find-database.ts'
import { listAllMemberships } from '../cells/list-memberships.ts'
import type { Deps } from '../deps.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'

const LIFETIME_S = 600
const INTERVAL_S = 5
/** Seconds that polling too fast adds to the interval (RFC 8628, 3.5). */
const SLOWER_BY_S = 5
/** A poll may come this much early, because clocks and networks vary. */
const TOLERANCE_MS = 250
const MOST_GUESSES = limit(
  'account.device_codes',
  10,
  'times',
  'Device codes that a person enters in 15 minutes. More: 429.',
)
export const DEVICE_TOKEN_DAYS = limit(
  'account.device_token',
  90,
  'days',
  'Lifetime of a token made by `svc login`.',
)

type DeviceDeps = Pick<Deps, 'db' | 'home' | 'furtherCells' | 'newId' | 'randomBytes'>

export type StartedDeviceLogin = Readonly<{
  deviceCode: string
  userCode: string
  expiresInS: number
  intervalS: number
}>

/** Starts a login. The device polls with `deviceCode`; the user types `userCode`. @throws {AppError} unavailable */
export const startDeviceLogin = async (deps: DeviceDeps): Promise<StartedDeviceLogin> => {
  const { text } = makeTokenText('device_code', deps.randomBytes(TOKEN_RANDOM_BYTES))
  return retryOnConflict(async () => {
    const userCode = makeUserCode(deps.randomBytes(USER_CODE_RANDOM_BYTES))
    const { login } = await deps.db.write(
      insertDeviceLogin({
        id: deps.newId(),
        hash: hashToken(text),
        userCode,
        intervalS: INTERVAL_S,
        lifetimeMs: LIFETIME_S * SECOND_MS,
      }),
    )
    if (login.changes !== 1) return null
    return { deviceCode: text, userCode, expiresInS: LIFETIME_S, intervalS: INTERVAL_S }
  }, tooManyLogins)
}

const tooManyLogins = (): AppError =>
  unavailable('Too many logins are in progress. Try again.', { retryAfterS: 1 })

type PollWord = 'authorization_pending' | 'slow_down' | 'expired_token' | 'access_denied'

/** RFC 8628's error code is both `error` and `code` of the response [access 8]. */
const pollError = (word: PollWord): AppError => invalid(word, { code: word })

export type DeviceToken = Readonly<{ text: string; ws: string }>

/** Answers a poll. The first poll after the approval gets the token. @throws {AppError} invalid, with RFC 8628's code */
export const pollDeviceLogin = async (
  deps: DeviceDeps,
  deviceCode: string,
): Promise<DeviceToken> => {
  const isDevice = parseTokenText(deviceCode)?.kind === 'device_code'
  const login = isDevice ? await findDeviceLoginByHash(deps.db, hashToken(deviceCode)) : null
  if (login === null || login.isExpired || login.status === 'used') throw pollError('expired_token')
  await notePoll(deps, login)
  if (login.status === 'denied') throw pollError('access_denied')
  const { email, ws } = login
  if (login.status === 'pending' || email === null || ws === null) {
    throw pollError('authorization_pending')
  }
  const db = await findDatabaseOf(deps, ws)
  const taking = takeDeviceLogin(login.id)
  const isAtHome = db === deps.db
  if (!isAtHome) await takeAtHome(deps, taking)
  const request = { ws, email, label: 'svc login', scopes: ['*'], isAdmin: true } as const
  const { text } = await issueToken(
    { ...deps, db },
    {
      ...request,
      expiresInDays: DEVICE_TOKEN_DAYS,
      actor: sessionActor(email, null),
      // one write, so that no failure uses the login up without a token
      ...(isAtHome ? { taking } : {}),
    },
  ).catch((error: unknown) => {
    throw toPollError(error)
  })
  return { text, ws }
}

/** Takes a login whose token is in another cell. After a failure between the two writes, the person approves another login. */
const takeAtHome = async ({ db }: Pick<Deps, 'db'>, taking: Statement): Promise<void> => {
  const { taken } = await db.write({ taken: taking })
  if (taken.changes !== 1) throw pollError('expired_token')
}

/** @param error of the token: its approver was removed or disabled meanwhile, or another poll has taken the login */
const toPollError = (error: unknown): unknown => {
  if (!(error instanceof AppError)) return error
  if (error.code === 'invalid_token') return pollError('expired_token')
  return ['not_found', 'account_disabled'].includes(error.code) ? pollError('access_denied') : error
}

const notePoll = async ({ db }: Pick<Deps, 'db'>, login: DeviceLogin): Promise<void> => {
  const { id, intervalS, sincePollMs } = login
  const isFast = sincePollMs !== null && sincePollMs < intervalS * SECOND_MS - TOLERANCE_MS
  const wanted = isFast ? intervalS + SLOWER_BY_S : intervalS
  await db.write([updateDevicePoll(id, wanted)], { retry: true })
  if (isFast) throw pollError('slow_down')
}

export type DeviceDecision = Readonly<{
  principal: Principal
  actor: Actor
  userCode: string
  /** Null for the user's only workspace. */
  ws: string | null
  approve: boolean
}>

/** Approves or denies a login. @throws {AppError} forbidden: no session; not_found; invalid: which workspace; rate_limited */
export const decideDeviceLogin = async (
  deps: DeviceDeps,
  { principal, actor, userCode, ws, approve }: DeviceDecision,
): Promise<void> => {
  if (principal.kind !== 'session') throw forbidden('Sign in to approve a device.')
  const { login, release } = await findGuessed(deps, principal, userCode)
  const email = principal.identity
  const decision = approve
    ? approveDeviceLogin(login.id, email, await chooseWorkspace(deps, email, ws))
    : denyDeviceLogin(login.id)
  const action = approve ? 'device.approved' : 'device.denied'
  const audit = auditedOnce(deps, { ws: null, actor }, action, login.id)
  const written = await deps.db.write({ decided: decision, ...audit, release }, { retry: true })
  if (!isMade(written)) throw unknownCode()
}

const unknownCode = (): AppError => notFound('Code', { code: 'user_code_not_found' })

const findGuessed = async (deps: DeviceDeps, principal: Session, typed: string) => {
  const bucket = guessBucket('user-code', principal.identity)
  const { release } = await makeGuess(deps, [{ bucket, most: MOST_GUESSES }])
  const userCode = parseUserCode(typed)
  const login = userCode === null ? null : await findPendingDeviceLogin(deps.db, userCode)
  if (login === null) throw unknownCode()
  return { login, release }
}

const chooseWorkspace = async (
  deps: Pick<Deps, 'home' | 'furtherCells'>,
  email: string,
  wanted: string | null,
): Promise<string> => {
  const own = await listAllMemberships(deps, email)
  const [first] = own
  if (wanted === null && own.length === 1 && first !== undefined) return first.id
  const chosen = own.find(({ id }) => id === wanted)
  if (chosen !== undefined) return chosen.id
  throw invalid('Choose one of your workspaces.', { code: 'bad_workspace' })
}
