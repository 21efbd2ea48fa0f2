/** How far back the overview counts; the address holds it. */
export const WINDOWS = { '1h': 3_600, '24h': 86_400, '7d': 604_800 } as const
export type WindowName = keyof typeof WINDOWS

const isWindow = (value: unknown): value is WindowName =>
  typeof value === 'string' && Object.hasOwn(WINDOWS, value)

export const readOverviewSearch = ({ span }: Record<string, unknown>): { span?: WindowName } =>
  isWindow(span) ? { span } : {}
