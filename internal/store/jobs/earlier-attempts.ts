/** Earlier attempts of a flow step, each a job of its own, and what the job of the next attempt takes over from their journals. */
import { CUT_SHORT } from '#core/durable/step.ts'
import type { Database, Statement } from '../database.ts'
import { bool, type RowOf, row, text } from '../row.ts'
import { SQL_NOW, sql } from '../sql.ts'
import { CHILD_RUN, takeOverCalledRun } from './called-runs.ts'
import type { ClaimedFlow } from './claimed-job.ts'
import { type Claim, isRunning } from './lease.ts'
import { BEGAN_AT, type StepRow } from './steps.ts'

const earlierRow = row({
  id: text,
  /** Whether its own journal includes those of the attempts before it. */
  isWhole: bool(sql`e.flow_attempt = 1 OR e.began_at IS NOT NULL`),
})
export type EarlierAttempt = RowOf<typeof earlierRow>

/** Lists the earlier attempts with a journal, the last one first; none if the job has taken them over already. */
export const listEarlierAttempts = (
  db: Database,
  { ws, id }: Claim,
  { runId, index, slot, attempt }: Omit<ClaimedFlow, 'context'>,
): Promise<readonly EarlierAttempt[]> =>
  earlierRow.all(
    db,
    sql`SELECT ${earlierRow.columns('e')} FROM jobs own JOIN jobs e INDEXED BY jobs_by_flow
        ON e.flow_run_id = ${runId} AND e.flow_index = ${index} AND e.flow_slot = ${slot} AND e.ws = ${ws}
      WHERE own.ws = ${ws} AND own.id = ${id} AND own.began_at IS NULL AND e.flow_attempt < ${attempt}
        AND (EXISTS (SELECT 1 FROM job_steps s WHERE s.job_id = e.id)
          OR EXISTS (SELECT 1 FROM job_history h WHERE h.job_id = e.id))
      ORDER BY e.flow_attempt DESC`,
  )

/** Takes over a step that has not changed since it was read. @param texts `result` and `error`, encrypted for this job */
export const takeOverStep = (
  claim: Claim,
  fromId: string,
  { name, status, result, error }: Pick<StepRow, 'name' | 'status' | 'result' | 'error'>,
): Statement =>
  sql`INSERT INTO job_steps
      (job_id, name, position, kind, status, attempts, caught, started_at, completed_at, due_at, child_id, error, result)
    SELECT ${claim.id}, name, position, kind, status, attempts, caught, started_at, completed_at, due_at, child_id,
      ${error}, ${result}
    FROM job_steps WHERE job_id = ${fromId} AND name = ${name} AND status = ${status} AND ${isRunning(claim)}
      AND (kind <> 'job' OR status <> 'running' OR ${CHILD_RUN} IS NOT NULL
        OR EXISTS (SELECT 1 FROM jobs c WHERE c.called_by = ${fromId} AND c.id = job_steps.child_id AND c.completed_at IS NULL))
    ON CONFLICT DO NOTHING`

/**
 * Makes an open called job or flow run end the step that was taken over in the same batch. The earlier step no longer waits for it.
 */
export const takeOverCalled = (
  claim: Claim,
  fromId: string,
  { name, childRunId: runId }: Pick<StepRow, 'name' | 'childRunId'>,
): readonly Statement[] => {
  const cutShort = JSON.stringify(CUT_SHORT)
  return runId === null
    ? takeOverCalledJob(claim, { fromId, name }, cutShort)
    : takeOverCalledRun(claim, { fromId, name, runId }, cutShort)
}

const takeOverCalledJob = (
  claim: Claim,
  { fromId, name }: Readonly<Record<'fromId' | 'name', string>>,
  cutShort: string,
): readonly Statement[] => [
  sql`UPDATE jobs SET called_by = ${claim.id}
    WHERE called_by = ${fromId} AND called_step = ${name} AND completed_at IS NULL
      AND EXISTS (SELECT 1 FROM job_steps s
        WHERE s.job_id = ${claim.id} AND s.name = ${name} AND s.status = 'running' AND s.child_id = jobs.id)`,
  sql`UPDATE job_steps SET status = 'failure', error = ${cutShort},
      completed_at = COALESCE((SELECT completed_at FROM jobs WHERE ws = ${claim.ws} AND id = ${fromId}), ${SQL_NOW})
    WHERE job_id = ${fromId} AND name = ${name} AND status = 'running'
      AND EXISTS (SELECT 1 FROM jobs c WHERE c.called_by = ${claim.id} AND c.id = job_steps.child_id)`,
]

/** Takes over the events that its steps have received, so that no later step takes one of them again. */
export const takeOverEvents = (claim: Claim, fromId: string): Statement =>
  sql`UPDATE event_waits SET owner_id = ${claim.id}
    WHERE owner_id = ${fromId} AND event_id IS NOT NULL AND status = 'received' AND ${isRunning(claim)}
      AND EXISTS (SELECT 1 FROM job_steps s
        WHERE s.job_id = ${claim.id} AND s.name = event_waits.step AND s.status <> 'running')`

/** Records that all is taken over, and since when events count. Returns `{id}`, unless the job is lost. */
export const markTakenOver = (claim: Claim, firstId: string): Statement =>
  sql`UPDATE jobs SET began_at = (SELECT ${BEGAN_AT} FROM jobs WHERE ws = ${claim.ws} AND id = ${firstId})
    WHERE ws = ${claim.ws} AND id = ${claim.id} AND ${isRunning(claim)}
    RETURNING id`
