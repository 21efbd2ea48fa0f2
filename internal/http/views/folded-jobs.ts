/** Jobs and flow runs of one list, as endpoints return them. */
import type { FoldedPage } from '#service/queue/list-folded-jobs.ts'
import type { Job } from '#store/jobs/read.ts'
import { encodeCursor } from '../schemas/page.ts'
import { toFlowRun } from './flows.ts'
import { toJob } from './jobs.ts'

export const toFoldedJob = (row: Job) => ({
  id: row.id,
  createdAt: row.createdAt,
  job: toJob(row),
  jobs: 1,
})

export const toFoldedPage = ({ rows, nextBeforeId }: FoldedPage) => ({
  items: rows.map(({ id, createdAt, job, run, jobs }) => ({
    id,
    createdAt,
    ...(job === null ? {} : { job: toJob(job) }),
    ...(run === null ? {} : { flowRun: toFlowRun(run) }),
    jobs,
  })),
  pagination: { nextCursor: nextBeforeId === null ? null : encodeCursor(nextBeforeId) },
})
