import type { Actor } from '#core/actor.ts'
import { CREDIT_AMOUNT_RULE, isCreditAmount } from '#core/billing/balance.ts'
import { conflict, invalid } from '#core/error.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import { type CreditEntry, findCreditEntry, insertCredit } from '#store/billing.ts'
import { requireAccount } from './charge.ts'
import type { Deps } from './deps.ts'

export type CreditRequest = Readonly<{
  ws: string
  /** A negative one takes back. */
  amountWon: number
  note: string | null
  actor: Actor
}>

export type AddedCredit = Readonly<{ entry: CreditEntry; balanceWon: number }>

/** @throws {AppError} invalid, not_found; conflict: more would be taken back than there is */
export const addCredit = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, amountWon, note, actor }: CreditRequest,
): Promise<AddedCredit> => {
  if (!isCreditAmount(amountWon)) throw invalid(`The amount ${CREDIT_AMOUNT_RULE}.`)
  const id = deps.newId()
  const audit = { id: deps.newId(), ws, actor, action: 'credit.added', target: id }
  await deps.db.write(
    [insertCredit({ ws, id, amountWon, note }), insertAuditEntryIfChanged(audit)],
    { retry: true },
  )
  const { balanceWon } = await requireAccount(deps, ws)
  const entry = await findCreditEntry(deps.db, ws, id)
  if (entry === null) {
    throw conflict(`The balance is ${balanceWon} won; that much cannot be taken back.`, {
      code: 'insufficient_balance',
    })
  }
  return { entry, balanceWon }
}
