/** `ctx.cancel`: a job or a function cancels a job or a flow run of its workspace [jobs 15.10]. */
import { isRunOver } from '#core/flow/run.ts'
import { type CancelCall, mayCancelFromWork, nothingToCancel } from '#core/job/cancel-call.ts'
import { lostStarter } from '#core/job/start-call.ts'
import { isTerminal } from '#core/job/transitions.ts'
import { findRunHead } from '#store/flows/runs.ts'
import { isRunning } from '#store/jobs/lease.ts'
import { findJobHead } from '#store/jobs/read.ts'
import { holds } from '#store/row.ts'
import { cancelRunAs } from '../flows/cancel-run.ts'
import type { FlowDeps } from '../flows/engine.ts'
import { cancelAs, hasCanceled } from '../queue/cancel-job.ts'
import type { Caller } from './start-caller.ts'

/** @returns whether it was open, and is now canceled or being canceled @throws {AppError} it was refused */
export const cancelWork = async (
  deps: FlowDeps,
  caller: Pick<Caller, 'ws' | 'claim' | 'createdBy' | 'permissionedAs'>,
  { id, reason: given }: CancelCall,
): Promise<boolean> => {
  const { ws, claim, createdBy: by } = caller
  if (claim !== null && !(await holds(deps.db, isRunning(claim)))) throw lostStarter()
  const reason = given ?? `Canceled by ${by}.`
  const job = await findJobHead(deps.db, ws, id)
  if (job !== null && mayCancelFromWork(caller, job)) {
    if (isTerminal(job.status)) return false
    // a repeated cancel changes nothing, and would read and write all jobs that the job has called
    if (job.cancelBy !== null) {
      deps.hints.cancelRequested.emit(id)
      return true
    }
    return hasCanceled(await cancelAs(deps, { ws, id, by, reason }, job.status))
  }
  const run = job === null ? await findRunHead(deps.db, ws, id) : null
  if (run === null || !mayCancelFromWork(caller, run)) throw nothingToCancel(caller)
  if (isRunOver(run.status)) return false
  await cancelRunAs(deps, { ws, id, reason })
  return true
}
