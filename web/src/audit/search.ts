/** The filters of the audit log, which are stored in the address. */
import { defined, oneOf, type Span, sinceOf, textParam } from '../kit/search.ts'

export const SPANS = ['1h', '24h', '7d', '30d', '90d'] as const satisfies readonly Span[]

const MAX_LENGTH = 300

export const readAuditFilters = ({ actor, action, span }: Record<string, unknown>) =>
  defined({
    actor: textParam(actor, MAX_LENGTH),
    action: textParam(action, MAX_LENGTH),
    span: oneOf(SPANS, span),
  })

export type AuditFilters = ReturnType<typeof readAuditFilters>

/** Converts the filters to query parameters of the API. */
export const toAuditQuery = ({ actor, action, span }: AuditFilters, now: number) => ({
  actor,
  action,
  since: sinceOf(span, now),
})
