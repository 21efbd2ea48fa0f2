/** Limits how often something happens: at once when it is wanted, then at most once in a time, and never forgotten. */
export interface Throttle {
  want(): void
  /** What is still wanted does not happen any more. */
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
    // it does not keep a process alive
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
