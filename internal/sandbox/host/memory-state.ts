/** App state in the memory of this process, for local runs. */
import { checkStateJson, MAX_STATE_KEYS, STATE_KEYS_PER_PAGE, stateFull } from '#core/app-state.ts'
import type { StateAccess, StateEntry } from '../state-access.ts'

const byBytes = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right))

/** Creates state that lasts as long as this process, for runs without a server. */
export const createMemoryState = (): StateAccess => {
  const entries = new Map<string, StateEntry>()
  let writes = 0

  const write = (key: string, json: string): void => {
    checkStateJson(json)
    if (!entries.has(key) && entries.size >= MAX_STATE_KEYS) throw stateFull()
    writes += 1
    entries.set(key, { json, version: String(writes) })
  }

  return {
    get: async (key) => entries.get(key) ?? null,
    set: async (key, json) => write(key, json),
    compareAndSet: async (key, json, version) => {
      if ((entries.get(key)?.version ?? null) !== version) return false
      write(key, json)
      return true
    },
    delete: async (key) => void entries.delete(key),
    list: async (prefix, after) => {
      const found = [...entries.keys()].filter((key) => key.startsWith(prefix)).sort(byBytes)
      const rest = after === null ? found : found.filter((key) => byBytes(key, after) > 0)
      const keys = rest.slice(0, STATE_KEYS_PER_PAGE)
      return { keys, hasMore: keys.length < rest.length }
    },
  }
}
