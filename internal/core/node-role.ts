/** The roles of a node, and the parts that run in each. */
const ROLES = ['start', 'server', 'worker', 'scheduler'] as const
export type NodeRole = (typeof ROLES)[number]

/** Whether a node of this role serves the API. */
export const runsServer = (role: NodeRole): boolean => role === 'start' || role === 'server'
/** Whether a node of this role runs jobs. */
export const runsWorker = (role: NodeRole): boolean => role === 'start' || role === 'worker'
/** Whether a node of this role runs the duties of the scheduler. */
export const runsScheduler = (role: NodeRole): boolean => role === 'start' || role === 'scheduler'
