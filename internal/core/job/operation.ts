/** Operations on many jobs at once: cancel those that are open, or replay those that have ended [jobs 17.5]. */
import { invalid } from '../error.ts'
import { limit } from '../limit.ts'
import { JOB_STATUSES, type JobStatus, TERMINAL_STATUSES } from './transitions.ts'

export const OPERATION_KINDS = ['cancel', 'replay'] as const
export type OperationKind = (typeof OPERATION_KINDS)[number]

export const OPERATION_STATUSES = ['running', 'completed', 'failed'] as const
export type OperationStatus = (typeof OPERATION_STATUSES)[number]

export const MAX_OPERATION_JOBS = limit(
  'job.operation',
  20_000,
  'items',
  'Jobs that one `POST /jobs/bulk` may match. More: 400 `too_many_jobs`.',
)

export const MAX_OPERATION_IDS = limit(
  'job.operation_ids',
  1_000,
  'items',
  'Ids in the filter of `POST /jobs/bulk`.',
)

export const MAX_OPEN_OPERATIONS = limit(
  'job.open_operations',
  100,
  'items',
  'Bulk operations of a workspace that have not ended, cancels and replays each. More: 429 `too_many_operations`.',
)

export const MAX_BULK_RUNS = limit(
  'flow.bulk_ids',
  100,
  'items',
  'Ids in one `POST /flow-runs/bulk`.',
)

const OPEN: readonly JobStatus[] = ['queued', 'running']

/** Statuses in which an operation can affect a job. */
const STATUSES_OF: Readonly<Record<OperationKind, readonly JobStatus[]>> = {
  cancel: OPEN,
  replay: TERMINAL_STATUSES,
}

export const JOB_STATUS_FILTERS = ['all', 'completed', ...JOB_STATUSES] as const
type StatusFilter = (typeof JOB_STATUS_FILTERS)[number]

const statusesOf = (filter: StatusFilter): readonly JobStatus[] => {
  if (filter === 'all') return JOB_STATUSES
  return filter === 'completed' ? TERMINAL_STATUSES : [filter]
}

/** Returns the statuses that match: those of the filter in which the operation can affect a job. Empty if nothing matches. */
export const matchingStatuses = (
  kind: OperationKind,
  filter: StatusFilter | undefined,
): readonly JobStatus[] => {
  const possible = STATUSES_OF[kind]
  return filter === undefined
    ? possible
    : possible.filter((status) => statusesOf(filter).includes(status))
}

/** Requires a filter, so that an operation on all jobs needs `status: all`. @throws {AppError} invalid */
export const requireFilter = (filter: Readonly<Record<string, unknown>>): void => {
  if (Object.values(filter).some((value) => value !== undefined)) return
  throw invalid(
    'The filter is empty. Name at least one of ids, status, app, action, trigger_kind, suspended, in_flow, dismissed, label, since and until.',
    {
      code: 'empty_filter',
    },
  )
}

/** Jobs of one operation per turn: a commit of a few milliseconds. A turn in progress may count them after a stop. */
export const OPERATION_TURN_JOBS = 25

type Progress = Readonly<{
  status: OperationStatus
  matched: number
  done: number
  failed: number
}>

/** Whether a person stopped the operation: it has ended, and left jobs alone. */
export const isStopped = ({ status, matched, done, failed }: Progress): boolean =>
  status !== 'running' && done + failed < matched

/** Returns how an operation ends. It failed if it could affect none of its jobs. */
export const endOf = ({
  done,
  failed,
}: Readonly<{ done: number; failed: number }>): Exclude<OperationStatus, 'running'> =>
  done === 0 && failed > 0 ? 'failed' : 'completed'
