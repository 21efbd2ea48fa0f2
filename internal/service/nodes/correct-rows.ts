/** Corrects the rows that wait for a time, after a jump of the clock. */
import type { Database } from '#store/database.ts'
import { correctNextPart, findCorrection } from '#store/nodes/clock-corrections.ts'
import { takeTurn } from '../portions/take-turn.ts'

/** Parts of one call, which takes one or two seconds. The other duties of a scheduler wait meanwhile. */
const PARTS = 100

/** Corrects rows in small writes. @returns whether all are corrected; the next call continues with the others */
export const correctRows = async (db: Database): Promise<'all' | 'some'> => {
  for (let part = 0; part < PARTS; part += 1) {
    const place = await findCorrection(db)
    if (place === null) return 'all'
    await db.write(await correctNextPart(db, place), { retry: true })
    await takeTurn()
  }
  return 'some'
}
