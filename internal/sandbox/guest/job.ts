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
  let fail: GuestJob['fail'] = () => undefined
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  let suspend: GuestJob['suspend'] = () => undefined
  const suspended = new Promise<void>((resolve) => {
    suspend = resolve
  })
  // prevents an unhandled rejection while nothing waits for the promise
  failed.catch(() => undefined)
  return {
    run,
    logLeft,
    starts: 0,
    activity: createActivity(),
    ended: false,
    fail,
    failed,
    suspend,
    suspended,
  }
}
