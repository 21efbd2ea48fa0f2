/** Guards: conditions on a job that other statements of the same batch depend on. */
import { SQL_NOW, type Statement, sql } from '../database.ts'
import type { Held } from './lease.ts'

/** A guard: the job has failed, is no error handler's own, and no flow answers for it. */
export const failedUnhandled = ({ ws, id }: Pick<Held, 'ws' | 'id'>): Statement =>
  sql(
    `EXISTS (SELECT 1 FROM jobs failed WHERE failed.ws = ? AND failed.id = ? AND failed.status = 'failure'
       AND failed.flow_run_id IS NULL AND failed.created_by NOT GLOB 'error_handler:*')`,
    ws,
    id,
  )

/** A guard: this attempt holds the job. @param isCanceled whether somebody has asked to cancel it */
export const isHeld = ({ ws, id, attempt }: Held, isCanceled: boolean): Statement =>
  sql(
    `EXISTS (SELECT 1 FROM jobs j WHERE j.ws = ? AND j.id = ? AND j.attempt = ? AND j.status = 'running'
       AND (j.cancel_by IS NOT NULL) = ?)`,
    ws,
    id,
    attempt,
    isCanceled ? 1 : 0,
  )

/** A guard: the job's worker is lost, and nothing has changed since it was looked at. */
export const isLost = (
  { ws, id, attempt }: Held,
  { crashes, isCanceled }: Readonly<{ crashes: number; isCanceled: boolean }>,
): Statement =>
  sql(
    `EXISTS (SELECT 1 FROM jobs j WHERE j.ws = ? AND j.id = ? AND j.attempt = ? AND j.status = 'running'
       AND j.lease_until < ${SQL_NOW} AND j.crash_count = ? AND (j.cancel_by IS NOT NULL) = ?)`,
    ws,
    id,
    attempt,
    crashes,
    isCanceled ? 1 : 0,
  )

/** A guard: the job waits. */
export const isQueued = (ws: string, id: string): Statement =>
  sql("EXISTS (SELECT 1 FROM jobs j WHERE j.ws = ? AND j.id = ? AND j.status = 'queued')", ws, id)
