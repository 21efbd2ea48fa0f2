/** Limits how many tasks run at a time; other tasks wait in order of arrival. */
export type Gate = <T>(task: () => Promise<T>) => Promise<T>

/** Creates a gate. @param limit tasks that run at a time */
export const createGate = (limit: number): Gate => {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running >= limit) await new Promise<void>((resume) => waiting.push(resume))
    else running += 1
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      // a waiting task takes over the place, so the count does not change
      if (next === undefined) running -= 1
      else next()
    }
  }
}
