/**
 * A bounded queue that is fair to callers: it serves one entry of each caller in turn, however many entries a caller has.
 * When it is full, a caller with few entries takes the place of the newest entry of the caller with the most.
 */
export type FairQueueLimits = Readonly<{
  /** Entries of one caller. */
  perCaller: number
  /** Entries in all. */
  total: number
}>

export type Offer<T> =
  | Readonly<{ isAccepted: false }>
  /** `displaced`: the entry that lost its place; null if none did. */
  | Readonly<{ isAccepted: true; displaced: T | null }>

export interface FairQueue<T> {
  offer(caller: string, entry: T): Offer<T>
  /** Takes the next entry in turn; null if the queue is empty. */
  take(): T | null
  /** Removes an entry that is no longer wanted. */
  remove(caller: string, entry: T): void
  readonly size: number
}

export const createFairQueue = <T>({ perCaller, total }: FairQueueLimits): FairQueue<T> => {
  /** Entries by caller, in the order of turns: a caller that was served goes to the end. */
  const callers = new Map<string, T[]>()
  let size = 0

  const longest = (): readonly [caller: string, entries: T[]] | null => {
    let found: readonly [string, T[]] | null = null
    for (const each of callers) if (each[1].length > (found?.[1].length ?? 0)) found = each
    return found
  }
  /** @returns the entry that made room; null if every caller has as few entries as the newcomer would have */
  const displace = (ownCount: number): T | null => {
    const [caller, entries] = longest() ?? ['', []]
    if (entries.length <= ownCount + 1) return null
    const entry = entries.pop() ?? null
    if (entries.length === 0) callers.delete(caller)
    size -= 1
    return entry
  }

  return {
    offer: (caller, entry) => {
      const own = callers.get(caller) ?? []
      if (own.length >= perCaller) return { isAccepted: false }
      const displaced = size < total ? null : displace(own.length)
      if (size >= total) return { isAccepted: false }
      own.push(entry)
      callers.set(caller, own)
      size += 1
      return { isAccepted: true, displaced }
    },
    take: () => {
      for (const [caller, entries] of callers) {
        const entry = entries.shift()
        callers.delete(caller)
        if (entry === undefined) continue
        if (entries.length > 0) callers.set(caller, entries)
        size -= 1
        return entry
      }
      return null
    },
    remove: (caller, entry) => {
      const entries = callers.get(caller)
      const at = entries?.indexOf(entry) ?? -1
      if (entries === undefined || at < 0) return
      entries.splice(at, 1)
      if (entries.length === 0) callers.delete(caller)
      size -= 1
    },
    get size() {
      return size
    },
  }
}
