/** The action that a workspace runs for each job that ends in failure (contract, Auth and people: `error_handler`). */
import type { JobError } from './job.ts'
import type { JsonObject } from './json.ts'

/** `created_by` of its jobs; whose failure starts no further one. */
export const errorHandlerIdentity = (failedJobId: string): string => `error_handler:${failedJobId}`

export type FailedJob = Readonly<{
  id: string
  ws: string
  app: string
  action: string
  attempt: number
}>

/** `ctx.input` of the handler: what it takes to tell a person, and to look further with the id. */
export const errorHandlerInput = (
  { id, ws, app, action, attempt }: FailedJob,
  error: JobError,
): JsonObject => ({
  job_id: id,
  workspace: ws,
  app,
  action,
  attempt,
  error: { name: error.name, message: error.message },
})
