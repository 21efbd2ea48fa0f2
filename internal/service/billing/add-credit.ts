import type { Actor } from '#core/access/actor.ts'
import { CREDIT_AMOUNT_RULE, isCreditAmount } from '#core/billing/balance.ts'
import { conflict, invalid } from '#core/error.ts'
import { type CreditEntry, findCreditEntry, insertCredit } from '#store/billing/credit.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { findFirst, type Idempotency, keyStatements } from '../queue/idempotency.ts'
import { requireAccount } from './charge.ts'

export type CreditRequest = Readonly<{
  ws: string
  /** Negative to withdraw credit. */
  amountWon: number
  note: string | null
  actor: Actor
  idempotency?: Idempotency
}>

export type AddedCredit = Readonly<{ entry: CreditEntry; balanceWon: number; replayed: boolean }>

/**
 * Adds credit and returns the new balance; with a key that was used before, the entry of that call.
 * @throws {AppError} invalid, not_found; conflict: more than the balance, or the key was used with another body
 */
export const addCredit = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { actor, ...request }: CreditRequest,
): Promise<AddedCredit> => {
  const { ws, amountWon, note } = request
  if (!isCreditAmount(amountWon)) throw invalid(`The amount ${CREDIT_AMOUNT_RULE}.`)
  const id = deps.newId()
  const key = keyStatements(request, id, 'credit_entries')
  await deps.db.write(
    {
      take: key.take,
      credit: insertCredit({ ws, id, amountWon, note }, key.holds),
      audit: audited(deps, { ws, actor }, 'credit.added', id),
      release: key.release,
    },
    { retry: true },
  )
  const { balanceWon } = await requireAccount(deps, ws)
  const first = (await findFirst(deps, request)) ?? id
  const entry = await findCreditEntry(deps.db, ws, first)
  if (entry === null) {
    throw conflict(`The balance is ${balanceWon} won, which is less than the amount.`, {
      code: 'insufficient_balance',
    })
  }
  return { entry, balanceWon, replayed: first !== id }
}
