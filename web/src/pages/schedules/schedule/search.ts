/** Of which day the slots are listed; the address holds it. */
export const readScheduleSearch = ({ day }: Record<string, unknown>): { day?: string } =>
  typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) ? { day } : {}
