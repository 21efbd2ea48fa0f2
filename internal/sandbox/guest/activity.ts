/**
 * Counts the parts of a job that can still go on: functions of its steps, its calls to svc, its
 * timers and requests. When none is left, a job that waits for durable steps is suspended.
 */
export interface Activity {
  readonly active: number
  /** Counts an activity that has begun. The returned function ends it; further calls of it do nothing. */
  begin(): () => void
  /** Like `begin`, for an activity that may bring more after its end, such as the body of a response. */
  beginRequest(): () => void
  /** Checks after a few turns of the event loop whether the job is idle. */
  check(): void
  /** Called each time the job becomes idle: nothing was active for several turns of the event loop. */
  onIdle: (() => void) | null
}

/** Turns of the event loop in which a promise that has just settled may start an activity. */
const QUIET_TURNS = 4
/** How long the body of a response may take to arrive, in milliseconds. */
const REQUEST_GRACE_MS = 50

// saved before user code can replace them
const { setImmediate, setTimeout } = globalThis

/** Creates the counter of one job. */
export const createActivity = (): Activity => {
  let active = 0
  let changes = 0
  let graceMs = 0

  const watch = (turnsLeft: number, seen: number): void => {
    if (changes !== seen || active > 0) return
    if (turnsLeft === 0) activity.onIdle?.()
    else setImmediate(() => watch(turnsLeft - 1, seen))
  }

  const check = (): void => {
    changes += 1
    if (active > 0 || activity.onIdle === null) return
    const seen = changes
    if (graceMs === 0) watch(QUIET_TURNS, seen)
    else setTimeout(() => watch(QUIET_TURNS, seen), graceMs)
  }

  const begin = (): (() => void) => {
    active += 1
    changes += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      active -= 1
      check()
    }
  }

  const activity: Activity = {
    get active() {
      return active
    },
    begin,
    beginRequest: () => {
      graceMs = REQUEST_GRACE_MS
      return begin()
    },
    check,
    onIdle: null,
  }
  return activity
}
