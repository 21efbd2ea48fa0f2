/** A source of chance that a number determines: the same seed draws the same document on every machine. */
export type Random = {
  /** At least 0, less than 1. */
  readonly next: () => number
  /** Both ends included. */
  readonly integer: (from: number, to: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <Item>(items: readonly Item[]) => Item
  /** Different items, in the order of chance. */
  readonly sample: <Item>(items: readonly Item[], count: number) => Item[]
}

/** mulberry32: 32 bits of state, enough to tell documents apart and small enough to read. */
const mulberry32 = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export const createRandom = (seed: number): Random => {
  const next = mulberry32(Math.imul(seed + 1, 0x9e3779b1))
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[integer(0, items.length - 1)]
    if (item === undefined) throw new Error('there is nothing to pick from')
    return item
  }
  const sample = <Item>(items: readonly Item[], count: number): Item[] => {
    const left = [...items]
    const taken: Item[] = []
    while (taken.length < count && left.length > 0) {
      taken.push(...left.splice(integer(0, left.length - 1), 1))
    }
    return taken
  }
  return { next, integer, chance: (probability) => next() < probability, pick, sample }
}
