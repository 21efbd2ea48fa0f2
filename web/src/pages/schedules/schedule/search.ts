/** The day whose fire times are listed; stored in the address. */
export const readScheduleSearch = ({ day }: Record<string, unknown>): { day?: string } =>
  typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) ? { day } : {}
