/** Traces that jobs and flow runs belong to (core/trace/traceparent.ts). */
import type { Database, Statement } from './database.ts'
import { number, type RowOf, row, text, time } from './row.ts'
import { sql } from './sql.ts'

export type Trace = Readonly<{
  /** A job or a flow run. */
  ownerId: string
  /** The trace of its jobs and requests. */
  traceparent: string
  /** The parent span of a flow run, if spans are exported. */
  parent?: string | null
}>

/** @param guard a condition: the job or run was inserted */
export const insertTrace = (
  { ownerId, traceparent, parent = null }: Trace,
  guard: Statement,
): Statement =>
  sql`INSERT INTO traces (owner_id, traceparent, parent)
    SELECT ${ownerId}, ${traceparent}, ${parent} WHERE ${guard} ON CONFLICT DO NOTHING`

/** Gives a subflow's run the trace of its parent. @param guard a condition: the run was inserted */
export const inheritTrace = (ownerId: string, parentId: string, guard: Statement): Statement =>
  sql`INSERT INTO traces (owner_id, traceparent)
    SELECT ${ownerId}, t.traceparent FROM traces t WHERE t.owner_id = ${parentId} AND ${guard}
    ON CONFLICT DO NOTHING`

const tracedRunRow = row({
  traceparent: text('t.traceparent'),
  parent: text.nullable('t.parent'),
  app: text('r.app'),
  flow: text('r.flow'),
  status: text('r.status'),
  createdAt: time('r.created_at'),
  completedAt: time('r.completed_at'),
})
export type TracedRun = RowOf<typeof tracedRunRow>

/** Finds an ended flow run with its trace; null if it has no trace or has not ended. */
export const findTracedRun = (
  db: Database,
  { ws, id }: Readonly<{ ws: string; id: string }>,
): Promise<TracedRun | null> =>
  tracedRunRow.one(
    db,
    sql`SELECT ${tracedRunRow.columns()} FROM flow_runs r JOIN traces t ON t.owner_id = r.id
      WHERE r.ws = ${ws} AND r.id = ${id} AND r.completed_at IS NOT NULL`,
  )

const tracedStepRow = row({
  name: text,
  position: number,
  status: text,
  startedAt: time,
  completedAt: time.nullable,
})
export type TracedStep = RowOf<typeof tracedStepRow>

/** Lists the first `limit` steps of a flow run. */
export const listRunSteps = (
  db: Database,
  runId: string,
  limit: number,
): Promise<readonly TracedStep[]> =>
  tracedStepRow.all(
    db,
    sql`SELECT key AS name, step_index AS position, status, started_at, completed_at
      FROM flow_steps WHERE run_id = ${runId} ORDER BY step_index LIMIT ${limit}`,
  )

/** Lists the first `limit` durable steps of a job, without those that it took over from an earlier attempt of its flow step. */
export const listTracedSteps = (
  db: Database,
  { ws, id }: Readonly<{ ws: string; id: string }>,
  limit: number,
): Promise<readonly TracedStep[]> =>
  tracedStepRow.all(
    db,
    sql`SELECT name, position, status, started_at, completed_at
      FROM job_steps WHERE job_id = ${id}
        AND COALESCE(completed_at >= (SELECT created_at FROM jobs WHERE ws = ${ws} AND id = ${id}), TRUE)
      ORDER BY position, name LIMIT ${limit}`,
  )
