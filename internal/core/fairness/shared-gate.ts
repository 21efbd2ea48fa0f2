/**
 * Limits how many tasks of many owners run at a time. An owner has at most `perOwner`, and the last place is for owners who have
 * none. A free place goes to the waiting owner with fewest tasks running; owners with as many take turns.
 */
import { createTally } from './tally.ts'

export type Places = Readonly<{
  limit: number
  perOwner: number
}>

/** Whether an owner with `own` of the `total` tasks may begin another one. The last place is for owners who have none. */
export const mayTakePlace = (
  { limit, perOwner }: Places,
  { own, total }: Readonly<{ own: number; total: number }>,
): boolean => own < perOwner && total < (own === 0 ? limit : limit - 1)

export type SharedGate = <T>(owner: string, task: () => Promise<T>) => Promise<T>

export const createSharedGate = (limit: number, perOwner: number): SharedGate => {
  const running = createTally()
  let total = 0
  /** Waiting tasks by owner; an owner who was served goes to the end. */
  const waiting = new Map<string, (() => void)[]>()

  const mayStart = (owner: string): boolean =>
    mayTakePlace({ limit, perOwner }, { own: running.of(owner), total })
  const count = (owner: string, by: number): void => {
    running.add(owner, by)
    total += by
  }
  const findNext = (): string | null => {
    let next: string | null = null
    for (const owner of waiting.keys()) {
      if (!mayStart(owner)) continue
      if (next === null || running.of(owner) < running.of(next)) next = owner
    }
    return next
  }
  const startWaiting = (): void => {
    for (let owner = findNext(); owner !== null; owner = findNext()) {
      const tasks = waiting.get(owner) ?? []
      const resume = tasks.shift()
      waiting.delete(owner)
      if (tasks.length > 0) waiting.set(owner, tasks)
      count(owner, 1)
      resume?.()
    }
  }
  return async (owner, task) => {
    await new Promise<void>((resume) => {
      const tasks = waiting.get(owner)
      if (tasks === undefined) waiting.set(owner, [resume])
      else tasks.push(resume)
      startWaiting()
    })
    try {
      return await task()
    } finally {
      count(owner, -1)
      startWaiting()
    }
  }
}
