/** What the audit log is narrowed by; the address holds it. What the address says wrong is left out. */
export const SPANS = ['1h', '24h', '7d', '30d', '90d'] as const
export type Span = (typeof SPANS)[number]

export type AuditFilters = Readonly<{ actor?: string; action?: string; span?: Span }>

const text = (given: unknown): string | undefined =>
  typeof given === 'string' && given !== '' ? given.slice(0, 300) : undefined

export const readAuditFilters = (search: Record<string, unknown>): AuditFilters => {
  const actor = text(search.actor)
  const action = text(search.action)
  const span = SPANS.find((each) => each === search.span)
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(action === undefined ? {} : { action }),
    ...(span === undefined ? {} : { span }),
  }
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const HOURS: Readonly<Record<Span, number>> = {
  '1h': 1,
  '24h': 24,
  '7d': 168,
  '30d': 720,
  '90d': 2_160,
}

/** What the API takes; to the minute, so that one list is one query. */
export const toAuditQuery = ({ actor, action, span }: AuditFilters, now: number) => ({
  actor,
  action,
  since:
    span === undefined
      ? undefined
      : new Date(Math.floor((now - HOURS[span] * HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString(),
})
