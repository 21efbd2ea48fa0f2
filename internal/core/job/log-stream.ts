/** Which stream of a job's log a text belongs to. */
export const LOG_STREAMS = ['log', 'stdout', 'stderr'] as const

/** `log`: ctx.log, and what svc adds. What a job writes without the console counts as `stdout`. */
export type LogStream = (typeof LOG_STREAMS)[number]
