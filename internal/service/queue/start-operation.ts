/** Accepts an operation on many jobs. The jobs that match are fixed here; the scheduler carries it out [jobs 17.5]. */

import type { Actor } from '#core/access/actor.ts'
import { operationCreator } from '#core/access/policy.ts'
import type { Principal } from '#core/access/principal.ts'
import { AppError, invalid } from '#core/error.ts'
import {
  MAX_OPEN_OPERATIONS,
  MAX_OPERATION_JOBS,
  matchingStatuses,
  type OperationKind,
  requireFilter,
} from '#core/job/operation.ts'
import type { TriggerKind } from '#core/job/trigger-kind.ts'
import { type JobFilter, type JobMatch, listMatching } from '#store/jobs/list.ts'
import {
  findOperation,
  hasRoomForOperation,
  insertOperation,
  type Operation,
} from '#store/operations.ts'
import { holds } from '#store/row.ts'
import { allOf } from '#store/sql.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { findFirst, type Idempotency, keyStatements } from './idempotency.ts'

const RETRY_AFTER_S = 5

export type OperationRequest = Readonly<{
  ws: string
  kind: OperationKind
  filter: Readonly<{
    ids?: readonly string[] | undefined
    status?: Parameters<typeof matchingStatuses>[1]
    app?: string | undefined
    action?: string | undefined
    triggerKind?: TriggerKind | undefined
    isSuspended?: boolean | undefined
    isDismissed?: boolean | undefined
    isInFlow?: boolean | undefined
    label?: string | undefined
    /** Milliseconds since 1970, both inclusive. */
    since?: number | undefined
    until?: number | undefined
  }>
  caller: Principal
  actor: Actor
  holdsAppsWrite: boolean
  idempotency?: Idempotency
}>

export type StartedOperation = Pick<Operation, 'id' | 'matched'> & Readonly<{ replayed: boolean }>

const tooMany = () =>
  invalid(
    `More than ${MAX_OPERATION_JOBS.toLocaleString('en')} jobs match. Narrow the filter by app, action, since or until.`,
    { code: 'too_many_jobs' },
  )

const tooManyOpen = (kind: OperationKind) =>
  new AppError(
    'rate_limited',
    `${MAX_OPEN_OPERATIONS} bulk operations of this workspace that ${kind} jobs have not ended. Wait until one has; name more jobs in one operation.`,
    { code: 'too_many_operations', retryAfterS: RETRY_AFTER_S },
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
  isSuspended: filter.isSuspended ?? null,
  isDismissed: filter.isDismissed ?? null,
  isInFlow: filter.isInFlow ?? null,
  label: filter.label ?? null,
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

/**
 * Records the operation with its jobs; with a key that was used before, finds the operation of that call.
 * @throws {AppError} invalid `empty_filter`, `too_many_jobs`; conflict: the key was used with another body; rate_limited
 * `too_many_operations`
 */
export const startOperation = async (
  deps: Pick<Deps, 'db' | 'newId' | 'hints'>,
  request: OperationRequest,
): Promise<StartedOperation> => {
  const earlier = await findEarlier(deps, request)
  if (earlier !== null) return earlier
  const { ws, kind, filter, caller, actor, holdsAppsWrite } = request
  const hasRoom = hasRoomForOperation(request, MAX_OPEN_OPERATIONS)
  if (!(await holds(deps.db, hasRoom))) throw tooManyOpen(kind)
  const jobIds = await listJobs(deps, request)
  const id = deps.newId()
  const operation = {
    id,
    ws,
    kind,
    filterJson: JSON.stringify(filter),
    createdBy: caller.identity,
    holdsAppsWrite,
  }
  const key = keyStatements(request, id, 'operations')
  const { accepted, jobs } = insertOperation(operation, jobIds, allOf(key.holds, hasRoom))
  const audit = audited(deps, { ws, actor }, `jobs.bulk_${kind}`, id)
  // the audit entry is inserted if the operation was, so changes() is the same after both
  await deps.db.write(
    [...key.take, accepted, audit, jobs, ...(key.release === null ? [] : [key.release])],
    { retry: true },
  )
  const first = await findEarlier(deps, request)
  if (first !== null && first.id !== id) return first
  if ((await findOperation(deps.db, ws, id)) === null) throw tooManyOpen(kind)
  deps.hints.operationStarted.emit(id)
  return { id, matched: jobIds.length, replayed: false }
}

/** Finds the operation that the request's key has started. */
const findEarlier = async (
  deps: Pick<Deps, 'db'>,
  request: OperationRequest,
): Promise<StartedOperation | null> => {
  const id = await findFirst(deps, request)
  const operation = id === null ? null : await findOperation(deps.db, request.ws, id)
  return operation === null ? null : { ...operation, replayed: true }
}
