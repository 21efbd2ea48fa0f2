/** Limits how often a function runs: at once on the first request, then at most once per interval. No request is lost. */
export interface Throttle {
  want(): void
  /** Drops a pending request. */
  stop(): void
}

/** Creates a throttle. @param everyMs milliseconds between two calls of `act` */
export const createThrottle = (everyMs: number, act: () => void): Throttle => {
  let timer: NodeJS.Timeout | undefined
  let isWanted = false
  const begin = (): void => {
    act()
    timer = setTimeout(() => {
      timer = undefined
      if (!isWanted) return
      isWanted = false
      begin()
    }, everyMs)
    // the timer does not keep the process alive
    timer.unref()
  }
  return {
    want: () => {
      if (timer === undefined) begin()
      else isWanted = true
    },
    stop: () => clearTimeout(timer),
  }
}
