/** Counts by key; keys with a count of zero are dropped. */
export interface Tally {
  keys(): Iterable<string>
  of(key: string): number
  add(key: string, by: number): void
}

/** Creates an empty tally. */
export const createTally = (): Tally => {
  const counts = new Map<string, number>()
  const countOf = (key: string): number => counts.get(key) ?? 0
  return {
    keys: () => counts.keys(),
    of: countOf,
    add: (key, by) => {
      const count = countOf(key) + by
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    },
  }
}
