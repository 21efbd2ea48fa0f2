/** Signing in with a password (contract, Auth and people). */
import { normalizeEmail } from '#core/email.ts'
import { AppError } from '#core/error.ts'
import type { Role } from '#core/scope.ts'
import { verifyPassword } from '#crypto/password.ts'
import { findUser, listMemberships } from '#store/users.ts'
import type { Deps } from './deps.ts'
import { guessBucket, makeGuess } from './guess.ts'
import { type StartedSession, startSession } from './start-session.ts'

const WINDOW_MS = 900_000
/** Of one address at one account. */
const MOST_WRONG = 5
/** Of all addresses at one account: many machines together must not go on for ever either. */
const MOST_WRONG_AT_ACCOUNT = 50

export type LogInRequest = Readonly<{ email: string; password: string; address: string | null }>

export type LoggedIn = Readonly<{
  session: StartedSession
  email: string
  isSuperAdmin: boolean
  workspaces: readonly Readonly<{ id: string; role: Role }>[]
}>

/**
 * The same words and the same work whether the account exists, has a password, is disabled or not.
 * @throws {AppError} unauthenticated; rate_limited
 */
export const logIn = async (
  deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>,
  request: LogInRequest,
): Promise<LoggedIn> => {
  const email = normalizeEmail(request.email)
  const { password, address } = request
  const { release } = await makeGuess(deps, [
    { bucket: guessBucket('login', email, address ?? ''), most: MOST_WRONG, windowMs: WINDOW_MS },
    { bucket: guessBucket('account', email), most: MOST_WRONG_AT_ACCOUNT, windowMs: WINDOW_MS },
  ])
  const user = await findUser(deps.db, email)
  const isRight = await verifyPassword(password, user?.passwordHash ?? null)
  if (user === null || !isRight || user.disabledAt !== null) {
    throw new AppError('unauthenticated', 'E-mail address or password is wrong.', {
      code: 'wrong_credentials',
    })
  }
  const session = await startSession(deps, { email, address, alongside: release })
  const workspaces = await listMemberships(deps.db, email)
  return { session, email, isSuperAdmin: user.isSuperAdmin, workspaces }
}
