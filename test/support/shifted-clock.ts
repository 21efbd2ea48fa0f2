/** A database whose clock a test turns: what its statements call now, and what it answers, is shifted. */
import { resultsOf, statementsOf } from '#store/batch.ts'
import { type Database, SQL_NOW, type Statement } from '#store/database.ts'

export type ShiftedClock = Readonly<{
  db: Database
  /** Milliseconds forward, or back when negative. */
  jump: (byMs: number) => void
}>

export const shiftClock = (db: Database): ShiftedClock => {
  let offset = 0
  const shifted = (statement: Statement): Statement => ({
    ...statement,
    sql: statement.sql.replaceAll(SQL_NOW, `(${SQL_NOW} + ${offset})`),
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
