/**
 * Queues a workspace's error handler for jobs and flow runs that end in failure [jobs 8.12]: one job for each, in the write
 * that ends them, so that no crash loses one. A handler that is missing or does not accept the input is skipped, so that it
 * never keeps a job from ending.
 */

import { isTrialKey } from '#core/deploy/preview.ts'
import { AppError } from '#core/error.ts'
import {
  errorHandlerIdentity,
  errorHandlerInput,
  type FailedJob,
  type FailedRun,
  runErrorHandlerInput,
} from '#core/job/error-handler.ts'
import type { JobError } from '#core/job/job-error.ts'
import type { JsonObject } from '#core/json/value.ts'
import type { Statement } from '#store/database.ts'
import { failedUnhandled } from '#store/jobs/guards.ts'
import { listQueuedHandlerTags } from '#store/jobs/read.ts'
import { findStarter } from '#store/jobs/starts.ts'
import { listErrorHandlers } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'
import { fitsQuickly } from '../find-input-faults.ts'
import { readAction } from './action-cache.ts'
import { enqueueStatements, type JobRequest } from './enqueue.ts'

export type HandleDeps = Pick<Deps, 'db' | 'newId' | 'limits'>

export type Failure = Readonly<{ job: FailedJob; error: JobError }>

/** Returns statements that follow those which end the jobs. They return `{tag}` where a handler was queued. */
export const handlerJobs = async (
  deps: HandleDeps,
  failures: readonly Failure[],
): Promise<readonly Statement[]> => {
  if (failures.length === 0) return []
  const workspaces = new Set(failures.map(({ job }) => job.ws))
  const handlers = await listErrorHandlers(deps.db, [...workspaces])
  const statements: Statement[] = []
  for (const failure of failures) {
    const handler = handlers.get(failure.job.ws)
    const { job, error } = failure
    // a person who tries a draft sees its failures
    if (handler === undefined || isTrialKey(job.app)) continue
    const { ws, id } = job
    const input = errorHandlerInput(job, error)
    const guard = failedUnhandled(job)
    const chainDepth = (await findStarter(deps.db, job))?.chainDepth ?? 0
    statements.push(...(await handlerJob(deps, handler, { ws, id, input, guard, chainDepth })))
  }
  return statements
}

/**
 * Wakes workers for the handlers of jobs and runs whose end this write did not make: an earlier one made it, and its answer was lost
 * with the tags.
 */
export const wakeHandlers = async (
  { db, hints }: Pick<Deps, 'db' | 'hints'>,
  failedIds: readonly string[],
): Promise<void> => {
  if (failedIds.length === 0) return
  for (const tag of await listQueuedHandlerTags(db, failedIds.map(errorHandlerIdentity))) {
    hints.jobQueued.emit(tag)
  }
}

/** Like `handlerJobs`, for a flow run that fails. @param guard a condition: the transition that ends the run was made */
export const runHandlerJobs = async (
  deps: HandleDeps,
  { run, error }: Readonly<{ run: FailedRun & { readonly chainDepth: number }; error: JobError }>,
  guard: Statement,
): Promise<readonly Statement[]> => {
  const { ws, id } = run
  const handler = (await listErrorHandlers(deps.db, [ws])).get(ws)
  if (handler === undefined || isTrialKey(run.app)) return []
  const { chainDepth } = run
  const input = runErrorHandlerInput(run, error)
  return handlerJob(deps, handler, { ws, id, input, guard, chainDepth })
}

type Handling = Readonly<{
  ws: string
  id: string
  input: JsonObject
  guard: Statement
  /** That of the failed job or run, so that a handler which causes further failures comes to an end. */
  chainDepth: number
}>

const handlerJob = async (
  deps: HandleDeps,
  handler: string,
  { ws, id, input, guard, chainDepth }: Handling,
): Promise<readonly Statement[]> => {
  const [app = '', action = ''] = handler.split('/')
  const known = await readAction(deps.db, { ws, app, action })
  // the handler's own schema may refuse the input that every handler gets
  if (known === null || !(await fitsQuickly(known.checkInput, { ws, input }))) return []
  const identity = errorHandlerIdentity(id)
  const request: JobRequest = {
    ws,
    app,
    action,
    input,
    inputJson: JSON.stringify(input),
    triggerKind: 'error_handler',
    createdBy: identity,
    permissionedAs: identity,
    chainDepth,
  }
  try {
    return enqueueStatements(deps, { jobId: deps.newId(), request, action: known }, guard)
  } catch (refusal) {
    // its concurrency key may name what the input lacks
    if (refusal instanceof AppError) return []
    throw refusal
  }
}
