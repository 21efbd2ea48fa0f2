import { holdsScope } from '#core/access/policy.ts'
import { type JobStatus, TERMINAL_STATUSES } from '#core/job/transitions.ts'
import { SECOND_MS } from '#core/time-units.ts'
import type { Deps } from '#service/deps.ts'
import { dismissJob, dismissJobs } from '#service/queue/dismiss-jobs.ts'
import { listFoldedJobs } from '#service/queue/list-folded-jobs.ts'
import { measureJobs } from '#service/queue/measure-jobs.ts'
import { requeueJob } from '#service/queue/requeue-job.ts'
import { summarizeWorkspaceJobs, traceWorkspaceJobs } from '#service/queue/summarize-jobs.ts'
import { listJobs } from '#store/jobs/list.ts'
import { ok } from '../answer.ts'
import type { InputOf } from '../endpoint.ts'
import { jobListEndpoints } from '../endpoints/job-lists.ts'
import { handlers } from '../handlers.ts'
import { toJobId } from '../row-id.ts'
import { decodeCursor, pageBefore, paginate } from '../schemas/page.ts'
import { toFoldedJob, toFoldedPage } from '../views/folded-jobs.ts'
import { toFigures, toJob, toListedJob } from '../views/jobs.ts'

/** `completed` selects all terminal states, and `all` selects every status [jobs 5.7]. */
const toStatuses = (
  filter: InputOf<typeof jobListEndpoints.listJobs>['query']['status'],
): readonly JobStatus[] => {
  if (filter === 'all') return []
  return filter === 'completed' ? TERMINAL_STATUSES : [filter]
}

export const jobListRoutes = handlers(
  jobListEndpoints,
  (deps: Pick<Deps, 'db' | 'reads' | 'newId' | 'hints' | 'keyring'>) => ({
    listJobs: async ({ ws, query }) => {
      const { keyring } = deps
      const rows = await listJobs(deps.reads, ws, {
        statuses: toStatuses(query.status),
        app: query.app ?? null,
        action: query.action ?? null,
        triggerKind: query.trigger_kind ?? null,
        since: query.since ?? null,
        until: query.until ?? null,
        isSuspended: query.suspended ?? null,
        isDismissed: query.dismissed ?? null,
        flowRunId: query.flow_run_id ?? null,
        label: query.label ?? null,
        ...pageBefore(query),
      })
      return ok(
        paginate(
          rows.map((row) => toListedJob(keyring, row)),
          query.limit,
          ({ id }) => id,
        ),
      )
    },
    listFoldedJobs: async ({ ws, query, principal }) => {
      const { keyring } = deps
      const { limit } = query
      const request = {
        statuses: toStatuses(query.status),
        app: query.app ?? null,
        since: query.since ?? null,
        until: query.until ?? null,
        isDismissed: query.dismissed ?? null,
        beforeId: decodeCursor(query.cursor),
      }
      if (holdsScope(principal, 'flows:read')) {
        return ok(toFoldedPage(keyring, await listFoldedJobs(deps, ws, { ...request, limit })))
      }
      const filter = { ...request, action: null, triggerKind: null }
      const rows = await listJobs(deps.reads, ws, { ...filter, limit: limit + 1 })
      return ok(
        paginate(
          rows.map((row) => toFoldedJob(keyring, row)),
          query.limit,
          ({ id }) => id,
        ),
      )
    },
    getJobSummary: async ({ ws, query }) => {
      const counts = await summarizeWorkspaceJobs(deps, ws, query.recent_seconds)
      return ok({ ...counts, recentSeconds: query.recent_seconds })
    },
    getJobTimeline: async ({ ws, query }) => {
      const { pieceMs, pieces } = await traceWorkspaceJobs(deps, ws, query.recent_seconds)
      const buckets = pieces.map(({ success, failure, ...piece }) => ({
        ...piece,
        completed: success,
        failed: failure,
      }))
      return ok({ bucketSeconds: pieceMs / SECOND_MS, buckets })
    },
    getJobFigures: async ({ ws, query }) => {
      const { app = null, action = null, recent_seconds: recentSeconds } = query
      const { pieceMs, pieces } = await measureJobs(deps, { ws, app, action, recentSeconds })
      return ok({ bucketSeconds: pieceMs / SECOND_MS, buckets: pieces.map(toFigures) })
    },
    requeueJob: async ({ ws, params, body, actor }) => {
      const row = await requeueJob(deps, {
        ws,
        id: toJobId(params.id),
        tag: body?.tag ?? null,
        actor,
      })
      return ok(toJob(row))
    },
    dismissJob: async ({ ws, params, body, principal: caller, actor }) => {
      const isDismissed = body?.dismissed ?? true
      const id = toJobId(params.id)
      return ok(toJob(await dismissJob(deps, { ws, id, caller, actor, isDismissed })))
    },
    dismissJobs: async ({ ws, body, principal: caller, actor }) => {
      const { ids, dismissed: isDismissed } = body
      return ok({ changed: await dismissJobs(deps, { ws, ids, caller, actor, isDismissed }) })
    },
  }),
)
