/** Checks a password, with one limit of guesses for all endpoints that require it. */

import { normalizeEmail } from '#core/access/email.ts'
import { AppError } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { callerNetworkOf } from '#core/network/caller-network.ts'
import { HASH_SLOTS, type HashCaller } from '#crypto/hash-slots.ts'
import { verifyPassword } from '#crypto/password.ts'
import type { Statement } from '#store/database.ts'
import { findUser, type User } from '#store/people/users.ts'
import { guessBucket, makeGuess } from '../access/guess.ts'
import type { Deps } from '../deps.ts'

const MOST_WRONG = limit(
  'account.wrong_passwords',
  5,
  'times',
  'Wrong passwords of one network for an account in 15 minutes. More: 429.',
)
/** Limits guesses that many machines make together. */
const MOST_WRONG_AT_ACCOUNT = limit(
  'account.wrong_passwords_all',
  50,
  'times',
  'Wrong passwords of all networks for an account in 15 minutes. More: 429.',
)

export type PasswordClaim = HashCaller & Readonly<{ email: string; password: string }>

export type Proven = Readonly<{
  user: User & Readonly<{ passwordHash: string }>
  /** Statements that release the guess; they go with the write that the proof leads to. */
  release: readonly Statement[]
}>

/** Builds the error of a wrong password. */
export const wrongCredentials = (): AppError =>
  new AppError('unauthenticated', 'E-mail address or password is wrong.', {
    code: 'wrong_credentials',
  })

/**
 * Checks a password. Error and work are the same whether the account does not exist, has no password or is disabled. All of it
 * runs in a hash slot, so that a flood costs the database no more than the CPU.
 * @throws {AppError} unauthenticated `wrong_credentials`; rate_limited
 */
export const provePassword = (
  deps: Pick<Deps, 'db' | 'newId'>,
  claim: PasswordClaim,
): Promise<Proven> => HASH_SLOTS.run(claim, () => checkPassword(deps, claim))

const checkPassword = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { password, address, ...claim }: PasswordClaim,
): Promise<Proven> => {
  const email = normalizeEmail(claim.email)
  const network = callerNetworkOf(address)
  const { release } = await makeGuess(deps, [
    { bucket: guessBucket('login', email, network), most: MOST_WRONG },
    { bucket: guessBucket('account', email), most: MOST_WRONG_AT_ACCOUNT },
  ])
  const user = await findUser(deps.db, email)
  const passwordHash = user?.passwordHash ?? null
  const isRight = await verifyPassword(password, passwordHash)
  if (user === null || passwordHash === null || !isRight || user.disabledAt !== null) {
    throw wrongCredentials()
  }
  return { user: { ...user, passwordHash }, release }
}
