/** Lets another request come between the reads of a use case and its write. */
import type { Database } from '#store/database.ts'

/** Returns the same deps, whose first write runs after `act`. */
export const overtakenBy = <Deps extends Readonly<{ db: Database }>>(
  deps: Deps,
  act: () => Promise<unknown>,
): Deps => {
  const { db } = deps
  let isFirst = true
  const write: Database['write'] = async (batch, options) => {
    if (isFirst) {
      isFirst = false
      await act()
    }
    return db.write(batch, options)
  }
  return { ...deps, db: { ...db, write } }
}
