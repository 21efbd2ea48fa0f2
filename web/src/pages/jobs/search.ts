/** What the list of jobs is narrowed by; the address holds it. What the address says wrong is left out. */
export const STATUSES = [
  'queued',
  'running',
  'success',
  'failure',
  'canceled',
  'completed',
] as const
export const TRIGGERS = ['api', 'webhook', 'schedule'] as const
/** Hours back from now, as a link that is opened tomorrow means it. */
export const SPANS = ['1h', '24h', '7d', '30d'] as const

export type JobFilters = Readonly<{
  status?: (typeof STATUSES)[number]
  trigger?: (typeof TRIGGERS)[number]
  app?: string
  action?: string
  span?: (typeof SPANS)[number]
}>

const oneOf = <Value extends string>(values: readonly Value[], given: unknown): Value | undefined =>
  values.find((value) => value === given)

const text = (given: unknown): string | undefined => {
  // the router reads ?app=12 as a number
  const found = typeof given === 'number' ? String(given) : given
  return typeof found === 'string' && found !== '' ? found.slice(0, 200) : undefined
}

export const readJobFilters = (search: Record<string, unknown>): JobFilters => {
  const status = oneOf(STATUSES, search.status)
  const trigger = oneOf(TRIGGERS, search.trigger)
  const span = oneOf(SPANS, search.span)
  const app = text(search.app)
  const action = text(search.action)
  return {
    ...(status === undefined ? {} : { status }),
    ...(trigger === undefined ? {} : { trigger }),
    ...(app === undefined ? {} : { app }),
    ...(action === undefined ? {} : { action }),
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
export const toJobQuery = ({ status, trigger, app, action, span }: JobFilters, now: number) => ({
  status,
  trigger_kind: trigger,
  app,
  action,
  since:
    span === undefined
      ? undefined
      : new Date(Math.floor((now - HOURS[span] * HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString(),
})
