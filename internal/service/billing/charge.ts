/**
 * Charges paid calls. The charge is one row and also the record of the call; it is written when the result exists and
 * before it is returned.
 */
import { type Account, type Refusal, refusalOf } from '#core/billing/balance.ts'
import { type AppError, forbidden, notFound } from '#core/error.ts'
import {
  findAccount,
  findCreditEntry,
  insertCharge,
  type NewCharge,
} from '#store/billing/credit.ts'
import { deleteMeta, upsertMeta } from '#store/meta.ts'
import type { Deps } from '../deps.ts'

const SENTENCES: Readonly<Record<Refusal, string>> = {
  suspended: 'This account is suspended. Ask the operator of this svc.',
  insufficient_balance: 'The balance does not cover this call. Add credit and try again.',
}

const refuse = (refusal: Refusal): AppError => forbidden(SENTENCES[refusal], { code: refusal })

/** Reads the account of a workspace. @throws {AppError} not_found */
export const requireAccount = async ({ db }: Pick<Deps, 'db'>, ws: string): Promise<Account> => {
  const account = await findAccount(db, ws)
  if (account === null) throw notFound(`Workspace "${ws}"`)
  return account
}

/**
 * Checks the balance before the work, to avoid work that cannot be charged; `charge` decides.
 * @throws {AppError} forbidden: `suspended`, `insufficient_balance`
 */
export const requireCredit = async (
  deps: Pick<Deps, 'db'>,
  { ws, priceWon }: Pick<NewCharge, 'ws' | 'priceWon'>,
): Promise<void> => {
  const refusal = refusalOf(await requireAccount(deps, ws), priceWon)
  if (refusal !== null) throw refuse(refusal)
}

/**
 * Writes nothing that stays, to find a database that cannot be written to before long work that is to be charged.
 * @throws {DatabaseError}
 */
export const requireWritable = async ({ db }: Pick<Deps, 'db'>): Promise<void> => {
  const check = [upsertMeta('write_check', ''), deleteMeta('write_check')]
  await db.write(check, { retry: true })
}

export type PaidCall = Omit<NewCharge, 'id'>

/**
 * Charges and records a call, exactly once when it resolves and not at all when it throws.
 * @throws {AppError} forbidden: other calls used up the balance, or the account was suspended meanwhile
 */
export const charge = async (deps: Pick<Deps, 'db' | 'newId'>, call: PaidCall): Promise<void> => {
  const id = deps.newId()
  const { charged } = await deps.db.write(
    { charged: insertCharge({ ...call, id }) },
    { retry: true },
  )
  if (charged.changes === 1) return
  // a retried write changes nothing if its first attempt succeeded without an answer
  if ((await findCreditEntry(deps.db, call.ws, id)) !== null) return
  const { isSuspended } = await requireAccount(deps, call.ws)
  throw refuse(isSuspended ? 'suspended' : 'insufficient_balance')
}
