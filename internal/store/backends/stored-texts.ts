/**
 * SQL texts that the server stores for one WebSocket (`store_sql` of Hrana), so that a text of several kilobytes is sent only
 * once. The server stores at most 150 texts; the least recently used one is dropped first.
 */
import type { Sql, WsClient } from '@libsql/hrana-client'

const MOST_TEXTS = 100
/** Characters. Sending a shorter text costs no more than sending its number. */
const SHORTEST = 64
/** Characters. The server refuses texts of 5 kB and more. */
const LONGEST = 5_000

export type StoredTexts = Readonly<{
  /** Returns the form in which to send each text in one request. The request must be sent before the next call. */
  store: (texts: readonly string[]) => readonly (Sql | string)[]
}>

/** Creates the texts of one WebSocket. */
export const createStoredTexts = (client: Pick<WsClient, 'storeSql'>): StoredTexts => {
  // a map keeps the order of insertion, which is the order of last use here
  const stored = new Map<string, Sql>()

  /** Drops the least recently used text to make room, unless the request itself uses it. */
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
