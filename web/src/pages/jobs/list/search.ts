/** The filters of the list of jobs, kept in the address. */
import { defined, oneOf, type Span, sinceOf, textParam } from '../../../kit/search.ts'
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

export const readJobFilters = (search: Record<string, unknown>) =>
  defined({
    status: oneOf(STATUSES, search.status),
    trigger: oneOf(JOB_TRIGGERS, search.trigger),
    app: textParam(search.app),
    action: textParam(search.action),
    span: oneOf(SPANS, search.span),
  })

export type JobFilters = ReturnType<typeof readJobFilters>

/** What the API takes. */
export const toJobQuery = ({ trigger, span, ...filters }: JobFilters, now: number) => ({
  ...filters,
  trigger_kind: trigger,
  since: sinceOf(span, now),
})

export type BulkKind = 'replay' | 'cancel'

const OVER: readonly JobFilters['status'][] = ['success', 'failure', 'canceled', 'completed']

/** What can be done with all jobs of a view. The API knows no trigger, and wants a status chosen by a person. */
export const bulkKinds = ({ status, trigger }: JobFilters): readonly BulkKind[] => {
  if (status === undefined || trigger !== undefined) return []
  return OVER.includes(status) ? ['replay'] : ['cancel']
}

/** The filter of `POST /jobs/bulk`: jobs up to now. */
export const toBulkFilter = ({ status, app, action, span }: JobFilters, now: number) =>
  defined({
    status,
    app,
    action,
    since: sinceOf(span, now),
    until: new Date(now).toISOString(),
  })

export type BulkFilter = ReturnType<typeof toBulkFilter>
