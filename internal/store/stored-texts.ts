/**
 * SQL texts that the server keeps for one WebSocket (`store_sql` of Hrana), so that a text of some kilobytes crosses the network
 * once. The server keeps at most 150 texts; the longest unused one goes first.
 */
import type { Sql, WsClient } from '@libsql/hrana-client'

const MOST_TEXTS = 100
/** Characters; shorter texts cost no more than their number. */
const SHORTEST = 64
/** Characters; the server refuses texts of 5 kB and more. */
const LONGEST = 5_000

export type StoredTexts = Readonly<{
  /** Returns what stands for each text in one request, which must be sent before the next call. */
  store: (texts: readonly string[]) => readonly (Sql | string)[]
}>

/** Creates the texts of one WebSocket. */
export const createStoredTexts = (client: Pick<WsClient, 'storeSql'>): StoredTexts => {
  // the order of a map is that of the last use
  const stored = new Map<string, Sql>()

  /** Frees the place of the longest unused text, unless the request itself uses it. */
  const hasRoom = (used: ReadonlySet<string>): boolean => {
    if (stored.size < MOST_TEXTS) return true
    const [oldest] = stored
    if (oldest === undefined || used.has(oldest[0])) return false
    oldest[1].close()
    return stored.delete(oldest[0])
  }

  return {
    store: (texts) => {
      const used = new Set<string>()
      return texts.map((text) => {
        if (text.length < SHORTEST || text.length >= LONGEST) return text
        const known = stored.get(text)
        if (known !== undefined) stored.delete(text)
        else if (!hasRoom(used)) return text
        const kept = known ?? client.storeSql(text)
        stored.set(text, kept)
        used.add(text)
        return kept
      })
    },
  }
}
