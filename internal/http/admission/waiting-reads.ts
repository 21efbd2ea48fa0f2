/**
 * Limits the requests of a workspace that wait to read a local database. They take turns with those of others, but each holds
 * memory, and callers that ask faster than the file can be read would make them wait ever longer.
 */
import { AppError } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { waitingReadsOf } from '#store/read-owner.ts'

const MOST_WAITING = limit(
  'workspace.waiting_reads',
  1_000,
  'items',
  'Reads of a workspace that wait for their turn at the local database of one server. A GET beyond them: 429.',
)
const RETRY_AFTER_S = 1

/** @throws {AppError} rate_limited `too_many_reads` */
export const refuseTooManyReads = (ws: string): void => {
  if (waitingReadsOf(ws) < MOST_WAITING) return
  throw new AppError(
    'rate_limited',
    `${MOST_WAITING} reads of this workspace wait on this server. Ask less often, or for shorter lists.`,
    { code: 'too_many_reads', retryAfterS: RETRY_AFTER_S },
  )
}
