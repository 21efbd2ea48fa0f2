/** A database whose clock a test moves. The current time in its statements and in its results is shifted. */
import { resultsOf, statementsOf } from '#store/batch.ts'
import type { Database, Statement } from '#store/database.ts'
import { SQL_NOW } from '#store/sql.ts'

export type ShiftedClock = Readonly<{
  db: Database
  /** Moves the clock forward by milliseconds, or back if negative. */
  jump: (byMs: number) => void
}>

export const shiftClock = (db: Database): ShiftedClock => {
  let offset = 0
  const shifted = (statement: Statement): Statement => ({
    ...statement,
    sql: statement.sql.replaceAll(SQL_NOW.sql, `(${SQL_NOW.sql} + ${offset})`),
  })
  return {
    db: {
      ...db,
      one: (statement) => db.one(shifted(statement)),
      all: (statement) => db.all(shifted(statement)),
      write: async (batch, options) =>
        resultsOf(batch, await db.write(statementsOf(batch).map(shifted), options)),
      now: async () => (await db.now()) + offset,
    },
    jump: (byMs) => {
      offset += byMs
    },
  }
}
