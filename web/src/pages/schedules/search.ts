/** What the list of schedules is narrowed by; the address holds it. */
export type ScheduleFilters = Readonly<{ app?: string; state?: 'on' | 'off' }>

export const readScheduleFilters = ({ app, state }: Record<string, unknown>): ScheduleFilters => {
  // the router reads ?app=12 as a number
  const name = typeof app === 'number' ? String(app) : app
  return {
    ...(typeof name === 'string' && name !== '' ? { app: name.slice(0, 200) } : {}),
    ...(state === 'on' || state === 'off' ? { state } : {}),
  }
}
