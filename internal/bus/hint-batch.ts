/** Collects the hints of one turn of the event loop, without duplicates: a thousand ended jobs make one message. */
import { HINT_KINDS, type HintKind } from './protocol.ts'

export type Hints = ReadonlyMap<HintKind, ReadonlySet<string>>

export interface HintBatch {
  add(kind: HintKind, key: string): void
}

/** Keys of one kind; more are dropped, because waiters also poll. */
const MAX_KEYS = 5_000

/** Creates a batch. @param flush receives the hints of one turn */
export const createHintBatch = (flush: (hints: Hints) => void): HintBatch => {
  let waiting = new Map<HintKind, Set<string>>()
  return {
    add: (kind, key) => {
      if (waiting.size === 0) {
        setImmediate(() => {
          const hints = waiting
          waiting = new Map()
          flush(hints)
        })
      }
      const keys = waiting.get(kind) ?? new Set()
      if (keys.size < MAX_KEYS) keys.add(key)
      waiting.set(kind, keys)
    },
  }
}

/** Returns the hints that `keep` accepts, in wire form; null when none is left. */
export const pickHints = (
  hints: Hints,
  keep: (kind: HintKind, key: string) => boolean,
): Partial<Record<HintKind, string[]>> | null => {
  const picked: Partial<Record<HintKind, string[]>> = {}
  for (const kind of HINT_KINDS) {
    const keys = [...(hints.get(kind) ?? [])].filter((key) => keep(kind, key))
    if (keys.length > 0) picked[kind] = keys
  }
  return Object.keys(picked).length === 0 ? null : picked
}
