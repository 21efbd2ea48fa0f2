/** Rows of the list of jobs: a job, a flow run instead of its jobs, or the jobs below an expanded run. Pure. */
import type { Schemas } from '#sdk/client.ts'

type Job = Schemas['Job']
type Run = Schemas['FlowRun']

export type JobRow =
  | Readonly<{ kind: 'job'; id: string; job: Job; isBelow: boolean }>
  | Readonly<{ kind: 'run'; id: string; run: Run; jobs: number }>
  | Readonly<{ kind: 'more'; id: string; runId: string }>

export const ofJob = (job: Job): JobRow => ({ kind: 'job', id: job.id, job, isBelow: false })

export const ofFolded = ({ id, job, flow_run, jobs }: Schemas['FoldedJob']): readonly JobRow[] => {
  if (flow_run !== undefined) return [{ kind: 'run', id, run: flow_run, jobs }]
  return job === undefined ? [] : [ofJob(job)]
}

/** The rows below an expanded run: its newest jobs, and a link to the others. */
export const rowsBelow = (
  row: JobRow,
  opened: ReadonlyMap<string, readonly Job[]>,
): readonly JobRow[] => {
  if (row.kind !== 'run') return []
  const jobs = opened.get(row.id) ?? []
  const below = jobs.map((job): JobRow => ({ kind: 'job', id: job.id, job, isBelow: true }))
  const hasMore = jobs.length > 0 && jobs.length < row.jobs
  return hasMore ? [...below, { kind: 'more', id: `${row.id} more`, runId: row.id }] : below
}

export const isLiveRow = (row: JobRow): boolean => {
  if (row.kind === 'run') return row.run.completed_at === null
  return row.kind === 'job' && row.job.completed_at === null
}
