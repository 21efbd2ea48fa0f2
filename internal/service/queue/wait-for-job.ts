/** Waits until a job has ended. */
import { isTerminal, type TerminalStatus } from '#core/job/transitions.ts'
import { findJobResult, type JobResult } from '#store/jobs/read.ts'
import type { Deps } from '../deps.ts'
import { lookAt, waitUntil } from '../wait-until.ts'

export type WaitRequest = Readonly<{
  ws: string
  id: string
  timeoutMs: number
  signal?: AbortSignal
}>

export type EndedJob = JobResult & Readonly<{ status: TerminalStatus }>

const isEnded = (found: JobResult | 'unknown'): found is EndedJob =>
  found !== 'unknown' && isTerminal(found.status)

/** Returns the ended job; null when it still runs after `timeoutMs`, the caller disconnected, or the job does not exist. */
export const waitForJob = async (
  deps: Pick<Deps, 'db' | 'hints' | 'openWork'>,
  { ws, id, timeoutMs, signal }: WaitRequest,
): Promise<EndedJob | null> => {
  const job = await waitUntil({
    timeoutMs,
    signal,
    subscribe: (onHint) => deps.hints.jobChanged.subscribe(id, onHint),
    look: () => lookAt(() => findJobResult(deps.db, ws, id)),
    isUnchanged: () => lookAt(() => deps.openWork.isJobOpen({ ws, id })),
    isOver: (found) => found === null || isEnded(found),
  })
  return job !== null && isEnded(job) ? job : null
}
