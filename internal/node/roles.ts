/** Which parts run in which mode (contract, Modes). */
const ROLES = ['start', 'server', 'worker', 'scheduler'] as const
export type Role = (typeof ROLES)[number]

export const runsServer = (role: Role): boolean => role === 'start' || role === 'server'
export const runsWorker = (role: Role): boolean => role === 'start' || role === 'worker'
export const runsScheduler = (role: Role): boolean => role === 'start' || role === 'scheduler'
