/**
 * Queues a workspace's error handler for jobs and flow runs that end in failure: one job for each, in the very write that ends them, so
 * that no crash loses one. It is in the way of nobody's end: a handler that is gone or takes no such input is passed over.
 */
import { AppError } from '#core/error.ts'
import {
  errorHandlerIdentity,
  errorHandlerInput,
  type FailedJob,
  type FailedRun,
  runErrorHandlerInput,
} from '#core/error-handler.ts'
import { inputCheck } from '#core/input-schema.ts'
import type { JobError } from '#core/job/job-error.ts'
import type { JsonObject } from '#core/json.ts'
import { findCurrentAction } from '#store/apps.ts'
import type { Statement } from '#store/database.ts'
import { failedUnhandled } from '#store/jobs/guards.ts'
import { insertJob } from '#store/jobs/insert.ts'
import { listErrorHandlers } from '#store/workspaces.ts'
import type { Deps } from '../deps.ts'
import { type JobRequest, pinJob } from './pin-job.ts'

export type HandleDeps = Pick<Deps, 'db' | 'newId' | 'limits'>

export type Failure = Readonly<{ job: FailedJob; error: JobError }>

/** Stand behind the statements that end the jobs; the first of each pair answers `{tag}` where a handler was queued. */
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
    if (handler === undefined) continue
    const { job, error } = failure
    const { ws, id } = job
    const input = errorHandlerInput(job, error)
    const guard = failedUnhandled(job)
    statements.push(...(await handlerJob(deps, handler, { ws, id, input, guard })))
  }
  return statements
}

/** For a flow run that fails: stands behind what ends it. @param guard that it is this transition which ends it */
export const runHandlerJobs = async (
  deps: HandleDeps,
  { run, error }: Readonly<{ run: FailedRun; error: JobError }>,
  guard: Statement,
): Promise<readonly Statement[]> => {
  const { ws, id } = run
  const handler = (await listErrorHandlers(deps.db, [ws])).get(ws)
  if (handler === undefined) return []
  return handlerJob(deps, handler, { ws, id, input: runErrorHandlerInput(run, error), guard })
}

type Handling = Readonly<{ ws: string; id: string; input: JsonObject; guard: Statement }>

const handlerJob = async (
  deps: HandleDeps,
  handler: string,
  { ws, id, input, guard }: Handling,
): Promise<readonly Statement[]> => {
  const [app = '', action = ''] = handler.split('/')
  const current = await findCurrentAction(deps.db, ws, app, action)
  if (current === null) return []
  const identity = errorHandlerIdentity(id)
  const request: JobRequest = {
    ws,
    app,
    action,
    input,
    inputJson: JSON.stringify(input),
    triggerKind: 'api',
    createdBy: identity,
    permissionedAs: identity,
  }
  const known = { ...current, checkInput: inputCheck(current.definition.inputSchema) }
  try {
    return insertJob(pinJob(deps, { request, known, jobId: deps.newId() }), guard)
  } catch (refusal) {
    // its own schema refuses what every handler is given
    if (refusal instanceof AppError) return []
    throw refusal
  }
}
