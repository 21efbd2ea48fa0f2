/** Jobs and runs that a flow run has started. */
import type { RunStatus } from '#core/flow/run.ts'
import type { JobStatus } from '#core/job/transitions.ts'
import { asNumber, asNumberOrNull, asText } from '../column.ts'
import type { Database, Reader } from '../database.ts'
import { toRunStatus } from '../flows/runs.ts'
import { number, row, text } from '../row.ts'
import { sql } from '../sql.ts'
import { type ClaimedFlow, toClaimedFlow } from './claimed-job.ts'
import { toStatus } from './read.ts'

export type FlowChild = Readonly<{ flow: ClaimedFlow; input: string; cancelReason: string | null }>

/** @returns null if no flow started the job */
export const findFlowChild = async (
  db: Database,
  ws: string,
  id: string,
): Promise<FlowChild | null> => {
  const found = await db.one(
    sql`SELECT flow_run_id, flow_index, flow_slot, flow_attempt, cancel_reason, i.flow, i.input
       FROM jobs JOIN job_inputs i ON i.job_id = jobs.id WHERE jobs.ws = ${ws} AND jobs.id = ${id}`,
  )
  const flow = found === null ? null : toClaimedFlow(found)
  if (found === null || flow === null) return null
  const reason = found.cancel_reason
  return {
    flow,
    input: asText(found.input),
    cancelReason: typeof reason === 'string' ? reason : null,
  }
}

/** A job of a step, as its run shows it. */
export type StepJob = Readonly<{
  id: string
  index: number
  slot: number
  attempt: number
  status: JobStatus
  createdAt: number
  startedAt: number | null
}>

const runSize = row({ id: text, jobs: number })

/** Counts the jobs of each of these runs, up to `most`. */
export const countRunJobs = async (
  db: Reader,
  ws: string,
  { runIds, most }: Readonly<{ runIds: readonly string[]; most: number }>,
): Promise<ReadonlyMap<string, number>> => {
  const sizes = await runSize.all(
    db,
    sql`SELECT r.value AS id, (SELECT count(*) FROM (SELECT 1 FROM jobs INDEXED BY jobs_by_flow
        WHERE flow_run_id = r.value AND ws = ${ws} LIMIT ${most})) AS jobs
      FROM json_each(${JSON.stringify(runIds)}) r`,
  )
  return new Map(sizes.map(({ id, jobs }) => [id, jobs]))
}

/** Lists all jobs of a run, by step, item and attempt. */
export const listRunJobs = async (db: Reader, runId: string): Promise<readonly StepJob[]> => {
  const rows = await db.all(
    sql`SELECT id, flow_index, flow_slot, flow_attempt, status, created_at, started_at
       FROM jobs INDEXED BY jobs_by_flow
       WHERE flow_run_id = ${runId} ORDER BY flow_index, flow_slot, flow_attempt`,
  )
  return rows.map((row) => ({
    id: asText(row.id),
    index: asNumber(row.flow_index),
    slot: asNumber(row.flow_slot),
    attempt: asNumber(row.flow_attempt),
    status: toStatus(asText(row.status)),
    createdAt: asNumber(row.created_at),
    startedAt: asNumberOrNull(row.started_at),
  }))
}

/** A subflow run, as its parent run shows it. */
export type ChildRun = Readonly<{ id: string; index: number; slot: number; status: JobStatus }>

const RUN_AS_JOB: Readonly<Record<RunStatus, JobStatus>> = {
  running: 'running',
  waiting_approval: 'running',
  completed: 'success',
  failed: 'failure',
  canceled: 'canceled',
}

/** Lists the subflow runs that a run has started, by step and item. */
export const listChildRuns = async (db: Reader, runId: string): Promise<readonly ChildRun[]> => {
  const rows = await db.all(
    sql`SELECT id, parent_index, parent_slot, status FROM flow_runs INDEXED BY flow_runs_by_parent
       WHERE parent_run_id = ${runId} ORDER BY parent_index, parent_slot`,
  )
  return rows.map((row) => ({
    id: asText(row.id),
    index: asNumber(row.parent_index),
    slot: asNumber(row.parent_slot),
    status: RUN_AS_JOB[toRunStatus(asText(row.status))],
  }))
}
