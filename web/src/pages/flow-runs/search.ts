/** What the list of flow runs is narrowed by; the address holds it. What the address says wrong is left out. */
export const STATUSES = [
  'open',
  'running',
  'waiting_approval',
  'over',
  'completed',
  'failed',
  'canceled',
] as const
/** Back from now, as a link that is opened tomorrow means it. */
export const SPANS = ['1h', '24h', '7d', '30d'] as const

export type FlowRunFilters = Readonly<{
  status?: (typeof STATUSES)[number]
  app?: string
  flow?: string
  span?: (typeof SPANS)[number]
}>

const text = (given: unknown): string | undefined => {
  // the router reads ?app=12 as a number
  const found = typeof given === 'number' ? String(given) : given
  return typeof found === 'string' && found !== '' ? found.slice(0, 200) : undefined
}

export const readFlowRunFilters = (search: Record<string, unknown>): FlowRunFilters => {
  const status = STATUSES.find((known) => known === search.status)
  const span = SPANS.find((known) => known === search.span)
  const app = text(search.app)
  const flow = text(search.flow)
  return {
    ...(status === undefined ? {} : { status }),
    ...(app === undefined ? {} : { app }),
    ...(flow === undefined ? {} : { flow }),
    ...(span === undefined ? {} : { span }),
  }
}

const HOUR_MS = 3_600_000
const HOURS: Readonly<Record<(typeof SPANS)[number], number>> = {
  '1h': 1,
  '24h': 24,
  '7d': 168,
  '30d': 720,
}
/** To the minute, so that one list is one query. */
const MINUTE_MS = 60_000

/** What the API takes. */
export const toFlowRunQuery = ({ status, app, flow, span }: FlowRunFilters, now: number) => ({
  status,
  app,
  flow,
  since:
    span === undefined
      ? undefined
      : new Date(Math.floor((now - HOURS[span] * HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString(),
})
