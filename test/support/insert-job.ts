/** Rows of jobs in any state, for tests of lists and sweeps. Other tests cover how jobs reach these states. */
import { v7 } from 'uuid'
import type { JobStatus } from '#core/job/transitions.ts'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'

export type JobOptions = Readonly<{
  ws: string
  deploymentId: string
  app: string
  action: string
  id?: string
  status?: JobStatus
  tag?: string
  triggerKind?: string
  createdBy?: string
  /** Milliseconds since 1970. @default now */
  createdAt?: number
  /** @default createdAt */
  completedAt?: number
  worker?: string
}>

/** Keeps ids in the order of their creation within one millisecond. */
let made = 0

/** Inserts many jobs in one write. @returns their ids, in order */
export const insertJobs = async (
  db: Database,
  requests: readonly JobOptions[],
): Promise<readonly string[]> => {
  const ids: string[] = []
  await db.write(
    requests.flatMap((options) => {
      const createdAt = options.createdAt ?? Date.now()
      const id = options.id ?? v7({ msecs: createdAt, seq: made++ })
      const status = options.status ?? 'queued'
      const hasEnded = status !== 'queued' && status !== 'running'
      const completedAt = hasEnded ? (options.completedAt ?? createdAt) : null
      ids.push(id)
      return [
        sql`INSERT INTO jobs (ws, id, app, action, deployment_id, status, tag, run_at, attempt, crash_limit,
             lease_until, trigger_kind, created_by, permissioned_as, created_at, started_at, completed_at, result, worker)
           VALUES (${options.ws}, ${id}, ${options.app}, ${options.action}, ${options.deploymentId}, ${status}, ${options.tag ?? 'default'}, ${createdAt}, ${status === 'queued' ? 0 : 1}, 3, ${status === 'running' ? createdAt + 3_600_000 : null}, ${options.triggerKind ?? 'api'}, ${options.createdBy ?? 'test'}, ${options.createdBy ?? 'test'}, ${createdAt}, ${status === 'queued' ? null : createdAt}, ${completedAt}, ${hasEnded ? '{}' : null}, ${options.worker ?? null})`,
        sql`INSERT INTO job_inputs (job_id, input) VALUES (${id}, ${'{}'})`,
        sql`INSERT INTO ledger (job_id, ws, app, action, outcome, duration_ms, completed_at)
           SELECT id, ws, app, action, status, 0, completed_at FROM jobs
           WHERE ws = ${options.ws} AND id = ${id} AND completed_at IS NOT NULL`,
      ]
    }),
  )
  return ids
}

export type CopyOptions = Readonly<{ id: string; count: number; createdAt: number }>

/** Makes many copies of an ended job, all queued at the same time, in one statement. */
export const copyJob = (db: Database, { id, count, createdAt }: CopyOptions) => {
  const prefix = v7({ msecs: createdAt, seq: 0 }).slice(0, 24)
  return db.write([
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      INSERT INTO jobs (ws, id, app, action, deployment_id, status, tag, run_at, attempt, crash_limit, trigger_kind,
        created_by, permissioned_as, created_at, started_at, completed_at, result, worker)
      SELECT ws, ${prefix} || format('%012x', i), app, action, deployment_id, status, tag, ${createdAt}, attempt, crash_limit,
        trigger_kind, created_by, permissioned_as, ${createdAt}, ${createdAt}, ${createdAt}, result, worker
      FROM n, jobs WHERE jobs.id = ${id}`,
  ])
}
