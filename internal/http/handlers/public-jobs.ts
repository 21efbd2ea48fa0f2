import { notFound } from '#core/error.ts'
import { isTerminal } from '#core/job/transitions.ts'
import type { Deps } from '#service/deps.ts'
import { openJobText } from '#service/flows/open-job.ts'
import { readLog } from '#service/read-log.ts'
import { openViewToken } from '#service/share-job.ts'
import { findJob, findJobHead, findJobResult } from '#store/jobs/read.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { ok } from '../answer.ts'
import type { InputOf } from '../endpoint.ts'
import { publicJobEndpoints } from '../endpoints/public-jobs.ts'
import { handlers } from '../handlers.ts'
import { asPage } from '../pages/page-error.ts'
import { languageOf } from '../pages/page-language.ts'
import { sharedJobPage } from '../pages/shared-job-page.ts'
import { responseWithBytes } from '../respond.ts'
import { PLAIN_TEXT } from '../schemas/log-query.ts'
import { toJob } from '../views/jobs.ts'
import { answerResult } from './answer-result.ts'

type SharedDeps = Pick<Deps, 'db' | 'keyring'>
type Shared = InputOf<typeof publicJobEndpoints.getPublicJob>

/** Programs that send no Accept header get JSON, as they always did. */
const isBrowser = ({ header }: Shared): boolean => header('accept')?.includes('text/html') === true

const openSharedJob = async ({ db }: SharedDeps, token: string) => {
  const { ws, jobId, expiresAt } = await openViewToken(db, token)
  const row = await findJob(db, ws, jobId)
  if (row === null) throw notFound('Shared job')
  return { ...toJob(row), ws, expiresAt }
}

const TAIL_BYTES = 100_000

const showJob = async (deps: SharedDeps, input: Shared): Promise<Response> => {
  const { token } = input.params
  const job = await openSharedJob(deps, token)
  const { ws, id } = job
  const [workspace, outcome, bytes] = await Promise.all([
    findWorkspace(deps.db, ws),
    findJobResult(deps.db, ws, id),
    readLog(deps.db, id, TAIL_BYTES),
  ])
  if (outcome === null) throw notFound('Shared job')
  const text = outcome.resultJson
  const result = isTerminal(job.status)
    ? openJobText(deps.keyring, outcome, { field: 'result', text })
    : null
  const log = new TextDecoder().decode(bytes)
  return sharedJobPage(
    { ...job, token, workspace: workspace?.name ?? ws, result, log },
    languageOf(input),
  )
}

export const publicJobRoutes = handlers(publicJobEndpoints, (deps: SharedDeps) => ({
  getPublicJob: async (input) =>
    isBrowser(input)
      ? asPage(input, () => showJob(deps, input))
      : ok(await openSharedJob(deps, input.params.token)),
  getPublicJobResult: async ({ params: { token } }) => {
    const { ws, jobId } = await openViewToken(deps.db, token)
    const row = await findJobResult(deps.db, ws, jobId)
    if (row === null) throw notFound('Shared job')
    return answerResult(deps, row)
  },
  getPublicJobLogs: async ({ params: { token }, query }) => {
    const { ws, jobId } = await openViewToken(deps.db, token)
    if ((await findJobHead(deps.db, ws, jobId)) === null) throw notFound('Shared job')
    const bytes = await readLog(deps.db, jobId, query.tail_bytes ?? null)
    return responseWithBytes(bytes, PLAIN_TEXT)
  },
}))
