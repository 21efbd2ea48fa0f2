import type { Deps } from '#service/deps.ts'
import { findNames } from '#store/apps/names.ts'
import { ok } from '../answer.ts'
import { nameEndpoints } from '../endpoints/names.ts'
import { handlers } from '../handlers.ts'

export const nameRoutes = handlers(nameEndpoints, (deps: Pick<Deps, 'db'>) => ({
  findNames: async ({ ws, query: { text, limit } }) =>
    ok({ items: await findNames(deps.db, { ws, text, limit }) }),
}))
