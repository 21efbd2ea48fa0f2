/**
 * Counts the jobs of a local run that go on by themselves. A wait for an event fails only when no such job is left, because
 * each of them may send the event.
 */
export type LocalActivity = Readonly<{
  /** Counts a job that runs, or sleeps. @returns a function that ends it */
  begin: () => () => void
  /** Resolves when nothing is active. */
  untilIdle: () => Promise<null>
}>

export const createLocalActivity = (): LocalActivity => {
  let active = 0
  const waiting = new Set<() => void>()

  /** A job that was woken becomes active within this turn of the event loop. */
  const check = (): void => {
    if (active > 0 || waiting.size === 0) return
    setImmediate(() => {
      if (active > 0) return
      for (const resolve of waiting) resolve()
      waiting.clear()
    })
  }

  return {
    begin: () => {
      active += 1
      return () => {
        active -= 1
        check()
      }
    },
    untilIdle: () =>
      new Promise((resolve) => {
        waiting.add(() => resolve(null))
        check()
      }),
  }
}
