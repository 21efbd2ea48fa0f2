/** Flow runs that durable steps of jobs have called: the end of a run ends the step, and wakes the job that waits. */
import type { CalledKind } from '#core/durable/step.ts'
import type { Database, Statement } from '../database.ts'
import { text } from '../row.ts'
import { listed, raw, SQL_NOW, sql } from '../sql.ts'
import type { Claim } from './lease.ts'

/** Begins the child of a step that has called a flow run; that of a called job is its id without a prefix. */
export const RUN_PREFIX = 'flow-run:'

/** Begins what a step has of a run: `flow-run:<id>:` and the text as the run has it, which is encrypted for the run. */
const OF_RUN = /^flow-run:([^:]+):/

/** Returns the column `child_id` of a step that has called the job or flow run. */
export const childText = ({ calls, id }: Readonly<{ calls: CalledKind; id: string }>): string =>
  calls === 'flow' ? `${RUN_PREFIX}${id}` : id

const IS_RUN = raw(`child_id GLOB '${RUN_PREFIX}*'`)
/** The called job of a step, or NULL. */
export const CHILD_JOB = sql`CASE WHEN ${IS_RUN} THEN NULL ELSE child_id END`
/** The called flow run of a step, or NULL. */
export const CHILD_RUN = sql`CASE WHEN ${IS_RUN} THEN substr(child_id, ${RUN_PREFIX.length + 1}) END`

export type TextOfRun = Readonly<{ runId: string; sealed: string }>

/** Returns the run and its text if a step has the result or error of a run, else null. */
export const textOfRun = (stored: string): TextOfRun | null => {
  const [before = '', runId = ''] = OF_RUN.exec(stored) ?? []
  return runId === '' ? null : { runId, sealed: stored.slice(before.length) }
}

export type CalledRun = Readonly<{ ws: string; runId: string }>

/**
 * Ends the step that has called a run, if the run has ended. The step keeps the text of the run, so it needs the run no longer.
 * @param jobId the job of the step; null for the one with which the run is canceled
 * @param guard a condition
 */
export const endStepOfRun = (
  { ws, runId }: CalledRun,
  jobId: string | null,
  guard: Statement,
): Statement => {
  const ofRun = `${RUN_PREFIX}${runId}:`
  return sql`UPDATE job_steps SET status = CASE r.status WHEN 'completed' THEN 'success' ELSE 'failure' END,
      completed_at = r.completed_at, caught = CASE r.status WHEN 'completed' THEN 0 ELSE 2 END,
      result = CASE r.status WHEN 'completed' THEN ${ofRun} || COALESCE(r.result, 'null') END,
      error = CASE r.status WHEN 'completed' THEN NULL ELSE ${ofRun} || COALESCE(r.error, '{}') END
    FROM flow_runs r
    WHERE r.ws = ${ws} AND r.id = ${runId} AND r.completed_at IS NOT NULL
      AND job_steps.job_id = COALESCE(${jobId}, r.canceled_with)
      AND job_steps.kind = 'job' AND job_steps.child_id = ${RUN_PREFIX + runId} AND job_steps.status = 'running' AND ${guard}`
}

/**
 * Makes the job ready that is suspended and has called a run, if the run has ended. Runs after `endStepOfRun`. Returns `{tag}` and
 * the id as `woken_id`.
 */
export const wakeCallerOfRun = ({ ws, runId }: CalledRun, guard: Statement): Statement =>
  sql`UPDATE jobs SET ready = 1, blocked = 0, run_at = ${SQL_NOW}
    WHERE ws = ${ws} AND id = (SELECT canceled_with FROM flow_runs WHERE ws = ${ws} AND id = ${runId})
      AND status = 'queued' AND ready = 0 AND suspended_kind IS NOT NULL
      AND EXISTS (SELECT 1 FROM job_steps s WHERE s.job_id = jobs.id AND s.child_id = ${RUN_PREFIX + runId} AND s.status <> 'running')
      AND ${guard}
    RETURNING tag, id AS woken_id`

/** Lists the tags of the jobs that wait for a worker and have called one of these runs, for hints. */
export const listCallerTags = (
  db: Database,
  ws: string,
  runIds: readonly string[],
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT DISTINCT j.tag FROM flow_runs r JOIN jobs j ON j.ws = r.ws AND j.id = r.canceled_with
      WHERE r.ws = ${ws} AND r.id IN ${listed(runIds)} AND j.status = 'queued' AND j.ready = 1`,
  )

/**
 * Makes a called run end the step that another attempt of the flow step has taken over in the same batch. The earlier step no longer
 * waits for it. If the run has ended meanwhile, the step ends too.
 * @param cutShort the error of the earlier step, as JSON
 */
export const takeOverCalledRun = (
  claim: Claim,
  { fromId, name, runId }: Readonly<Record<'fromId' | 'name' | 'runId', string>>,
  cutShort: string,
): readonly Statement[] => {
  const { ws, id } = claim
  const child = RUN_PREFIX + runId
  const isTaken = sql`EXISTS (SELECT 1 FROM job_steps s WHERE s.job_id = ${id} AND s.name = ${name} AND s.child_id = ${child})`
  return [
    sql`UPDATE flow_runs SET canceled_with = ${id}
      WHERE ws = ${ws} AND id = ${runId} AND canceled_with = ${fromId} AND completed_at IS NULL AND ${isTaken}`,
    sql`UPDATE job_steps SET status = 'failure', error = ${cutShort},
        completed_at = COALESCE((SELECT completed_at FROM jobs WHERE ws = ${ws} AND id = ${fromId}), ${SQL_NOW})
      WHERE job_id = ${fromId} AND name = ${name} AND child_id = ${child} AND status = 'running' AND ${isTaken}`,
    endStepOfRun({ ws, runId }, id, isTaken),
  ]
}
