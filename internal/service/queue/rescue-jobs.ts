/** Rescues the jobs of workers that stopped renewing their leases [jobs 8.7]. All nodes may run it at once. */

import { type JobStatus, toOf } from '#core/job/transitions.ts'
import { afterWorkerLoss, type WorkerLoss } from '#core/job/worker-loss.ts'
import { unlessNewer } from '#core/newer-svc.ts'
import { asText } from '#store/column.ts'
import { insertLostAttempt } from '#store/jobs/attempts.ts'
import { isQueuedAgain } from '#store/jobs/guards.ts'
import { type LostJob, listLostJobs, rescueJob } from '#store/jobs/rescue.ts'
import type { Deps } from '../deps.ts'
import { createDueTurns, type DueTurns } from '../due-turns.ts'
import { endLostChild } from '../flows/end-child.ts'
import type { FlowDeps } from '../flows/engine.ts'
import { emitIfMade, emitQueued } from './enqueue.ts'
import { type HandleDeps, handlerJobs, wakeHandlers } from './handle-failures.ts'

const BATCH = 200

const WORKER_LOST = {
  name: 'WorkerLost',
  message: 'The worker that ran this job stopped answering, as often as the limit allows.',
}

/** The error of an attempt that is followed by another. */
const LOST_ATTEMPT = JSON.stringify({
  name: 'WorkerLost',
  message: 'The worker that ran this attempt stopped answering.',
})

export type Rescued = Readonly<{ id: string; status: JobStatus }>

type RescueDeps = HandleDeps & FlowDeps & Pick<Deps, 'hints' | 'passFault'>

/** @returns null if the worker renewed its lease in time, something else changed, or another node was first */
const rescueOne = async (
  deps: RescueDeps,
  lost: LostJob,
  event: WorkerLoss,
): Promise<Rescued | null> => {
  const batch = {
    attempt: event === 'lose_worker' ? insertLostAttempt(lost, LOST_ATTEMPT) : null,
    rescue: rescueJob(lost, event, { error: WORKER_LOST }),
    handler:
      event === 'give_up' ? await handlerJobs(deps, [{ job: lost, error: WORKER_LOST }]) : [],
  }
  deps.passFault('rescue_before_commit')
  const { rescue, handler } = await deps.db.write(batch, { retry: true })
  deps.passFault('rescue_committed')
  emitQueued(deps, handler)
  const row = rescue[0]?.rows[0]
  if (row === undefined) {
    // this write was repeated, or another node made it and may have died before it woke workers
    await emitIfMade(deps, lost, isQueuedAgain(lost))
    if (handler.length > 0) await wakeHandlers(deps, [lost.id])
    return null
  }
  const status = toOf(event)
  if (status === 'queued') deps.hints.jobQueued.emit(asText(row.tag))
  deps.hints.jobChanged.emit(lost.id)
  return { id: lost.id, status }
}

const rescue = async (deps: RescueDeps, lost: LostJob): Promise<Rescued | null> => {
  const event = afterWorkerLoss(lost)
  const { flow } = lost
  // a job that is queued again does not concern its run
  if (flow === null || event === 'lose_worker') return rescueOne(deps, lost, event)
  const isEnded = await unlessNewer(
    () => endLostChild(deps, { ...lost, flow }, { event, failure: WORKER_LOST }),
    false,
  )
  deps.hints.jobChanged.emit(lost.id)
  return isEnded ? { id: lost.id, status: toOf(event) } : null
}

/**
 * Rescues lost jobs. Reads first, and writes nothing while no job is lost. The jobs are rescued at the same time, so that they
 * share commits: after an outage all running jobs may be lost at once. A failure does not affect other jobs.
 * @param asOf a reading of the database's clock that was checked (nodes/watch-clock.ts). @default now
 * @throws {Error} the first failure, after all others have been rescued
 */
export const rescueJobs = async (
  deps: RescueDeps,
  asOf: number | null = null,
  turns: DueTurns = createDueTurns(),
): Promise<readonly Rescued[]> => {
  const failed: unknown[] = []
  const rescued: Rescued[] = []
  const rescueAll = async (lost: readonly LostJob[]): Promise<readonly boolean[]> => {
    const outcomes = await Promise.allSettled(lost.map((job) => rescue(deps, job)))
    return outcomes.map((outcome) => {
      if (outcome.status === 'rejected') failed.push(outcome.reason)
      else if (outcome.value !== null) rescued.push(outcome.value)
      return outcome.status === 'fulfilled' && outcome.value !== null
    })
  }
  await turns.take(BATCH, (page) => listLostJobs(deps.db, { ...page, asOf }), rescueAll)
  if (failed.length > 0) throw failed[0]
  return rescued
}
