/** Takes back the jobs of workers that stopped renewing (contract, Jobs). Safe to run on every node at once. */
import { asText } from '#store/column.ts'
import { findLostJobs, type Held, rescueJob } from '#store/job-queue.ts'
import { insertLedgerRow } from '#store/jobs.ts'
import type { Deps } from './deps.ts'

const BATCH = 200

const WORKER_LOST = JSON.stringify({
  name: 'WorkerLost',
  message: 'The worker that ran this job stopped answering, as often as the limit allows.',
})

export type Rescued = Readonly<{ id: string; status: string }>

/** Reads first: while no job is lost it writes nothing. */
export const requeueLostJobs = async (
  deps: Pick<Deps, 'db' | 'hints' | 'passFault'>,
): Promise<readonly Rescued[]> => {
  const lost = await deps.db.all(findLostJobs(BATCH))
  const rescued: Rescued[] = []
  for (const row of lost) {
    const held: Held = { ws: asText(row.ws), id: asText(row.id), attempt: Number(row.attempt) }
    deps.passFault('rescue_before_commit')
    const results = await deps.db.write([rescueJob(held, WORKER_LOST), insertLedgerRow(held)], {
      retry: true,
    })
    deps.passFault('rescue_committed')
    const after = results[0]?.rows[0]
    if (after === undefined) continue
    const status = asText(after.status)
    if (status === 'queued') deps.hints.jobQueued.emit(asText(after.tag))
    deps.hints.jobChanged.emit(held.id)
    rescued.push({ id: held.id, status })
  }
  return rescued
}
