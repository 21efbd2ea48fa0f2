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
