/** Whether somebody knows the password of an account: at every door where it is asked, under one limit of guesses. */

import { normalizeEmail } from '#core/email.ts'
import { AppError } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { callerNetworkOf } from '#core/network/caller-network.ts'
import { HASH_SLOTS, type HashCaller } from '#crypto/hash-slots.ts'
import { verifyPassword } from '#crypto/password.ts'
import type { Statement } from '#store/database.ts'
import { findUser, type User } from '#store/users.ts'
import type { Deps } from './deps.ts'
import { guessBucket, makeGuess } from './guess.ts'

const WINDOW_MS = 900_000
const MOST_WRONG = limit(
  'account.wrong_passwords',
  5,
  'times',
  'Wrong passwords of one network for an account in 15 minutes. More: 429.',
)
/** Limits many machines together. */
const MOST_WRONG_AT_ACCOUNT = limit(
  'account.wrong_passwords_all',
  50,
  'times',
  'Wrong passwords of all networks for an account in 15 minutes. More: 429.',
)

export type PasswordClaim = HashCaller & Readonly<{ email: string; password: string }>

export type Proven = Readonly<{
  user: User & Readonly<{ passwordHash: string }>
  /** Take the guess back; go with the write that the proof leads to. */
  release: readonly Statement[]
}>

/**
 * The same words and the same work whether the account exists, has a password, is disabled or not. Everything happens in a
 * slot, so that a flood costs the database no more than the processor.
 * @throws {AppError} unauthenticated `wrong_credentials`; rate_limited
 */
export const provePassword = (
  deps: Pick<Deps, 'db' | 'newId'>,
  claim: PasswordClaim,
): Promise<Proven> => HASH_SLOTS.run(claim, () => judgePassword(deps, claim))

const judgePassword = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { password, address, ...claim }: PasswordClaim,
): Promise<Proven> => {
  const email = normalizeEmail(claim.email)
  const network = callerNetworkOf(address)
  const { release } = await makeGuess(deps, [
    { bucket: guessBucket('login', email, network), most: MOST_WRONG, windowMs: WINDOW_MS },
    { bucket: guessBucket('account', email), most: MOST_WRONG_AT_ACCOUNT, windowMs: WINDOW_MS },
  ])
  const user = await findUser(deps.db, email)
  const passwordHash = user?.passwordHash ?? null
  const isRight = await verifyPassword(password, passwordHash)
  if (user === null || passwordHash === null || !isRight || user.disabledAt !== null) {
    throw new AppError('unauthenticated', 'E-mail address or password is wrong.', {
      code: 'wrong_credentials',
    })
  }
  return { user: { ...user, passwordHash }, release }
}
