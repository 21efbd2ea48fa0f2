import type { Actor } from '#core/actor.ts'
import { CREDIT_AMOUNT_RULE, isCreditAmount } from '#core/billing/balance.ts'
import { conflict, invalid } from '#core/error.ts'
import { type CreditEntry, findCreditEntry, insertCredit } from '#store/billing.ts'
import { audited } from './audited.ts'
import { requireAccount } from './charge.ts'
import type { Deps } from './deps.ts'

export type CreditRequest = Readonly<{
  ws: string
  /** Negative to withdraw credit. */
  amountWon: number
  note: string | null
  actor: Actor
}>

export type AddedCredit = Readonly<{ entry: CreditEntry; balanceWon: number }>

/** Adds credit and returns the new balance. @throws {AppError} invalid, not_found; conflict: more than the balance */
export const addCredit = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, amountWon, note, actor }: CreditRequest,
): Promise<AddedCredit> => {
  if (!isCreditAmount(amountWon)) throw invalid(`The amount ${CREDIT_AMOUNT_RULE}.`)
  const id = deps.newId()
  await deps.db.write(
    [insertCredit({ ws, id, amountWon, note }), audited(deps, { ws, actor }, 'credit.added', id)],
    { retry: true },
  )
  const { balanceWon } = await requireAccount(deps, ws)
  const entry = await findCreditEntry(deps.db, ws, id)
  if (entry === null) {
    throw conflict(`The balance is ${balanceWon} won, which is less than the amount.`, {
      code: 'insufficient_balance',
    })
  }
  return { entry, balanceWon }
}
