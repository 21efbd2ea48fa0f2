/** Dismisses failed jobs, which takes them out of the list of failures, or restores them [jobs 17.8]. */
import { mayDismiss, operationCreator } from '#core/access/policy.ts'
import type { Principal } from '#core/access/principal.ts'
import type { Actor } from '#core/actor.ts'
import { conflict, forbidden, notFound } from '#core/error.ts'
import { deleteDismissals, insertDismissals } from '#store/jobs/dismissals.ts'
import { findJob, type Job } from '#store/jobs/read.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'

type DismissDeps = Pick<Deps, 'db' | 'newId'>

type Dismiss = Readonly<{
  ws: string
  caller: Principal
  actor: Actor
  /** False restores them. */
  isDismissed: boolean
}>

/**
 * Dismisses those of the jobs that have failed; a member's own ones only.
 * @param target for the audit log
 * @returns how many it changed
 */
const dismiss = async (
  deps: DismissDeps,
  { ws, caller, actor, isDismissed }: Dismiss,
  { ids, target }: Readonly<{ ids: readonly string[]; target: string }>,
): Promise<number> => {
  const dismissal = { ws, ids, createdBy: operationCreator(caller) }
  const change = isDismissed
    ? insertDismissals(dismissal, caller.identity)
    : deleteDismissals(dismissal)
  const action = isDismissed ? 'job.dismissed' : 'job.undismissed'
  const { changed } = await deps.db.write({
    changed: change,
    audit: audited(deps, { ws, actor }, action, target),
  })
  return changed.changes
}

/** @returns how many it changed: jobs that did not fail, or were so before, are passed over */
export const dismissJobs = (
  deps: DismissDeps,
  request: Dismiss & Readonly<{ ids: readonly string[] }>,
): Promise<number> => {
  const { ids } = request
  return dismiss(deps, request, { ids, target: `${ids.length} jobs` })
}

/** Once or repeatedly is the same. @throws {AppError} not_found; forbidden; conflict `not_failed` */
export const dismissJob = async (
  deps: DismissDeps,
  request: Dismiss & Readonly<{ id: string }>,
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
  await dismiss(deps, request, { ids: [id], target: id })
  const now = await findJob(deps.db, ws, id)
  if (now === null) throw notFound('Job')
  return now
}
