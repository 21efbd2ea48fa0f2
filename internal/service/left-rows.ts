/** Deletes what deleted apps have left, in small writes. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppAddress } from '#core/app-address.ts'
import { deleteSomeLeftRows, deleteSomeLeftSchedules, hasLeftRows } from '#store/apps/left-rows.ts'
import type { Deps } from './deps.ts'

/** Deletes what a deleted app has left, before another one is made under its key. The trigger `apps_made` deletes the rest. */
export const clearDeletedApp = async ({ db }: Pick<Deps, 'db'>, at: AppAddress): Promise<void> => {
  while (await hasLeftRows(db, at)) {
    await db.write(deleteSomeLeftRows(at), { retry: true })
    await nextTurn()
  }
}

/**
 * Deletes the schedules that a deleted app has left. Each write takes a few milliseconds, while one that deletes two hundred thousand
 * schedules lets all others wait for seconds. If it is interrupted, the sweep continues.
 */
export const clearDeletedSchedules = async (
  { db }: Pick<Deps, 'db'>,
  at: AppAddress,
): Promise<void> => {
  for (;;) {
    const { schedules } = await db.write(
      { schedules: deleteSomeLeftSchedules(at) },
      { retry: true },
    )
    if (schedules.changes === 0) return
    await nextTurn()
  }
}
