/** The parts of the simulation that do not depend on svc: events by time, jobs by tenant in turn, and a sample of waits. */

export type Event = Readonly<{ at: number; act: () => void }>

/** Events in the order of their times. Events of the same time keep the order of their arrival. */
export const createAgenda = () => {
  const heap: (Event & Readonly<{ turn: number }>)[] = []
  let turns = 0
  const isBefore = (one: number, other: number): boolean => {
    const [a, b] = [heap[one], heap[other]]
    if (a === undefined || b === undefined) return false
    return a.at < b.at || (a.at === b.at && a.turn < b.turn)
  }
  const swap = (one: number, other: number): void => {
    const [a, b] = [heap[one], heap[other]]
    if (a === undefined || b === undefined) return
    heap[one] = b
    heap[other] = a
  }
  const sink = (from: number): void => {
    for (let at = from; ; ) {
      const left = at * 2 + 1
      const child = isBefore(left + 1, left) ? left + 1 : left
      if (!isBefore(child, at)) return
      swap(child, at)
      at = child
    }
  }
  return {
    add: (at: number, act: () => void): void => {
      turns += 1
      heap.push({ at, act, turn: turns })
      for (let place = heap.length - 1; place > 0; ) {
        const parent = (place - 1) >> 1
        if (!isBefore(place, parent)) return
        swap(place, parent)
        place = parent
      }
    },
    take: (): Event | null => {
      const first = heap[0]
      const last = heap.pop()
      if (first === undefined || last === undefined) return null
      if (heap.length > 0) {
        heap[0] = last
        sink(0)
      }
      return first
    },
  }
}

export type Job = Readonly<{ tenant: number; queuedAt: number }>

/** Waiting jobs. Tenants take turns, one job each, as `store/jobs/claim.ts` serves them. */
export const createFairQueue = () => {
  const waiting = new Map<number, { jobs: Job[]; next: number }>()
  let size = 0
  return {
    get size() {
      return size
    },
    add: (job: Job): void => {
      const own = waiting.get(job.tenant) ?? { jobs: [], next: 0 }
      own.jobs.push(job)
      waiting.set(job.tenant, own)
      size += 1
    },
    take: (limit: number): readonly Job[] => {
      const taken: Job[] = []
      while (taken.length < limit && size > 0) {
        for (const [tenant, own] of waiting) {
          const job = own.jobs[own.next]
          if (job === undefined || taken.length === limit) break
          taken.push(job)
          size -= 1
          own.next += 1
          // a tenant that was served goes to the end
          waiting.delete(tenant)
          if (own.next < own.jobs.length) waiting.set(tenant, own)
        }
      }
      return taken
    },
  }
}

/** A sample of times, with its quantiles. */
export const createSample = () => {
  const values: number[] = []
  return {
    add: (value: number): void => {
      values.push(value)
    },
    get count() {
      return values.length
    },
    /** @param share 0 to 1 @returns 0 for an empty sample */
    quantile: (share: number): number => {
      const sorted = Float64Array.from(values).sort()
      return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    },
  }
}
