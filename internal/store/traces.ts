/** Traces that jobs and flow runs belong to (core/trace/traceparent.ts). */
import type { Statement } from './database.ts'
import { sql } from './sql.ts'

/** @param guard a condition: the job or run is there */
export const insertTrace = (ownerId: string, traceparent: string, guard: Statement): Statement =>
  sql`INSERT INTO traces (owner_id, traceparent) SELECT ${ownerId}, ${traceparent} WHERE ${guard}
    ON CONFLICT DO NOTHING`

/** Gives a subflow's run the trace of its parent. @param guard a condition: the run is there */
export const inheritTrace = (ownerId: string, parentId: string, guard: Statement): Statement =>
  sql`INSERT INTO traces (owner_id, traceparent)
    SELECT ${ownerId}, t.traceparent FROM traces t WHERE t.owner_id = ${parentId} AND ${guard}
    ON CONFLICT DO NOTHING`
