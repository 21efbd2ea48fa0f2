/** Jobs and runs that a flow run has started. */
import { RUN_AS_JOB, RUN_STATUSES } from '#core/flow/run.ts'
import { asText, asTextOrNull } from '../column.ts'
import type { Database, Reader } from '../database.ts'
import { number, oneOf, type RowOf, row, text, time } from '../row.ts'
import { sql, TRUE } from '../sql.ts'
import { type ClaimedFlow, toClaimedFlow } from './claimed-job.ts'
import { jobStatus } from './read.ts'

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
  return { flow, input: asText(found.input), cancelReason: asTextOrNull(found.cancel_reason) }
}

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

const stepJob = row({
  id: text,
  index: number('flow_index'),
  slot: number('flow_slot'),
  attempt: number('flow_attempt'),
  status: jobStatus,
  startedAt: time.nullable,
})

/** A job of a step, as its run shows it. */
export type StepJob = RowOf<typeof stepJob>

export type ChildrenPage<Child> = Readonly<{
  ws: string
  runId: string
  /** The last child of the page before; null for the first page. */
  after: Child | null
  limit: number
}>

/** Lists jobs of a run in the order of their index: by step, item and id. */
export const listRunJobs = (
  db: Reader,
  { ws, runId, after, limit }: ChildrenPage<StepJob>,
): Promise<readonly StepJob[]> => {
  const isBehind =
    after === null
      ? TRUE
      : sql`(flow_index, flow_slot, ws, id) > (${after.index}, ${after.slot}, ${ws}, ${after.id})`
  return stepJob.all(
    db,
    sql`SELECT ${stepJob.columns()} FROM jobs INDEXED BY jobs_by_flow
       WHERE flow_run_id = ${runId} AND ${isBehind} ORDER BY flow_index, flow_slot, ws, id LIMIT ${limit}`,
  )
}

const runStatus = oneOf(RUN_STATUSES)

const childRun = row({
  id: text,
  index: number('parent_index'),
  slot: number('parent_slot'),
  status: { source: null, read: (value) => RUN_AS_JOB[runStatus.read(value)] },
})

/** A subflow run, as its parent run shows it. */
export type ChildRun = RowOf<typeof childRun>

/** Lists the subflow runs that a run has started in the order of their index: by step and id. */
export const listChildRuns = (
  db: Reader,
  { ws, runId, after, limit }: ChildrenPage<ChildRun>,
): Promise<readonly ChildRun[]> => {
  const isBehind =
    after === null ? TRUE : sql`(parent_index, ws, id) > (${after.index}, ${ws}, ${after.id})`
  return childRun.all(
    db,
    sql`SELECT ${childRun.columns()} FROM flow_runs INDEXED BY flow_runs_by_parent
       WHERE parent_run_id = ${runId} AND ${isBehind} ORDER BY parent_index, ws, id LIMIT ${limit}`,
  )
}
