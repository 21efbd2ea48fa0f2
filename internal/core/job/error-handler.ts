/** The action that a workspace runs for each job that ends in failure [jobs 8.12]. */

import type { JsonObject } from '../json/value.ts'
import { attemptOf } from './attempt.ts'
import type { JobError } from './job-error.ts'

/** `created_by` of the handler's jobs. Their failures start no further handler. */
export const errorHandlerIdentity = (failedId: string): string => `error_handler:${failedId}`

export type FailedJob = Readonly<{
  id: string
  ws: string
  app: string
  action: string
  /** The column of the job. */
  attempt: number
}>

/** `ctx.input` of the handler: enough to notify a person, with the id to look further. */
export const errorHandlerInput = (
  { id, ws, app, action, attempt }: FailedJob,
  error: JobError,
): JsonObject => ({
  job_id: id,
  workspace: ws,
  app,
  action,
  attempt: attemptOf(attempt),
  error: { name: error.name, message: error.message },
})

export type FailedRun = Readonly<{ id: string; ws: string; app: string; flow: string }>

/** Like `errorHandlerInput`, for a flow run, whose jobs start no error handler of their own. */
export const runErrorHandlerInput = (
  { id, ws, app, flow }: FailedRun,
  error: JobError,
): JsonObject => ({
  flow_run_id: id,
  workspace: ws,
  app,
  flow,
  error: { name: error.name, message: error.message },
})
