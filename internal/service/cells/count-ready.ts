/** Counts the ready jobs of the whole instance. */
import { countReadyByTag, mergeByTag, type TagQueueCount } from '#store/jobs/count.ts'
import type { Deps } from '../deps.ts'
import { askCells } from './ask-cells.ts'

/** Counts by tag, in all cells that answer. @throws {DatabaseError} of `db` */
export const countReadyInCells = async (
  deps: Pick<Deps, 'db' | 'furtherCells'>,
): Promise<readonly TagQueueCount[]> => {
  const own = await countReadyByTag(deps.db)
  const others = await askCells(deps, countReadyByTag)
  if (others.length === 0) return own
  return mergeByTag([own, ...others].flat())
}
