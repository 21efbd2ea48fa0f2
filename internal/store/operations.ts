/** Operations on many jobs, and the jobs in them that have not been processed [jobs 17.5]. */
import { OPERATION_KINDS, OPERATION_STATUSES, type OperationKind } from '#core/job/operation.ts'
import { DAY_MS } from '#core/time-units.ts'
import type { Database, Reader, Statement } from './database.ts'
import { bool, exists, number, oneOf, type RowOf, row, text, time } from './row.ts'
import { type IdPage, positionOf, searchRows } from './search.ts'
import { allOf, raw, SQL_NOW, sql } from './sql.ts'
import { isNotHeld } from './workspaces/held.ts'

const operationRow = row({
  id: text,
  ws: text,
  kind: oneOf(OPERATION_KINDS),
  status: oneOf(OPERATION_STATUSES),
  matched: number,
  done: number,
  failed: number,
  createdBy: text,
  holdsAppsWrite: bool,
  createdAt: time,
  completedAt: time.nullable,
})
export type Operation = RowOf<typeof operationRow>

export type NewOperation = Readonly<{
  id: string
  ws: string
  kind: OperationKind
  filterJson: string
  createdBy: string
  holdsAppsWrite: boolean
}>

/** Inserts an operation with its jobs. Repeating the statements changes nothing. @param guard a condition */
export const insertOperation = (
  operation: NewOperation,
  jobIds: readonly string[],
  guard: Statement,
): Readonly<Record<'accepted' | 'jobs', Statement>> => {
  const isEmpty = jobIds.length === 0
  return {
    accepted: sql`INSERT INTO operations (
        id, ws, kind, status, matched, filter, created_by, holds_apps_write, created_at, completed_at)
      SELECT ${operation.id}, ${operation.ws}, ${operation.kind}, ${isEmpty ? 'completed' : 'running'},
        ${jobIds.length}, ${operation.filterJson}, ${operation.createdBy}, ${operation.holdsAppsWrite},
        ${SQL_NOW}, ${isEmpty ? SQL_NOW : null} WHERE ${guard}
      ON CONFLICT DO NOTHING`,
    jobs: sql`INSERT INTO operation_jobs (operation_id, job_id)
      SELECT ${operation.id}, value FROM json_each(${JSON.stringify(jobIds)}) WHERE changes() = 1`,
  }
}

/** Finds an operation of the workspace. */
export const findOperation = (db: Database, ws: string, id: string): Promise<Operation | null> =>
  operationRow.one(
    db,
    sql`SELECT ${operationRow.columns()} FROM operations WHERE ws = ${ws} AND id = ${id}`,
  )

/** Lists the operations of a workspace, newest first. @param createdBy only those of this person; null for all */
export const listOperations = (
  db: Reader,
  ws: string,
  { createdBy, beforeId, limit }: IdPage & Readonly<{ createdBy: string | null }>,
): Promise<readonly Operation[]> => {
  const list = {
    from: raw('operations INDEXED BY operations_by_workspace'),
    within: sql`ws = ${ws}`,
    matching: allOf(createdBy === null ? null : sql`created_by = ${createdBy}`),
    key: ['id'],
  }
  return searchRows(db, list, {
    columns: operationRow.columns(),
    read: (page) => operationRow.all(db, page),
    before: positionOf(beforeId),
    limit,
  })
}

type NextPage = Readonly<{ afterId: string; limit: number }>

/** Lists the next operations that have not ended, the oldest of each workspace in turn. If there are none, it is one index probe. */
export const listRunningOperations = (
  db: Database,
  { afterId, limit }: NextPage,
): Promise<readonly Operation[]> =>
  operationRow.all(
    db,
    sql`WITH next AS (SELECT * FROM operations INDEXED BY operations_running
        WHERE status = 'running' AND id > ${afterId} AND ${isNotHeld('ws')} ORDER BY id LIMIT ${limit})
      SELECT ${operationRow.columns()} FROM next ORDER BY row_number() OVER (PARTITION BY ws ORDER BY id), id`,
  )

/** A condition: fewer than `limit` operations of the workspace and kind have not ended. */
export const hasRoomForOperation = (
  { ws, kind }: Pick<NewOperation, 'ws' | 'kind'>,
  limit: number,
): Statement =>
  sql`(SELECT count(*) FROM operations INDEXED BY operations_running
    WHERE status = 'running' AND ws = ${ws} AND kind = ${kind}) < ${limit}`

/** Lists the jobs of an operation that have not been processed, oldest first. */
export const listOperationJobs = (
  db: Database,
  id: string,
  { afterId, limit }: NextPage,
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT job_id FROM operation_jobs WHERE operation_id = ${id} AND job_id > ${afterId}
      ORDER BY job_id LIMIT ${limit}`,
  )

export type OperationJob = Readonly<{ operationId: string; jobId: string }>

const isAt = ({ operationId, jobId }: OperationJob): Statement =>
  sql`operation_id = ${operationId} AND job_id = ${jobId}`

/** A condition: the operation has neither processed the job nor ended. */
export const waitsInOperation = (at: OperationJob): Statement =>
  sql`EXISTS (SELECT 1 FROM operation_jobs WHERE ${isAt(at)})
    AND EXISTS (SELECT 1 FROM operations WHERE id = ${at.operationId} AND status = 'running')`

/** Counts the job as done or failed, once. @param guard an additional condition */
export const settleOperationJob = (
  at: OperationJob,
  outcome: 'done' | 'failed',
  guard: Statement,
): readonly Statement[] => [
  sql`DELETE FROM operation_jobs WHERE ${isAt(at)} AND ${guard}`,
  sql`UPDATE operations SET ${raw(outcome)} = ${raw(outcome)} + 1 WHERE id = ${at.operationId} AND changes() = 1`,
]

/** Ends an operation whose jobs have all been processed. */
export const endOperation = (id: string, status: 'completed' | 'failed'): Statement =>
  sql`UPDATE operations SET status = ${status}, completed_at = ${SQL_NOW}
    WHERE id = ${id} AND status = 'running'
      AND NOT EXISTS (SELECT 1 FROM operation_jobs WHERE operation_id = ${id})`

/** Ends an operation that has jobs left. `deleteLeftJobs` deletes them in the same write. */
export const stopOperation = (ws: string, id: string): Statement =>
  sql`UPDATE operations SET status = 'completed', completed_at = ${SQL_NOW}
    WHERE ws = ${ws} AND id = ${id} AND status = 'running'
      AND EXISTS (SELECT 1 FROM operation_jobs WHERE operation_id = ${id})`

/** Deletes the jobs that an ended operation has not processed. @param but the first so many, which a turn may be processing */
export const deleteLeftJobs = (id: string, but: number): Statement =>
  sql`DELETE FROM operation_jobs WHERE operation_id = ${id}
    AND job_id > (SELECT max(job_id) FROM (
      SELECT job_id FROM operation_jobs WHERE operation_id = ${id} ORDER BY job_id LIMIT ${but}))
    AND EXISTS (SELECT 1 FROM operations WHERE id = ${id} AND status <> 'running')`

const hasEndedBefore = (days: number): Statement =>
  sql`status <> 'running' AND completed_at < ${SQL_NOW} - ${days * DAY_MS}`

/** Returns whether there are operations that ended more than `days` days ago. */
export const hasOldOperations = (db: Database, days: number): Promise<boolean> =>
  exists(db, sql`SELECT 1 FROM operations WHERE ${hasEndedBefore(days)} LIMIT 1`)

/** Deletes up to `limit` operations that ended more than `days` days ago, with the jobs that stopped ones left. */
export const deleteOldOperations = (days: number, limit: number): readonly Statement[] => {
  const old = sql`SELECT id FROM operations WHERE ${hasEndedBefore(days)} ORDER BY completed_at, id LIMIT ${limit}`
  return [
    sql`DELETE FROM operation_jobs WHERE operation_id IN (${old})`,
    sql`DELETE FROM operations WHERE id IN (${old})`,
  ]
}
