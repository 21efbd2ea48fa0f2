/** The filters of the list of flow runs, kept in the address. */
import { defined, oneOf, type Span, sinceOf, textParam } from '../../../kit/search.ts'

export const STATUSES = [
  'open',
  'running',
  'waiting_approval',
  'over',
  'completed',
  'failed',
  'canceled',
] as const
export const SPANS = ['1h', '24h', '7d', '30d'] as const satisfies readonly Span[]

export const readFlowRunFilters = (search: Record<string, unknown>) =>
  defined({
    status: oneOf(STATUSES, search.status),
    app: textParam(search.app),
    flow: textParam(search.flow),
    span: oneOf(SPANS, search.span),
  })

export type FlowRunFilters = ReturnType<typeof readFlowRunFilters>

/** What the API takes. */
export const toFlowRunQuery = ({ span, ...filters }: FlowRunFilters, now: number) => ({
  ...filters,
  since: sinceOf(span, now),
})
