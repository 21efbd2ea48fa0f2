/** Waits until a job has ended. A hint ends the wait at once; polling finds changes whose hint was lost. */
import { isTerminal } from '#core/job/transitions.ts'
import { DatabaseError } from '#store/database.ts'
import { findJobResult, type JobResult } from '#store/jobs/read.ts'
import type { Deps } from '../deps.ts'

const FIRST_LOOK_MS = 250
const SLOWEST_LOOK_MS = 1_000

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
  let wake: () => void = () => undefined
  let hinted = false
  const unsubscribe = deps.hints.jobChanged.subscribe(request.id, () => {
    hinted = true
    wake()
  })
  const deadline = performance.now() + request.timeoutMs
  const onAbort = (): void => wake()
  request.signal?.addEventListener('abort', onAbort)
  try {
    for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(waitMs * 2, SLOWEST_LOOK_MS)) {
      hinted = false
      const job = await look(deps, request)
      if (job === null || (job !== 'unknown' && isTerminal(job.status))) return job
      const left = deadline - performance.now()
      if (left <= 0 || request.signal?.aborted) return null
      if (!hinted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(waitMs, left))
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
    }
  } finally {
    unsubscribe()
    request.signal?.removeEventListener('abort', onAbort)
  }
}
