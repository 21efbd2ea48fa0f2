/** The filters of the list of jobs, kept in the address. */
import { defined, oneOf, type Span, sinceOf, textParam, timeParam } from '../../../kit/search.ts'
import { JOB_TRIGGERS } from '../../../language/triggers.ts'

export const STATUSES = [
  'queued',
  'running',
  'success',
  'failure',
  'canceled',
  'completed',
] as const
export const SPANS = ['1h', '24h', '7d', '30d'] as const satisfies readonly Span[]

/** Words, since an address would give back `true` and `false` as booleans. */
export const DISMISSED = ['no', 'yes'] as const

export const FLOWS = ['each'] as const

export const readJobFilters = (search: Record<string, unknown>) =>
  defined({
    status: oneOf(STATUSES, search.status),
    // of failures: dismissed ones, or all but these
    dismissed: oneOf(DISMISSED, search.dismissed),
    trigger: oneOf(JOB_TRIGGERS, search.trigger),
    app: textParam(search.app),
    action: textParam(search.action),
    // jobs of flow runs: folded into a row for each run unless they are to be shown one by one
    flows: oneOf(FLOWS, search.flows),
    // jobs of this flow run alone
    run: textParam(search.run),
    span: oneOf(SPANS, search.span),
    // a range of its own, as charts link to it
    since: timeParam(search.since),
    until: timeParam(search.until),
  })

export type JobFilters = ReturnType<typeof readJobFilters>

const isYes = (dismissed: (typeof DISMISSED)[number]): boolean => dismissed === 'yes'

/**
 * Whether each flow run is one row, in place of its jobs. A run has no action and is not queued, and all its jobs have one
 * trigger, so filters by these list jobs one by one.
 */
export const isFolded = ({ status, trigger, action, flows, run }: JobFilters): boolean =>
  status !== 'queued' &&
  trigger === undefined &&
  action === undefined &&
  flows === undefined &&
  run === undefined

/** What the API takes. */
export const toJobQuery = (
  { trigger, span, since, until, dismissed, flows: _, run, ...filters }: JobFilters,
  now: number,
) => ({
  ...filters,
  trigger_kind: trigger,
  flow_run_id: run,
  dismissed:
    dismissed === undefined ? undefined : isYes(dismissed) ? ('true' as const) : ('false' as const),
  since: since ?? sinceOf(span, now),
  until,
})

/** What the API takes for the list in which flow runs are rows. */
export const toFoldedQuery = (filters: JobFilters, now: number) => {
  const { app, dismissed, since, until } = toJobQuery(filters, now)
  const { status } = filters
  return { app, dismissed, since, until, status: status === 'queued' ? undefined : status }
}

export type BulkKind = 'replay' | 'cancel'

const OVER: readonly JobFilters['status'][] = ['success', 'failure', 'canceled', 'completed']

/** What can be done with jobs of a status. */
const kindOf = (status: NonNullable<JobFilters['status']>): BulkKind =>
  OVER.includes(status) ? 'replay' : 'cancel'

/** What is offered for all jobs of a view: nothing until a person has chosen a status. */
export const bulkKinds = ({ status, run }: JobFilters): readonly BulkKind[] =>
  status === undefined || run !== undefined ? [] : [kindOf(status)]

/** What is offered for jobs that were selected, by their statuses; null: whatever the filters show. */
export const selectedKinds = (
  { status }: JobFilters,
  statuses: readonly NonNullable<JobFilters['status']>[] | null,
): readonly BulkKind[] => {
  const both: readonly BulkKind[] = ['replay', 'cancel']
  if (statuses !== null)
    return both.filter((kind) => statuses.some((each) => kindOf(each) === kind))
  return status === undefined ? both : [kindOf(status)]
}

/** The filter of `POST /jobs/bulk`: jobs up to now. */
export const toBulkFilter = (filters: JobFilters, now: number) => {
  const { status, app, action, trigger, span, since, until, dismissed } = filters
  return defined({
    status,
    app,
    action,
    trigger_kind: trigger,
    // the jobs of a run are replayed by its own buttons
    in_flow: isFolded(filters) ? false : undefined,
    dismissed: dismissed === undefined ? undefined : isYes(dismissed),
    since: since ?? sinceOf(span, now),
    until: new Date(Math.min(now, Date.parse(until ?? '') || now)).toISOString(),
  })
}

export type BulkFilter = ReturnType<typeof toBulkFilter> & Readonly<{ ids?: readonly string[] }>
