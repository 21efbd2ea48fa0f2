/** Jobs and flow runs of one list, as endpoints return them. */
import type { Deps } from '#service/deps.ts'
import type { FoldedPage } from '#service/queue/list-folded-jobs.ts'
import type { ListedJob } from '#store/jobs/list.ts'
import { encodeCursor } from '../schemas/page.ts'
import { toFlowRun } from './flows.ts'
import { toListedJob } from './jobs.ts'

export const toFoldedJob = (keyring: Deps['keyring'], row: ListedJob) => ({
  id: row.id,
  createdAt: row.createdAt,
  job: toListedJob(keyring, row),
  jobs: 1,
})

export const toFoldedPage = (keyring: Deps['keyring'], { rows, nextBeforeId }: FoldedPage) => ({
  items: rows.map(({ id, createdAt, job, run, jobs }) => ({
    id,
    createdAt,
    ...(job === null ? {} : { job: toListedJob(keyring, job) }),
    ...(run === null ? {} : { flowRun: toFlowRun(keyring, run) }),
    jobs,
  })),
  pagination: { nextCursor: nextBeforeId === null ? null : encodeCursor(nextBeforeId) },
})
