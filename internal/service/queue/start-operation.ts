/** Accepts an operation on many jobs. The jobs that match are fixed here; the scheduler carries it out [jobs 17.5]. */
import { operationCreator } from '#core/access/policy.ts'
import type { Principal } from '#core/access/principal.ts'
import type { Actor } from '#core/actor.ts'
import { invalid } from '#core/error.ts'
import {
  MAX_OPERATION_JOBS,
  matchingStatuses,
  type OperationKind,
  requireFilter,
} from '#core/job/operation.ts'
import type { TriggerKind } from '#core/job/trigger-kind.ts'
import { type JobFilter, type JobMatch, listMatching } from '#store/jobs/list.ts'
import { insertOperation, type Operation } from '#store/operations.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'

export type OperationRequest = Readonly<{
  ws: string
  kind: OperationKind
  filter: Readonly<{
    ids?: readonly string[] | undefined
    status?: Parameters<typeof matchingStatuses>[1]
    app?: string | undefined
    action?: string | undefined
    triggerKind?: TriggerKind | undefined
    isDismissed?: boolean | undefined
    isInFlow?: boolean | undefined
    /** Milliseconds since 1970, both inclusive. */
    since?: number | undefined
    until?: number | undefined
  }>
  caller: Principal
  actor: Actor
  holdsAppsWrite: boolean
}>

const tooMany = () =>
  invalid(
    `More than ${MAX_OPERATION_JOBS.toLocaleString('en')} jobs match. Narrow the filter by app, action, since or until.`,
    { code: 'too_many_jobs' },
  )

const matchOf = ({ ws, kind, filter, caller }: OperationRequest): JobMatch => ({
  ws,
  createdBy: operationCreator(caller),
  filter: filterOf(kind, filter),
})

const filterOf = (kind: OperationKind, filter: OperationRequest['filter']): JobFilter => ({
  statuses: matchingStatuses(kind, filter.status),
  app: filter.app ?? null,
  action: filter.action ?? null,
  triggerKind: filter.triggerKind ?? null,
  since: filter.since ?? null,
  until: filter.until ?? null,
  isDismissed: filter.isDismissed ?? null,
  isInFlow: filter.isInFlow ?? null,
  ...(filter.ids === undefined ? {} : { ids: filter.ids }),
})

/** Lists the jobs that an operation matches. @throws {AppError} invalid `empty_filter`, `too_many_jobs` */
const listJobs = async (
  { db }: Pick<Deps, 'db'>,
  request: OperationRequest,
): Promise<readonly string[]> => {
  requireFilter(request.filter)
  const ids = await listMatching(db, matchOf(request), MAX_OPERATION_JOBS + 1)
  if (ids.length > MAX_OPERATION_JOBS) throw tooMany()
  return ids
}

/** Counts the jobs that an operation would match. @throws {AppError} invalid `empty_filter`, `too_many_jobs` */
export const countOperation = async (
  deps: Pick<Deps, 'db'>,
  request: OperationRequest,
): Promise<number> => (await listJobs(deps, request)).length

/** Records the operation with its jobs. @throws {AppError} invalid `empty_filter`, `too_many_jobs` */
export const startOperation = async (
  deps: Pick<Deps, 'db' | 'newId' | 'hints'>,
  request: OperationRequest,
): Promise<Pick<Operation, 'id' | 'matched'>> => {
  const jobIds = await listJobs(deps, request)
  const { ws, kind, filter, caller, actor, holdsAppsWrite } = request
  const id = deps.newId()
  const operation = {
    id,
    ws,
    kind,
    filterJson: JSON.stringify(filter),
    createdBy: caller.identity,
    holdsAppsWrite,
  }
  const { accepted, jobs } = insertOperation(operation, jobIds)
  const audit = audited(deps, { ws, actor }, `jobs.bulk_${kind}`, id)
  // the audit entry is inserted if the operation was, so changes() is the same after both
  await deps.db.write([accepted, audit, jobs], { retry: true })
  deps.hints.operationStarted.emit(id)
  return { id, matched: jobIds.length }
}
