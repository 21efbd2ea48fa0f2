/** Lists jobs, with one row for a flow run instead of its jobs [jobs 5.12]. */

import { RUN_AS_JOB, RUN_STATUSES } from '#core/flow/run.ts'
import { MAX_COUNTED_JOBS } from '#core/job/folded.ts'
import type { JobStatus } from '#core/job/transitions.ts'
import { type FlowRunRow, listFlowRuns } from '#store/flows/run-list.ts'
import { countRunJobs } from '#store/jobs/flow-children.ts'
import { type ListedJob, listRootJobs } from '#store/jobs/list.ts'
import type { Deps } from '../deps.ts'

export type FoldedRow = Readonly<{
  id: string
  createdAt: number
  job: ListedJob | null
  run: FlowRunRow | null
  /** The number of jobs of the run, up to `MAX_COUNTED_JOBS`; 1 for a job. */
  jobs: number
}>

export type FoldedPage = Readonly<{
  rows: readonly FoldedRow[]
  /** Where the next page begins; null on the last page. */
  nextBeforeId: string | null
}>

export type FoldedRequest = Readonly<{
  /** Empty lists select all. */
  statuses: readonly JobStatus[]
  app: string | null
  /** Milliseconds since 1970, both inclusive. */
  since: number | null
  until: number | null
  isDismissed: boolean | null
  beforeId: string | null
  limit: number
}>

const ofJob = (job: ListedJob): FoldedRow => ({
  id: job.id,
  createdAt: job.createdAt,
  job,
  run: null,
  jobs: 1,
})

/** Lists the newest first. A page may be short or empty without being the last one. */
export const listFoldedJobs = async (
  { reads }: Pick<Deps, 'reads'>,
  ws: string,
  { limit, statuses, ...request }: FoldedRequest,
): Promise<FoldedPage> => {
  const page = { ...request, limit: limit + 1 }
  const [{ jobs, reachedId }, runs] = await Promise.all([
    listRootJobs(reads, ws, { ...page, statuses, action: null, triggerKind: null }),
    listFlowRuns(reads, ws, {
      ...page,
      flow: null,
      statuses: RUN_STATUSES.filter((status) => statuses.includes(RUN_AS_JOB[status])),
    }),
  ])
  const sizes = await countRunJobs(reads, ws, {
    runIds: runs.map(({ id }) => id),
    most: MAX_COUNTED_JOBS,
  })
  const ofRun = (run: FlowRunRow): FoldedRow => ({
    id: run.id,
    createdAt: run.createdAt,
    job: null,
    run,
    jobs: sizes.get(run.id) ?? 0,
  })
  const lastRun = runs.length > limit ? (runs.at(-1)?.id ?? '') : ''
  return toPage([...jobs.map(ofJob), ...runs.map(ofRun)], {
    limit,
    // below this id, one of the lists has not been read
    floor: [lastRun, reachedId ?? ''].toSorted().at(-1) ?? '',
  })
}

/** @param floor the rows are complete down to this id; empty if they are complete */
export const toPage = (
  found: readonly FoldedRow[],
  { limit, floor }: Readonly<{ limit: number; floor: string }>,
): FoldedPage => {
  const known = found.filter(({ id }) => id >= floor).toSorted((a, b) => (a.id < b.id ? 1 : -1))
  const rows = known.slice(0, limit)
  const isCut = known.length > limit
  return { rows, nextBeforeId: isCut ? (rows.at(-1)?.id ?? null) : floor === '' ? null : floor }
}
