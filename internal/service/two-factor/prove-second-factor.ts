/** Requires the second factor of a person who has one, after the password was right [access 22.3]. */
import { sessionActor } from '#core/access/actor.ts'
import { AppError } from '#core/error.ts'
import type { Statement } from '#store/database.ts'
import { findTwoFactor, hasNoTwoFactor } from '#store/people/two-factors.ts'
import { TRUE } from '#store/sql.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { findCode, wrongCode } from './take-code.ts'

export type SecondFactorClaim = Readonly<{
  email: string
  /** Null if none was sent. */
  code: string | null
  address: string | null
  /** Statements that release the guess at the password, which was right. */
  release: readonly Statement[]
}>

export type ProvenFactor = Readonly<{
  /** A condition of the session: a person without a factor still has none. */
  guard: Statement
  /** Statements that are left to write. */
  statements: readonly Statement[]
}>

/**
 * Checks the second factor. The code is used up before the session exists. After a crash between the two, the
 * person types the next code.
 * @throws {AppError} unauthenticated `two_factor_required`, `wrong_code`; rate_limited
 */
export const proveSecondFactor = async (
  deps: Pick<Deps, 'db' | 'newId' | 'keyring'>,
  { email, code, address, release }: SecondFactorClaim,
): Promise<ProvenFactor> => {
  const factor = await findTwoFactor(deps.db, email)
  if (factor === null || factor.confirmedAt === null) {
    return { guard: hasNoTwoFactor(email), statements: release }
  }
  await deps.db.write(release, { retry: true })
  if (code === null) {
    throw new AppError('unauthenticated', 'Type the code of your authenticator app.', {
      code: 'two_factor_required',
    })
  }
  const found = await findCode(deps, { factor, code, address })
  const actor = sessionActor(email, address)
  const action = 'two_factor.recovery_code_used'
  const { take } = await deps.db.write({
    take: found.take,
    ...(found.kind === 'recovery'
      ? { audit: audited(deps, { ws: null, actor }, action, email) }
      : {}),
  })
  if (take.changes !== 1) throw wrongCode()
  return { guard: TRUE, statements: found.release }
}
