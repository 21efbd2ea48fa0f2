import { notFound } from '#core/error.ts'
import { isTerminal } from '#core/job/transitions.ts'
import type { Deps } from '#service/deps.ts'
import { openJobText } from '#service/flows/open-job.ts'
import { readLog } from '#service/read-log.ts'
import { openViewToken } from '#service/share-job.ts'
import { findJob, findJobResult } from '#store/jobs/read.ts'
import { answer, ok } from '../answer.ts'
import { publicJobEndpoints } from '../endpoints/public-jobs.ts'
import { handlers } from '../handlers.ts'
import { PLAIN_TEXT } from '../schemas/log-query.ts'
import { toJob } from '../views/jobs.ts'

export const publicJobRoutes = handlers(
  publicJobEndpoints,
  (deps: Pick<Deps, 'db' | 'keyring'>) => ({
    getPublicJob: async ({ params: { token } }) => {
      const { ws, jobId, expiresAt } = await openViewToken(deps.db, token)
      const row = await findJob(deps.db, ws, jobId)
      if (row === null) throw notFound('Shared job')
      return ok({ ...toJob(row), expiresAt })
    },
    getPublicJobResult: async ({ params: { token } }) => {
      const { ws, jobId } = await openViewToken(deps.db, token)
      const row = await findJobResult(deps.db, ws, jobId)
      if (row === null) throw notFound('Shared job')
      if (!isTerminal(row.status)) return answer(202, { status: 'pending' })
      const text = row.resultJson
      const result = openJobText(deps.keyring, row, { field: 'result', text })
      return ok({ status: row.status, result })
    },
    getPublicJobLogs: async ({ params: { token }, query }) => {
      const { ws, jobId } = await openViewToken(deps.db, token)
      if ((await findJobResult(deps.db, ws, jobId)) === null) throw notFound('Shared job')
      const bytes = await readLog(deps.db, jobId, query.tail_bytes ?? null)
      return new Response(bytes, { headers: PLAIN_TEXT })
    },
  }),
)
