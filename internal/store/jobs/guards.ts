/** Conditions on a job, for its own row and for statements on other tables that depend on it. */
import type { LostAttempt } from '#core/job/worker-loss.ts'
import type { Statement } from '../database.ts'
import { raw, SQL_NOW, type SqlParameter, sql } from '../sql.ts'
import type { CancelRequest } from './cancel.ts'
import { type Claim, isAttempt } from './lease.ts'

type JobId = Readonly<{ ws: string; id: string }>

/** A condition: the job has failed, is not a job of the error handler, and belongs to no flow run. */
export const failedUnhandled = ({ ws, id }: JobId): Statement =>
  sql`EXISTS (SELECT 1 FROM jobs failed WHERE failed.ws = ${ws} AND failed.id = ${id} AND failed.status = 'failure'
    AND failed.flow_run_id IS NULL AND failed.created_by NOT GLOB 'error_handler:*')`

/** A condition: this attempt runs, and its cancel was requested or not. */
export const isClaimed = (claim: Claim, isCancelRequested: boolean): Statement =>
  sql`EXISTS (SELECT 1 FROM jobs j WHERE ${isAttempt(claim, 'j')} AND j.status = 'running'
    AND (j.cancel_by IS NOT NULL) = ${isCancelRequested})`

/** A condition: this attempt has failed, and the job waits for the next. @param failures the number before it */
export const isRetried = (claim: Claim, failures: number): Statement =>
  sql`EXISTS (SELECT 1 FROM jobs j WHERE ${isAttempt(claim, 'j')} AND j.status = 'queued'
    AND j.failure_count > ${failures})`

/** A condition: this attempt is suspended. */
export const isSuspended = (claim: Claim): Statement =>
  sql`EXISTS (SELECT 1 FROM jobs j WHERE ${isAttempt(claim, 'j')} AND j.status = 'queued'
    AND j.suspended_kind IS NOT NULL)`

/** A condition: this attempt is over, and the job waits for the next. */
export const isQueuedAgain = (claim: Claim): Statement =>
  sql`EXISTS (SELECT 1 FROM jobs j WHERE ${isAttempt(claim, 'j')} AND j.status = 'queued')`

export type Lost = Claim & Omit<LostAttempt, 'crashLimit'>

/** A condition on the row `alias`: its worker is lost, and it has not changed since the job was read. */
export const isLostRow = (lost: Lost, alias = 'jobs'): Statement => {
  const job = raw(alias)
  return sql`${isAttempt(lost, alias)} AND ${job}.lease_until < ${SQL_NOW}
    AND ${job}.crash_count = ${lost.crashes} AND (${job}.cancel_by IS NOT NULL) = ${lost.isCancelRequested}`
}

/** A condition: the worker of the job is lost, and the job has not changed since it was read. */
export const isLost = (lost: Lost): Statement =>
  sql`EXISTS (SELECT 1 FROM jobs j WHERE ${isLostRow(lost, 'j')} AND j.status = 'running')`

/** A condition: the job exists, in any status. */
export const hasJob = (ws: string, id: string): Statement =>
  sql`EXISTS (SELECT 1 FROM jobs j WHERE j.ws = ${ws} AND j.id = ${id})`

/** A condition: this identity has canceled the job for this reason, and it has ended. */
export const isCanceledBy = ({ ws, id, by, reason }: CancelRequest): Statement =>
  sql`EXISTS (SELECT 1 FROM jobs j WHERE j.ws = ${ws} AND j.id = ${id} AND j.status = 'canceled'
    AND j.cancel_by = ${by} AND j.cancel_reason = ${reason})`

/** A condition: the job waits to be claimed. */
export const isQueued = (ws: string, id: string): Statement =>
  sql`EXISTS (SELECT 1 FROM jobs j WHERE j.ws = ${ws} AND j.id = ${id} AND j.status = 'queued')`

/** A condition: this is the app's current deployment. */
export const isDeployed = (
  ws: SqlParameter,
  app: SqlParameter,
  deploymentId: SqlParameter,
): Statement =>
  sql`EXISTS (SELECT 1 FROM apps
    WHERE apps.ws = ${ws} AND apps.key = ${app} AND apps.deployment_id = ${deploymentId})`

/** A condition: the app has not been deleted. */
export const hasApp = (ws: string, app: string): Statement =>
  sql`EXISTS (SELECT 1 FROM apps WHERE apps.ws = ${ws} AND apps.key = ${app})`

/** A condition: these are the current deployments of all these apps. */
export const areDeployed = (
  targets: readonly Readonly<{ ws: string; app: string; deploymentId: string }>[],
): Statement =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(
    targets.map(({ ws, app, deploymentId }) => [ws, app, deploymentId]),
  )}) target WHERE NOT EXISTS (SELECT 1 FROM apps
    WHERE apps.ws = target.value ->> 0 AND apps.key = target.value ->> 1
      AND apps.deployment_id = target.value ->> 2))`
