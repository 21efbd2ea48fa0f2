/** Resolves a code for the desktop page. Unknown and ended codes, and those of a revoked key, get the same response. */
import { AppError } from '#core/error.ts'
import { findRelayIdByCode, findRelaySession } from '#store/relay.ts'
import type { Deps } from '../deps.ts'
import { spendGuess } from './code-budget.ts'
import { hashCode, hasValidKey } from './relay-session.ts'

export type CodeClaim = Readonly<{
  /** Six digits, as typed. */
  code: string
  address: string | null
}>

/**
 * Finds the session of a code.
 * @returns the certId
 * @throws {AppError} not_found `code_not_found`; rate_limited
 */
export const resolveCode = async (
  deps: Pick<Deps, 'db' | 'home' | 'furtherCells' | 'newId' | 'keyring'>,
  { code, address }: CodeClaim,
): Promise<string> => {
  const { release } = await spendGuess(deps, address)
  const id = await findRelayIdByCode(deps.db, hashCode(deps, code))
  const session = id === null ? null : await findRelaySession(deps.db, id)
  if (session === null || !(await hasValidKey(deps, session))) {
    throw new AppError(
      'not_found',
      'No session has this code. Check the six digits, or start again on the phone.',
      { code: 'code_not_found' },
    )
  }
  await deps.db.write(release, { retry: true })
  return session.id
}
