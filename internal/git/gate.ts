/** Lets a few tasks run at a time; the others wait in order. */
export type Gate = <T>(task: () => Promise<T>) => Promise<T>

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
      // a task that waited takes the place over
      if (next === undefined) running -= 1
      else next()
    }
  }
}
