/** The filters of the audit log, which are stored in the address. */
import { defined, oneOf, SPANS, type Span, sinceOf, textParam } from '../kit/search.ts'

export const AUDIT_SPANS = [...SPANS, '90d'] as const satisfies readonly Span[]

const MAX_LENGTH = 300

export const readAuditFilters = ({ actor, action, span }: Record<string, unknown>) =>
  defined({
    actor: textParam(actor, MAX_LENGTH),
    action: textParam(action, MAX_LENGTH),
    span: oneOf(AUDIT_SPANS, span),
  })

export type AuditFilters = ReturnType<typeof readAuditFilters>

/** Converts the filters to query parameters of the API. */
export const toAuditQuery = ({ actor, action, span }: AuditFilters, now: number) => ({
  actor,
  action,
  since: sinceOf(span, now),
})
