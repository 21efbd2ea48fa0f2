/** Takes back the jobs of workers that stopped renewing [jobs 8.7]. Safe to run on every node at once. */
import type { FailedJob } from '#core/error-handler.ts'
import { asNumber, asText } from '#store/column.ts'
import type { Row } from '#store/database.ts'
import { insertLostAttempt } from '#store/jobs/attempts.ts'
import { toClaimedFlow } from '#store/jobs/claimed-job.ts'
import { insertLedgerRow } from '#store/jobs/ledger.ts'
import { findLostJobs, rescueJob } from '#store/jobs/rescue.ts'
import type { Deps } from '../deps.ts'
import { endLostChild, type LostChild } from '../flows/end-child.ts'
import type { FlowDeps } from '../flows/load-run.ts'
import { type HandleDeps, handlerJobs } from './handle-failures.ts'

const BATCH = 200

const WORKER_LOST = {
  name: 'WorkerLost',
  message: 'The worker that ran this job stopped answering, as often as the limit allows.',
}

/** Of an attempt that is followed by another one. */
const LOST_ATTEMPT = JSON.stringify({
  name: 'WorkerLost',
  message: 'The worker that ran this attempt stopped answering.',
})

export type Rescued = Readonly<{ id: string; status: string }>

const toLostJob = (row: Row): FailedJob => ({
  ws: asText(row.ws),
  id: asText(row.id),
  app: asText(row.app),
  action: asText(row.action),
  attempt: asNumber(row.attempt),
})

/** A flow's child that will not be queued again: its run is told in the same write. */
const toLostChild = (row: Row): LostChild | null => {
  const flow = toClaimedFlow(row)
  const crashes = asNumber(row.crash_count)
  const isCanceled = row.cancel_by !== null
  const isOver = isCanceled || crashes + 1 >= asNumber(row.crash_limit)
  if (flow === null || !isOver) return null
  const { ws, id, attempt } = toLostJob(row)
  return { ws, id, attempt, flow, crashes, isCanceled }
}

type RescueDeps = HandleDeps & FlowDeps & Pick<Deps, 'hints' | 'passFault'>

/** @returns null: the worker renewed in time, or another node was first */
const rescueOne = async (deps: RescueDeps, held: FailedJob): Promise<Rescued | null> => {
  // it may go back to the queue instead: then the handler's guard lets it be
  const handler = await handlerJobs(deps, [{ job: held, error: WORKER_LOST }])
  const rescue = rescueJob(held, JSON.stringify(WORKER_LOST))
  deps.passFault('rescue_before_commit')
  const attempt = insertLostAttempt(held, LOST_ATTEMPT)
  const statements = [attempt, rescue, insertLedgerRow(held), ...handler]
  const results = await deps.db.write(statements, { retry: true })
  deps.passFault('rescue_committed')
  for (const { tag } of results[3]?.rows ?? []) deps.hints.jobQueued.emit(asText(tag))
  const after = results[1]?.rows[0]
  if (after === undefined) return null
  const status = asText(after.status)
  if (status === 'queued') deps.hints.jobQueued.emit(asText(after.tag))
  deps.hints.jobChanged.emit(held.id)
  return { id: held.id, status }
}

const rescueChild = async (deps: RescueDeps, child: LostChild): Promise<Rescued | null> => {
  const isMine = await endLostChild(deps, child, WORKER_LOST)
  deps.hints.jobChanged.emit(child.id)
  return isMine ? { id: child.id, status: child.isCanceled ? 'canceled' : 'failure' } : null
}

/**
 * Reads first: while no job is lost it writes nothing. The jobs are taken back at the same time, so that they share
 * commits: after an outage all running jobs may be lost at once. One that fails holds up no other.
 * @param asOf a reading of the database's clock that was judged (watch-clock.ts). @default now
 * @throws {Error} the first failure, once all others are taken back
 */
export const rescueJobs = async (
  deps: RescueDeps,
  asOf: number | null = null,
): Promise<readonly Rescued[]> => {
  const lost = await deps.db.all(findLostJobs(BATCH, asOf))
  const outcomes = await Promise.allSettled(
    lost.map((row) => {
      const child = toLostChild(row)
      return child === null ? rescueOne(deps, toLostJob(row)) : rescueChild(deps, child)
    }),
  )
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value === null ? [] : [outcome.value]
  })
}
