/** How far a loop has come [flows 7.2]. */
import type { JobStatus } from '../job/transitions.ts'

export type ItemCounts = Readonly<{
  /** All items; of a step that ended early, those that had begun or could not begin. */
  total: number
  /** Those that have ended. */
  done: number
  /** How many of these failed or were canceled. */
  failed: number
}>

type Child = Readonly<{ slot: number; status: JobStatus }>

/**
 * Counts the items of a loop.
 * @param children by item and attempt: the last attempt of an item decides
 * @param others items without a child: those that wait for their turn, and those that were refused
 * @returns null if none has begun or waits, for example because their jobs were deleted
 */
export const countItems = (
  children: readonly Child[],
  others: Readonly<{ waiting: number; refused: number }>,
): ItemCounts | null => {
  if (children.length + others.waiting === 0) return null
  const last = new Map(children.map(({ slot, status }) => [slot, status]))
  const counts = { success: 0, failure: 0, canceled: 0, queued: 0, running: 0 }
  for (const status of last.values()) counts[status] += 1
  const failed = counts.failure + counts.canceled + others.refused
  const total = last.size + others.waiting + others.refused
  return { total, done: counts.success + failed, failed }
}
