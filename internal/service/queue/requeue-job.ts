/** Offers a queued job to workers again, optionally under another tag, for jobs whose tag no worker serves. */
import type { Actor } from '#core/access/actor.ts'
import { conflict, notFound } from '#core/error.ts'
import { findJob, type Job } from '#store/jobs/read.ts'
import { requeueJob as requeueStatement } from '#store/jobs/ready.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { checkAllowedTag } from './check-tag.ts'

export type RequeueRequest = Readonly<{
  ws: string
  id: string
  /** Null to keep the tag. */
  tag: string | null
  actor: Actor
}>

/**
 * Requeues a job; a delayed job becomes due at once.
 * @throws {AppError} not_found; forbidden `tag_not_allowed`; conflict: it is no longer queued
 */
export const requeueJob = async (
  deps: Pick<Deps, 'db' | 'newId' | 'hints'>,
  { ws, id, tag, actor }: RequeueRequest,
): Promise<Job> => {
  if (tag !== null) await checkAllowedTag(deps, ws, tag)
  const [result] = await deps.db.write(
    [requeueStatement({ ws, id, tag }), audited(deps, { ws, actor }, 'job.requeued', id)],
    { retry: true },
  )
  const job = await findJob(deps.db, ws, id)
  if (job === null) throw notFound('Job')
  if (result?.changes !== 1) {
    throw conflict(`The job is ${job.status}; only a queued job can be requeued.`, {
      code: 'not_queued',
    })
  }
  deps.hints.jobQueued.emit(job.tag)
  return job
}
