import { addCredit } from '#service/billing/add-credit.ts'
import { requireAccount } from '#service/billing/charge.ts'
import type { Deps } from '#service/deps.ts'
import { listCreditEntries } from '#store/billing/credit.ts'
import { ok } from '../answer.ts'
import { billingEndpoints } from '../endpoints/billing.ts'
import { handlers } from '../handlers.ts'
import { accepted, idempotencyOf } from '../run-request.ts'
import { pageBefore, paginate } from '../schemas/page.ts'

export const billingRoutes = handlers(
  billingEndpoints,
  (deps: Pick<Deps, 'db' | 'newId' | 'billing'>) => ({
    getBilling: async ({ ws, query }) => {
      const { balanceWon, isSuspended } = await requireAccount(deps, ws)
      const rows = await listCreditEntries(deps.db, ws, pageBefore(query))
      const { items: entries, pagination } = paginate(rows, query.limit, ({ id }) => id)
      const { isPrepaid, registryWon, accuracyWon } = deps.billing
      return ok({
        balanceWon,
        suspended: isSuspended,
        prices: { prepaid: isPrepaid, registryWon, accuracyWon },
        entries,
        pagination,
      })
    },
    adminAddCredits: async (input) => {
      const { params, body, actor } = input
      const added = await addCredit(deps, {
        ws: params.id,
        amountWon: body.amount_won,
        note: body.note ?? null,
        actor,
        ...idempotencyOf(input, 'credits'),
      })
      return accepted(201, added, { balanceWon: added.balanceWon, entry: added.entry })
    },
  }),
)
