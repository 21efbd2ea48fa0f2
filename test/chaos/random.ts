/** A pseudo-random generator with a seed (mulberry32). */
export interface Chance {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  between(low: number, high: number): number
  pick<T>(values: readonly T[]): T
}

export const createChance = (seed: number): Chance => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    pick: (values) => {
      const chosen = values[below(values.length)]
      if (chosen === undefined) throw new Error('There is nothing to choose from.')
      return chosen
    },
  }
}
