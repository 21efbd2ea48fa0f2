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

/** Waits for a place in a gate, and keeps it. @returns the function that gives it back */
export const holdPlace = (gate: Gate): Promise<() => void> =>
  new Promise((resolve) => {
    void gate(() => new Promise<void>((leave) => resolve(leave)))
  })

/** Creates gates, one for each key. @param limit tasks that run at a time for each key */
export const createGates = (limit: number): ((key: string) => Gate) => {
  const gates = new Map<string, Readonly<{ gate: Gate; users: number }>>()
  return (key) => async (task) => {
    const held = gates.get(key) ?? { gate: createGate(limit), users: 0 }
    gates.set(key, { ...held, users: held.users + 1 })
    try {
      return await held.gate(task)
    } finally {
      const users = (gates.get(key)?.users ?? 1) - 1
      if (users === 0) gates.delete(key)
      else gates.set(key, { ...held, users })
    }
  }
}
