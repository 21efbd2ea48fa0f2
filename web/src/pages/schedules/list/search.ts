import { defined, oneOf, textParam } from '../../../kit/search.ts'

/** The filters of the list of schedules, stored in the address. */
export const readScheduleFilters = ({ app, state }: Record<string, unknown>) =>
  defined({ app: textParam(app), state: oneOf(['on', 'off'], state) })

export type ScheduleFilters = ReturnType<typeof readScheduleFilters>
