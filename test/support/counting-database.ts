/** A database that counts how many rows each write takes away, for tests of work that is done in small writes. */
import type { Database, Statement } from '#store/database.ts'

/** @param left counts, as `n`, the rows that are left */
export const countingDatabase = (db: Database, left: Statement) => {
  const taken: number[] = []
  const count = async (): Promise<number> => Number((await db.one(left))?.n)
  const write: Database['write'] = async (...args) => {
    const before = await count()
    const written = await db.write(...args)
    taken.push(before - (await count()))
    return written
  }
  return {
    db: { ...db, write },
    /** The rows that each write took away, without the writes that took none. */
    counts: (): readonly number[] => taken.filter((rows) => rows !== 0),
  }
}
