/** Checks a code of an authenticator app, or a recovery code, and uses it up, so that no code counts twice [access 22.4]. */
import { readTypedCode } from '#core/access/second-factor.ts'
import { AppError } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { callerNetworkOf } from '#core/network/caller-network.ts'
import { totpInterval } from '#crypto/totp.ts'
import type { Statement } from '#store/database.ts'
import { type TwoFactor, takeInterval, takeRecoveryCode } from '#store/people/two-factors.ts'
import { guessBucket, makeGuess } from '../access/guess.ts'
import { hashToken } from '../access/hash-token.ts'
import type { Deps } from '../deps.ts'

const MOST_WRONG = limit(
  'account.wrong_codes',
  5,
  'times',
  'Wrong codes of the second factor from one network for an account in 15 minutes. More: 429.',
)
const MOST_WRONG_AT_ACCOUNT = limit(
  'account.wrong_codes_all',
  20,
  'times',
  'Wrong codes of the second factor from all networks for an account in 15 minutes. More: 429.',
)

type CodeDeps = Pick<Deps, 'db' | 'newId' | 'keyring'>

/** Used in place of a workspace: what is encrypted for a person is bound to the address. */
export const ownerOf = (email: string): string => `user|${email}`
export const SECRET_CONTEXT = 'two_factors'

export const openSecret = (
  { keyring }: Pick<Deps, 'keyring'>,
  { email, wrappedKey, secret }: TwoFactor,
): string => keyring.decrypt(wrappedKey, ownerOf(email), SECRET_CONTEXT, secret)

/** Hashes a code, because only hashes are stored. A fast hash suffices for 50 random bits. */
export const hashRecoveryCode = (email: string, code: string): string =>
  hashToken(`${email} ${code.replace('-', '')}`)

export const wrongCode = (): AppError =>
  new AppError('unauthenticated', 'The code is wrong or was used. Wait for the next one.', {
    code: 'wrong_code',
  })

export type CodeClaim = Readonly<{ factor: TwoFactor; code: string; address: string | null }>

export type FoundCode = Readonly<{
  /** Takes the code; changes no row if it was taken meanwhile. */
  take: Statement
  /** Statements that release the guess; they go with the write that the code leads to. */
  release: readonly Statement[]
}> &
  Readonly<{ kind: 'totp'; interval: number } | { kind: 'recovery' }>

/** Finds the code and the statement that uses it up. @throws {AppError} unauthenticated `wrong_code`; rate_limited */
export const findCode = async (
  deps: CodeDeps,
  { factor, code: typed, address }: CodeClaim,
): Promise<FoundCode> => {
  const { email } = factor
  const network = callerNetworkOf(address)
  const { release } = await makeGuess(deps, [
    { bucket: guessBucket('code', email, network), most: MOST_WRONG },
    { bucket: guessBucket('codes', email), most: MOST_WRONG_AT_ACCOUNT },
  ])
  const read = readTypedCode(typed)
  if (read === null) throw wrongCode()
  if (read.kind === 'recovery') {
    const take = takeRecoveryCode(email, hashRecoveryCode(email, read.code))
    return { kind: 'recovery', take, release }
  }
  const interval = totpInterval(openSecret(deps, factor), read.code, await deps.db.now())
  if (interval === null) throw wrongCode()
  return { kind: 'totp', interval, take: takeInterval(email, interval), release }
}
