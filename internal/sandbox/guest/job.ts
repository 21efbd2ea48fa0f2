import { type Activity, createActivity } from './activity.ts'

/** One run, as the guest keeps it. */
export type GuestJob = {
  readonly run: number
  /** Characters of log that the host still accepts. */
  logLeft: number
  /** Calls of `ctx.run`, `ctx.startFlow` and `ctx.sendEvent` so far. A later attempt counts the same calls the same way. */
  starts: number
  readonly activity: Activity
  /** Whether the result has been sent. Later output of this job is dropped. */
  ended: boolean
  /**
   * Ends the job with an error that `main` did not throw, such as an
   * unhandled rejection or an error of a timer. The first one counts.
   */
  readonly fail: (error: unknown) => void
  readonly failed: Promise<never>
  /** Ends the run after its suspension was sent. */
  readonly suspend: () => void
  readonly suspended: Promise<void>
}

/** @param logLeft bytes that the job may still log */
export const createGuestJob = (run: number, logLeft: number): GuestJob => {
  const { promise, reject } = Promise.withResolvers<never>()
  // prevents an unhandled rejection while nothing waits for the promise
  promise.catch(() => undefined)
  const suspension = Promise.withResolvers<void>()
  return {
    run,
    logLeft,
    starts: 0,
    activity: createActivity(),
    ended: false,
    fail: reject,
    failed: promise,
    suspend: suspension.resolve,
    suspended: suspension.promise,
  }
}
