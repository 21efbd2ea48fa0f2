/** All jobs of the database with their related rows, in one read. */
import { z } from 'zod'
import { STRETCH } from '#core/job/attempt.ts'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'

const attempts = z.array(
  z.object({
    attempt: z.number(),
    outcome: z.string(),
    worker: z.string().nullable(),
    started_at: z.number(),
    ended_at: z.number(),
  }),
)

const jobRow = z.object({
  id: z.string(),
  status: z.string(),
  action: z.string(),
  attempt: z.number(),
  crash_count: z.number(),
  failure_count: z.number(),
  created_by: z.string(),
  cancel_by: z.string().nullable(),
  worker: z.string().nullable(),
  result: z.string().nullable(),
  completed_at: z.number().nullable(),
  flow_run_id: z.string().nullable(),
  flow_index: z.number().nullable(),
  flow_slot: z.number().nullable(),
  flow_attempt: z.number().nullable(),
  /** Null if the input is encrypted, as for a child of a flow. */
  number: z.number().nullable(),
  bills: z.number(),
  outcome: z.string().nullable(),
  attempts: z.string().transform((text) => attempts.parse(JSON.parse(text))),
})
export type JobRow = z.infer<typeof jobRow>

/** An attempt as the script counts it, in a flow from job to job [flows 5.3]. @param attempt of the job */
export const scriptAttempt = (
  { flow_attempt: ofStep }: Pick<JobRow, 'flow_attempt'>,
  attempt: number,
): number => attempt + (ofStep ?? 1) - 1

export const readJobRows = async (db: Database): Promise<readonly JobRow[]> =>
  z.array(jobRow).parse(
    await db.all(
      sql`SELECT id, status, action, attempt % ${STRETCH} AS attempt, crash_count, failure_count, created_by, cancel_by, worker, result,
           completed_at, flow_run_id, flow_index, flow_slot, flow_attempt,
           (SELECT CASE WHEN json_valid(input) THEN input ->> '$.id' END FROM job_inputs i WHERE i.job_id = jobs.id) AS number,
           (SELECT count(*) FROM ledger l WHERE l.job_id = jobs.id) AS bills,
           (SELECT outcome FROM ledger l WHERE l.job_id = jobs.id) AS outcome,
           (SELECT json_group_array(json_object('attempt', a.attempt % ${STRETCH}, 'outcome', outcome, 'worker', worker,
              'started_at', started_at, 'ended_at', ended_at))
            FROM job_attempts a WHERE a.job_id = jobs.id) AS attempts
         FROM jobs`,
    ),
  )

export const describeJob = ({ id, status, action, attempt, result }: JobRow): string =>
  `${id} ${action} ${status} attempt ${attempt} ${result?.slice(0, 200) ?? ''}`
