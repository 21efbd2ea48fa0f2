/** Which workspaces may make a paid call [documents 2.1], [documents 16.3]. */
import { limit } from '../limit.ts'

/** The credit, in won, of the workspace that the first start makes. */
export const OPENING_CREDIT_WON = 100_000

export const MAX_CREDIT_WON = limit(
  'workspace.credit',
  1_000_000_000,
  'won',
  'Credit that one call adds.',
)

/** A negative amount is a correction. */
export const isCreditAmount = (won: number): boolean =>
  Number.isInteger(won) && won !== 0 && Math.abs(won) <= MAX_CREDIT_WON

export const CREDIT_AMOUNT_RULE = `must be a whole number of won, not 0 and at most ${MAX_CREDIT_WON}`

export type Account = Readonly<{ balanceWon: number; isSuspended: boolean }>

export type Refusal = 'suspended' | 'insufficient_balance'

/** @returns null if a call of this price may be served. A call without a price needs no balance. */
export const refusalOf = (
  { balanceWon, isSuspended }: Account,
  priceWon: number,
): Refusal | null => {
  if (isSuspended) return 'suspended'
  return priceWon > 0 && balanceWon < priceWon ? 'insufficient_balance' : null
}
