/** Dismisses failed jobs, which removes them from the list of failures, or restores them [jobs 17.8]. */
import { mayDismiss } from '#core/access/policy.ts'
import { conflict, forbidden, notFound } from '#core/error.ts'
import { deleteDismissals, insertDismissals } from '#store/jobs/dismissals.ts'
import { findJob, type Job } from '#store/jobs/read.ts'
import {
  type Dismissable,
  type DismissDeps,
  type DismissRequest,
  writeDismissal,
} from '../write-dismissal.ts'

const JOBS: Dismissable = { noun: 'job', insert: insertDismissals, remove: deleteDismissals }

/** @returns how many jobs it changed; jobs that did not fail, or already were in that state, are skipped */
export const dismissJobs = (
  deps: DismissDeps,
  request: DismissRequest & Readonly<{ ids: readonly string[] }>,
): Promise<number> => {
  const { ids } = request
  return writeDismissal(deps, request, { ids, target: `${ids.length} jobs`, of: JOBS })
}

/**
 * Dismisses or restores one job. Repeating it changes nothing. @throws {AppError} not_found; forbidden; conflict `not_failed`
 */
export const dismissJob = async (
  deps: DismissDeps,
  request: DismissRequest & Readonly<{ id: string }>,
): Promise<Job> => {
  const { ws, id, caller } = request
  const job = await findJob(deps.db, ws, id)
  if (job === null) throw notFound('Job')
  if (!mayDismiss(caller, job)) {
    throw forbidden('Only the creator of a job or an admin may dismiss it.')
  }
  if (job.status !== 'failure') {
    throw conflict(`The job is ${job.status}; only a failed job can be dismissed.`, {
      code: 'not_failed',
    })
  }
  await writeDismissal(deps, request, { ids: [id], target: id, of: JOBS })
  const now = await findJob(deps.db, ws, id)
  if (now === null) throw notFound('Job')
  return now
}
