import { type Activity, createActivity } from './activity.ts'

/** One run as the guest keeps it. */
export type GuestJob = {
  readonly run: number
  /** Characters of log that the host will still take. */
  logLeft: number
  /** Calls of `ctx.run`, `ctx.startFlow` and `ctx.sendEvent` so far. A later attempt counts the same calls alike. */
  starts: number
  readonly activity: Activity
  /** The answer has been sent; later output of this job is dropped. */
  ended: boolean
  /** Ends the job by an error that `main` did not throw: an unhandled rejection, a timer. The first one counts. */
  readonly fail: (error: unknown) => void
  readonly failed: Promise<never>
  /** Ends the run when its suspension was sent. */
  readonly suspend: () => void
  readonly suspended: Promise<void>
}

/** @param logLeft bytes that the job may still log */
export const createGuestJob = (run: number, logLeft: number): GuestJob => {
  const { promise, reject } = Promise.withResolvers<never>()
  // without a waiter this is not an unhandled rejection
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
