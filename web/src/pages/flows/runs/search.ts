/** The filters of the list of flow runs, stored in the address. */
import { DISMISSED, defined, oneOf, SPANS, sinceOf, textParam } from '../../../kit/search.ts'

export const STATUSES = [
  'open',
  'running',
  'waiting_approval',
  'over',
  'completed',
  'failed',
  'canceled',
] as const
const ENDED = [
  'over',
  'completed',
  'failed',
  'canceled',
] as const satisfies readonly (typeof STATUSES)[number][]

export const readFlowRunFilters = (search: Record<string, unknown>) =>
  defined({
    status: oneOf(STATUSES, search.status),
    // of failures: only dismissed ones, or all others
    dismissed: oneOf(DISMISSED, search.dismissed),
    app: textParam(search.app),
    flow: textParam(search.flow),
    label: textParam(search.label),
    span: oneOf(SPANS, search.span),
  })

export type FlowRunFilters = ReturnType<typeof readFlowRunFilters>

/** Whether a status is that of an ended run. */
export const isOfEnded = (status: FlowRunFilters['status']): boolean =>
  ENDED.some((each) => each === status)

const TO_QUERY = { yes: 'true', no: 'false' } as const

/** Converts the filters to query parameters of the API. */
export const toFlowRunQuery = ({ span, dismissed, ...filters }: FlowRunFilters, now: number) => ({
  ...filters,
  dismissed: dismissed === undefined ? undefined : TO_QUERY[dismissed],
  since: sinceOf(span, now),
})
