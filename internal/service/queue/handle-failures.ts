/**
 * Queues a workspace's error handler for jobs and flow runs that end in failure [jobs 8.12]: one job for each, in the write
 * that ends them, so that no crash loses one. A handler that is gone or does not take the input is passed over, so that it
 * never keeps a job from ending.
 */
import { AppError } from '#core/error.ts'
import {
  errorHandlerIdentity,
  errorHandlerInput,
  type FailedJob,
  type FailedRun,
  runErrorHandlerInput,
} from '#core/error-handler.ts'
import type { JobError } from '#core/job/job-error.ts'
import type { JsonObject } from '#core/json.ts'
import { isTrialKey } from '#core/preview.ts'
import type { Statement } from '#store/database.ts'
import { failedUnhandled } from '#store/jobs/guards.ts'
import { findStarter } from '#store/jobs/starts.ts'
import { listErrorHandlers } from '#store/workspaces.ts'
import type { Deps } from '../deps.ts'
import { readAction } from './action-cache.ts'
import { enqueueStatements, type JobRequest } from './enqueue.ts'

export type HandleDeps = Pick<Deps, 'db' | 'newId' | 'limits'>

export type Failure = Readonly<{ job: FailedJob; error: JobError }>

/** Follow the statements that end the jobs; `{tag}` comes back where a handler was queued. */
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
    // who tries a draft looks at its failures
    if (handler === undefined || isTrialKey(job.app)) continue
    const { ws, id } = job
    const input = errorHandlerInput(job, error)
    const guard = failedUnhandled(job)
    const chainDepth = (await findStarter(deps.db, job))?.chainDepth ?? 0
    statements.push(...(await handlerJob(deps, handler, { ws, id, input, guard, chainDepth })))
  }
  return statements
}

/** The same for a flow run that fails. @param guard holds for the transition that ends the run */
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
  /** That of the failure, so that a handler which starts what fails again comes to an end. */
  chainDepth: number
}>

const handlerJob = async (
  deps: HandleDeps,
  handler: string,
  { ws, id, input, guard, chainDepth }: Handling,
): Promise<readonly Statement[]> => {
  const [app = '', action = ''] = handler.split('/')
  const known = await readAction(deps.db, { ws, app, action })
  if (known === null) return []
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
    // the handler's own schema refuses the input that every handler is given
    if (refusal instanceof AppError) return []
    throw refusal
  }
}
