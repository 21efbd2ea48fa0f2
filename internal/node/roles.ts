/** The roles of a node, and the parts that run in each. */
const ROLES = ['start', 'server', 'worker', 'scheduler'] as const
export type Role = (typeof ROLES)[number]

export const runsServer = (role: Role): boolean => role === 'start' || role === 'server'
export const runsWorker = (role: Role): boolean => role === 'start' || role === 'worker'
export const runsScheduler = (role: Role): boolean => role === 'start' || role === 'scheduler'
