/**
 * What of a job can go on by itself: functions of its steps, its calls to svc, its timers and requests. When nothing is left,
 * a job that waits for durable steps is suspended.
 */
export interface Activity {
  readonly active: number
  /** Something began; the answer ends it, once. */
  begin(): () => void
  /** As `begin`, for what may bring more after its end, such as the body of a response. */
  beginRequest(): () => void
  /** Looks soon whether anything goes on. */
  check(): void
  /** Called when nothing has gone on for some turns of the event loop, each time that it comes to that. */
  onIdle: (() => void) | null
}

/** Turns of the event loop in which a promise that has just been settled may begin something. */
const QUIET_TURNS = 4
/** How long the body of a response may take to come, in milliseconds. */
const REQUEST_GRACE_MS = 50

// taken before user code can replace them
const { setImmediate, setTimeout } = globalThis

/** Counts what goes on in one job. */
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
