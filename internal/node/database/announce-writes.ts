/**
 * Announces writes of this process to the schedulers, which rest while nothing is due: a write may create work that is due
 * before their next poll. It wraps the database, so that no use case can forget to announce.
 */
import { createThrottle } from '#bus/throttle.ts'
import type { Database } from '#store/database.ts'

/** Milliseconds. A scheduler polls at most once in this time. */
const ANNOUNCE_EVERY_MS = 1_000

/** Wraps a database; use the result in place of it. @param announce called at once after a write, then at most once a second */
export const announceWrites = (db: Database, announce: () => void): Database => {
  const throttle = createThrottle(ANNOUNCE_EVERY_MS, announce)
  return {
    ...db,
    write: async (batch, options) => {
      try {
        return await db.write(batch, options)
      } finally {
        // also after a failure, because the write may have taken effect
        throttle.want()
      }
    },
    close: () => {
      throttle.stop()
      return db.close()
    },
  }
}
