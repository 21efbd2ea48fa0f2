/** Deletes what deleted apps have left, in small writes. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppAddress } from '#core/app-address.ts'
import { deleteSomeLeftRows, hasLeftRows } from '#store/apps/left-rows.ts'
import type { Deps } from './deps.ts'

/** Deletes what a deleted app has left, before another one is made under its key. The trigger `apps_made` deletes the rest. */
export const clearDeletedApp = async ({ db }: Pick<Deps, 'db'>, at: AppAddress): Promise<void> => {
  while (await hasLeftRows(db, at)) {
    await db.write(deleteSomeLeftRows(at), { retry: true })
    await nextTurn()
  }
}
