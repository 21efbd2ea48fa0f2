/** Waits until a job has ended. */
import { isTerminal } from '#core/job/transitions.ts'
import { DatabaseError } from '#store/database.ts'
import { findJobResult, type JobResult } from '#store/jobs/read.ts'
import type { Deps } from '../deps.ts'
import { waitUntil } from '../wait-until.ts'

export type WaitRequest = Readonly<{
  ws: string
  id: string
  timeoutMs: number
  signal?: AbortSignal
}>

/** Reads a job. A database error counts as unknown, because the job is queued and the caller must get its id. */
const look = async (
  { db }: Pick<Deps, 'db'>,
  { ws, id }: WaitRequest,
): Promise<JobResult | 'unknown' | null> => {
  try {
    return await findJobResult(db, ws, id)
  } catch (error) {
    if (error instanceof DatabaseError) return 'unknown'
    throw error
  }
}

/** Returns the ended job; null when it still runs after `timeoutMs`, the caller disconnected, or the job does not exist. */
export const waitForJob = async (
  deps: Pick<Deps, 'db' | 'hints'>,
  request: WaitRequest,
): Promise<JobResult | null> => {
  const { id, timeoutMs, signal } = request
  const found = await waitUntil({
    timeoutMs,
    signal,
    subscribe: (onHint) => deps.hints.jobChanged.subscribe(id, onHint),
    look: () => look(deps, request),
    isOver: (job) => job === null || (job !== 'unknown' && isTerminal(job.status)),
  })
  return found === 'unknown' ? null : found
}
