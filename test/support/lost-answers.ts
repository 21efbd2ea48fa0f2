/** Loses the answers of a database to writes, as a connection does that breaks after the commit. */
import { type Database, DatabaseError } from '#store/database.ts'

/**
 * Returns the same database, which commits each write and loses its answer. The write is sent again if it may be, as the remote
 * backend does, and has an unknown outcome otherwise.
 * @param isLosing whether it loses the next answer. @default always
 */
export const losingAnswers = (db: Database, isLosing = (): boolean => true): Database => ({
  ...db,
  write: async (batch, options) => {
    const answer = await db.write(batch, options)
    if (!isLosing()) return answer
    if (options?.retry === true) return db.write(batch, options)
    throw new DatabaseError('The connection broke.', { kind: 'unavailable', outcome: 'unknown' })
  },
})
