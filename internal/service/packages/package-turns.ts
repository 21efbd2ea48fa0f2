/** Limits how many deployments fetch packages at once: one per workspace, and four in total. */

const MAX_AT_ONCE = 4

export interface Turns {
  /** Runs `act` when it is this owner's turn. */
  take<T>(owner: string, act: () => Promise<T>): Promise<T>
}

export const createTurns = (): Turns => {
  const last = new Map<string, Promise<unknown>>()
  const waiting: (() => void)[] = []
  let free = MAX_AT_ONCE
  const enter = async (): Promise<void> => {
    if (free > 0) {
      free -= 1
      return
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  const run = async <T>(act: () => Promise<T>): Promise<T> => {
    await enter()
    try {
      return await act()
    } finally {
      leave()
    }
  }
  return {
    take: (owner, act) => {
      const before = last.get(owner) ?? Promise.resolve()
      const turn = before.then(() => run(act))
      const settled = turn.then(
        () => undefined,
        () => undefined,
      )
      last.set(owner, settled)
      void settled.then(() => {
        if (last.get(owner) === settled) last.delete(owner)
      })
      return turn
    },
  }
}
