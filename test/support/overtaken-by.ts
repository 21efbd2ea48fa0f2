/** Lets another request come between the reads of a use case and its write. */
import type { Database } from '#store/database.ts'

/** Returns the same deps, whose first writes run after `act`. @param times how many of them */
export const overtakenBy = <Deps extends Readonly<{ db: Database }>>(
  deps: Deps,
  act: () => Promise<unknown>,
  times = 1,
): Deps => {
  const { db } = deps
  let left = times
  const write: Database['write'] = async (batch, options) => {
    if (left > 0) {
      left -= 1
      await act()
    }
    return db.write(batch, options)
  }
  return { ...deps, db: { ...db, write } }
}
