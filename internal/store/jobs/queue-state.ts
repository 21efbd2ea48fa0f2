/** Reads of the queue, which write nothing. */
import type { Row, Statement } from '../database.ts'
import { raw, SQL_NOW, sql } from '../sql.ts'
import { isReadyIn } from './claim-parts.ts'

/** Which jobs a worker serves. */
export type QueueReach = Readonly<{
  tags: readonly string[]
  /** The isolation of the worker, as a rank (core/placement/isolation-level.ts). Jobs that need more are not claimed. */
  levelRank: number
  /** Claims only jobs of these workspaces; empty for all. */
  workspaces: readonly string[]
}>

/** Whether a job is ready that the worker serves. A table of what the worker serves would double the cost. */
export const hasReady = ({ tags, levelRank, workspaces }: QueueReach): Statement => {
  const isLimited = workspaces.length > 0
  const named = isLimited ? sql`CROSS JOIN json_each(${JSON.stringify(workspaces)}) named` : raw('')
  return sql`EXISTS (
    SELECT 1 FROM json_each(${JSON.stringify(tags)}) t CROSS JOIN json_each('[0,1,2,3]') l ${named}
      CROSS JOIN jobs n INDEXED BY jobs_ready
    WHERE l.value <= ${levelRank} AND ${raw(isReadyIn('n', { tag: 't.value', level: 'l.value' }))}
      ${raw(isLimited ? 'AND n.ws = named.value' : '')})`
}

export type QueueState = Readonly<{
  /** A claimable job may be waiting. */
  mayClaim: boolean
  /** Milliseconds until the next delayed job is due; null if there is none. */
  nextDueMs: number | null
}>

/** Milliseconds until the next delayed job is due, as `next_due_ms`; null if there is none, 0 or less if it is due. */
export const NEXT_DUE = sql`(SELECT MIN(run_at) FROM jobs INDEXED BY jobs_delayed WHERE status = 'queued' AND ready = 0)
  - ${SQL_NOW} AS next_due_ms`

/** Reads `NEXT_DUE`. A due time in the past becomes 0 milliseconds. */
export const toNextDueMs = (row: Row | null | undefined): number | null => {
  const due = row?.next_due_ms
  return typeof due === 'number' ? Math.max(due, 0) : null
}

/** Reads the queue. It returns "may claim" even for jobs of a workspace that may run no more. */
export const queueState = (reach: QueueReach): Statement =>
  sql`SELECT ${hasReady(reach)} AS may_claim, ${NEXT_DUE}`

/** Reads the result of `queueState`. */
export const toQueueState = (row: Row | null): QueueState => {
  const nextDueMs = toNextDueMs(row)
  return { mayClaim: row?.may_claim === 1 || nextDueMs === 0, nextDueMs }
}
