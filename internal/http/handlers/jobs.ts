import { holdsScope, maySeeInput, requireReadableJob } from '#core/access/policy.ts'
import { isTerminal, type JobStatus } from '#core/job/transitions.ts'
import { type WaitingFor, waitingFor } from '#core/job/waiting-for.ts'
import type { Deps } from '#service/deps.ts'
import { listJobSteps } from '#service/durable/list-steps.ts'
import type { FlowDeps } from '#service/flows/engine.ts'
import { openJobText } from '#service/flows/open-job.ts'
import type { LiveWorkers } from '#service/nodes/live-workers.ts'
import { cancelJob } from '#service/queue/cancel-job.ts'
import { readLog, readLogItems } from '#service/read-log.ts'
import { listWaitsOf } from '#store/events/waits.ts'
import { listAttempts } from '#store/jobs/attempts.ts'
import { findJobDetail, findJobHead, findJobResult } from '#store/jobs/read.ts'
import { findQueuedFacts } from '#store/jobs/waiting.ts'
import { ok } from '../answer.ts'
import { jobEndpoints } from '../endpoints/jobs.ts'
import { acceptsEvents, toEventStream } from '../event-stream.ts'
import { givenReason } from '../given-reason.ts'
import { handlers } from '../handlers.ts'
import { readableJobId } from '../readable-job.ts'
import { responseWithBytes, responseWithText } from '../respond.ts'
import { toJobId } from '../row-id.ts'
import { JSON_TYPE, PLAIN_TEXT } from '../schemas/log-query.ts'
import { decodeCursor, encodeCursor, pageOfShortList } from '../schemas/page.ts'
import { toAttempt, toEventWaits, toJob, toStepPosition } from '../views/jobs.ts'
import { writeLogItems } from '../views/log-items.ts'
import { answerResult } from './answer-result.ts'
import { followJob } from './follow-job.ts'
import { followLog } from './follow-log.ts'

export type JobRouteDeps = FlowDeps & Pick<Deps, 'limits'> & Readonly<{ liveWorkers: LiveWorkers }>

/** Null if the job does not wait. */
const findWaitingFor = async (
  { db, limits, liveWorkers }: JobRouteDeps,
  { ws, id, status }: Readonly<{ ws: string; id: string; status: JobStatus }>,
): Promise<WaitingFor | null> => {
  if (status !== 'queued') return null
  const facts = await findQueuedFacts(db, { ws, id, maxRunning: limits.workspaceMaxRunning })
  return facts === null ? null : waitingFor(facts, await liveWorkers.list())
}

export const jobRoutes = handlers(jobEndpoints, (deps: JobRouteDeps) => ({
  getJob: async ({ ws, params, principal }) => {
    const id = readableJobId(principal, params.id)
    const detail = requireReadableJob(principal, await findJobDetail(deps.db, ws, id))
    const { keyring } = deps
    const result = openJobText(keyring, detail, { field: 'result', text: detail.resultJson })
    // event keys are shown only to callers who may send the event
    const waits =
      isTerminal(detail.status) || !holdsScope(principal, 'flows:resume')
        ? []
        : await listWaitsOf(deps.db, id)
    const waitingFor = await findWaitingFor(deps, detail)
    const common = { ...toJob(detail), ...toEventWaits(waits), result, waitingFor }
    if (!maySeeInput(principal, detail)) return ok(common)
    const input = openJobText(keyring, detail, { field: 'input', text: detail.inputJson })
    return ok({ ...common, input })
  },
  getJobResult: async ({ ws, params, principal }) => {
    const id = readableJobId(principal, params.id)
    const row = requireReadableJob(principal, await findJobResult(deps.db, ws, id))
    return answerResult(deps, row)
  },
  listJobAttempts: async ({ ws, params, query, principal }) => {
    const id = readableJobId(principal, params.id)
    const row = requireReadableJob(principal, await findJobHead(deps.db, ws, id))
    const attempts = await listAttempts(deps.db, ws, id)
    const items = attempts.map((attempt) => {
      const text = attempt.errorText
      return toAttempt(attempt, openJobText(deps.keyring, row, { field: 'result', text }))
    })
    return ok(
      pageOfShortList(
        items,
        query,
        ({ attempt }) => `${attempt}`,
        (attempt, before) => Number(attempt) > Number(before),
      ),
    )
  },
  listJobSteps: async ({ ws, params, query, principal }) => {
    const id = readableJobId(principal, params.id)
    const detail = requireReadableJob(principal, await findJobHead(deps.db, ws, id))
    const mayRead = maySeeInput(principal, detail)
    const after = toStepPosition(decodeCursor(query.cursor))
    const page = await listJobSteps(deps, { ws, id, after, limit: query.limit, mayRead })
    const nextCursor = page.next === null ? null : encodeCursor(JSON.stringify(page.next))
    return ok({ items: page.steps, pagination: { nextCursor } })
  },
  getJobLogs: async ({ ws, params, query, header, signal, principal }) => {
    const id = readableJobId(principal, params.id)
    requireReadableJob(principal, await findJobHead(deps.db, ws, id))
    const { format, tail_bytes: tailBytes = null } = query
    if (acceptsEvents({ header })) {
      return toEventStream(signal, (until) =>
        followLog(deps, { ws, id, signal: until }, { format, tailBytes }),
      )
    }
    if (format === 'json') {
      const items = readLogItems(deps.db, { ws, id }, tailBytes)
      return responseWithText(await writeLogItems(items), 200, new Headers(JSON_TYPE))
    }
    return responseWithBytes(await readLog(deps.db, id, tailBytes), PLAIN_TEXT)
  },
  streamJobEvents: async ({ ws, params, signal, principal }) => {
    const id = readableJobId(principal, params.id)
    requireReadableJob(principal, await findJobHead(deps.db, ws, id))
    return toEventStream(signal, (until) => followJob(deps, { ws, id, signal: until }))
  },
  cancelJob: async ({ ws, params, body, principal: caller }) => {
    const id = toJobId(params.id)
    return ok(await cancelJob(deps, { ws, id, caller, reason: givenReason(body?.reason) }))
  },
}))
