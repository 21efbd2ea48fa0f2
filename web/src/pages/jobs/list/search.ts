/** The filters of the list of jobs, stored in the address. */
import {
  DISMISSED,
  defined,
  oneOf,
  SPANS,
  sinceOf,
  textParam,
  timeParam,
} from '../../../kit/search.ts'
import { JOB_TRIGGERS } from '../../../language/triggers.ts'

export const STATUSES = [
  'queued',
  'suspended',
  'running',
  'success',
  'failure',
  'canceled',
  'completed',
] as const
export const FLOWS = ['each'] as const

export const readJobFilters = (search: Record<string, unknown>) =>
  defined({
    status: oneOf(STATUSES, search.status),
    // of failures: only dismissed ones, or all others
    dismissed: oneOf(DISMISSED, search.dismissed),
    trigger: oneOf(JOB_TRIGGERS, search.trigger),
    app: textParam(search.app),
    action: textParam(search.action),
    // `each` shows jobs of flow runs one by one; by default each run is one row
    flows: oneOf(FLOWS, search.flows),
    label: textParam(search.label),
    // only jobs of this flow run
    run: textParam(search.run),
    span: oneOf(SPANS, search.span),
    // an exact range, for links from charts
    since: timeParam(search.since),
    until: timeParam(search.until),
  })

export type JobFilters = ReturnType<typeof readJobFilters>

const isYes = (dismissed: (typeof DISMISSED)[number]): boolean => dismissed === 'yes'

/** Statuses that are "queued" for the API. Only jobs that wait for a worker are queued for a reader [jobs 5.8]. */
const isWaiting = (status: JobFilters['status']): status is 'queued' | 'suspended' =>
  status === 'queued' || status === 'suspended'

/** Converts a status of this page to conditions of the API. */
const toConditions = (status: JobFilters['status']) =>
  isWaiting(status)
    ? { status: 'queued' as const, suspended: status === 'suspended' }
    : { status, suspended: undefined }

/**
 * Whether each flow run is one row instead of its jobs. A run has no action and no labels, it is neither queued nor suspended,
 * and all its jobs have one trigger, so filters by these list jobs one by one.
 */
export const isFolded = ({ status, trigger, action, label, flows, run }: JobFilters): boolean =>
  !isWaiting(status) &&
  trigger === undefined &&
  action === undefined &&
  label === undefined &&
  flows === undefined &&
  run === undefined

const flag = (value: boolean | undefined) =>
  value === undefined ? undefined : value ? ('true' as const) : ('false' as const)

/** Converts the filters to query parameters of the API. */
export const toJobQuery = (
  { status, trigger, span, since, until, dismissed, flows: _, run, ...filters }: JobFilters,
  now: number,
) => ({
  ...filters,
  status: toConditions(status).status,
  suspended: flag(toConditions(status).suspended),
  trigger_kind: trigger,
  flow_run_id: run,
  dismissed: flag(dismissed === undefined ? undefined : isYes(dismissed)),
  since: since ?? sinceOf(span, now),
  until,
})

/** Converts the filters to query parameters of the list in which flow runs are rows. */
export const toFoldedQuery = (filters: JobFilters, now: number) => {
  const { app, dismissed, since, until } = toJobQuery(filters, now)
  const { status } = filters
  return { app, dismissed, since, until, status: isWaiting(status) ? undefined : status }
}

export type BulkKind = 'replay' | 'cancel'

const OVER: readonly JobFilters['status'][] = ['success', 'failure', 'canceled', 'completed']

/** The operation that fits jobs of a status. */
const kindOf = (status: NonNullable<JobFilters['status']>): BulkKind =>
  OVER.includes(status) ? 'replay' : 'cancel'

/** The operations on all jobs of a view. None until a person has selected a status. */
export const bulkKinds = ({ status, run }: JobFilters): readonly BulkKind[] =>
  status === undefined || run !== undefined ? [] : [kindOf(status)]

/** The operations on selected jobs, by their statuses; null means all jobs that match the filters. */
export const selectedKinds = (
  { status }: JobFilters,
  statuses: readonly NonNullable<JobFilters['status']>[] | null,
): readonly BulkKind[] => {
  const both: readonly BulkKind[] = ['replay', 'cancel']
  if (statuses !== null)
    return both.filter((kind) => statuses.some((each) => kindOf(each) === kind))
  return status === undefined ? both : [kindOf(status)]
}

/** The filter of `POST /jobs/bulk`, which covers jobs up to now. */
export const toBulkFilter = (filters: JobFilters, now: number) => {
  const { status, app, action, trigger, label, span, since, until, dismissed } = filters
  return defined({
    ...toConditions(status),
    app,
    action,
    trigger_kind: trigger,
    label,
    // the jobs of a run are replayed with the run
    in_flow: isFolded(filters) ? false : undefined,
    dismissed: dismissed === undefined ? undefined : isYes(dismissed),
    since: since ?? sinceOf(span, now),
    until: new Date(Math.min(now, Date.parse(until ?? '') || now)).toISOString(),
  })
}

export type BulkFilter = ReturnType<typeof toBulkFilter> & Readonly<{ ids?: readonly string[] }>
