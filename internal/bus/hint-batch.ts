/** Collects the hints of one turn of the event loop and counts equal ones, so that a thousand ended jobs make one message. */
import { HINT_KINDS, type HintKind } from './protocol.ts'

/** By kind: each key with the number of times it was added. */
export type Hints = ReadonlyMap<HintKind, ReadonlyMap<string, number>>

export interface HintBatch {
  add(kind: HintKind, key: string): void
}

/** Limit of keys of one kind. More are dropped, because waiters also poll. */
const MAX_KEYS = 5_000

/** Creates a batch. @param flush receives the hints of one turn */
export const createHintBatch = (flush: (hints: Hints) => void): HintBatch => {
  let waiting = new Map<HintKind, Map<string, number>>()
  return {
    add: (kind, key) => {
      if (waiting.size === 0) {
        setImmediate(() => {
          const hints = waiting
          waiting = new Map()
          flush(hints)
        })
      }
      const keys = waiting.get(kind) ?? new Map<string, number>()
      const count = keys.get(key)
      if (count !== undefined || keys.size < MAX_KEYS) keys.set(key, (count ?? 0) + 1)
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
    const keys = [...(hints.get(kind)?.keys() ?? [])].filter((key) => keep(kind, key))
    if (keys.length > 0) picked[kind] = keys
  }
  return Object.keys(picked).length === 0 ? null : picked
}
