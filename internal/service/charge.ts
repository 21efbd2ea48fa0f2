/**
 * Paid calls: whether one may be served, and the charge for one that was. The charge is the record of the call, too: one
 * row, written when the result is there and before it is handed out.
 */
import { type Account, type Refusal, refusalOf } from '#core/billing/balance.ts'
import { type AppError, forbidden, notFound } from '#core/error.ts'
import { findAccount, findCreditEntry, insertCharge, type NewCharge } from '#store/billing.ts'
import type { Deps } from './deps.ts'

const SENTENCES: Readonly<Record<Refusal, string>> = {
  suspended: 'This account is suspended. Ask whoever runs this svc.',
  insufficient_balance: 'The balance does not cover this call. Add credit and try again.',
}

const refuse = (refusal: Refusal): AppError => forbidden(SENTENCES[refusal], { code: refusal })

/** @throws {AppError} not_found */
export const requireAccount = async ({ db }: Pick<Deps, 'db'>, ws: string): Promise<Account> => {
  const account = await findAccount(db, ws)
  if (account === null) throw notFound(`Workspace "${ws}"`)
  return account
}

/**
 * Looked at before the work, so that nobody works for nothing; `charge` decides.
 * @throws {AppError} forbidden: `suspended`, `insufficient_balance`
 */
export const requireCredit = async (
  deps: Pick<Deps, 'db'>,
  { ws, priceWon }: Pick<NewCharge, 'ws' | 'priceWon'>,
): Promise<void> => {
  const refusal = refusalOf(await requireAccount(deps, ws), priceWon)
  if (refusal !== null) throw refuse(refusal)
}

export type PaidCall = Omit<NewCharge, 'id'>

/**
 * Charges and records a call. What resolved was paid for, exactly once; what threw cost nothing.
 * @throws {AppError} forbidden: others have used the balance up, or the account was suspended meanwhile
 */
export const charge = async (deps: Pick<Deps, 'db' | 'newId'>, call: PaidCall): Promise<void> => {
  const id = deps.newId()
  const [result] = await deps.db.write([insertCharge({ ...call, id })], { retry: true })
  if (result?.changes === 1) return
  // a write whose outcome was unknown was tried again, and had been made the first time
  if ((await findCreditEntry(deps.db, call.ws, id)) !== null) return
  const { isSuspended } = await requireAccount(deps, call.ws)
  throw refuse(isSuspended ? 'suspended' : 'insufficient_balance')
}
