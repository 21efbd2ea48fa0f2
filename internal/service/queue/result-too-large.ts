/** Fails a job whose result is larger than the database accepts, because no further attempt would change that. */
import type { JobError } from '#core/job/job-error.ts'
import type { Database } from '#store/database.ts'
import { requireRoom, ValueTooLarge } from '#store/value-size.ts'

export const resultTooLarge = ({ message }: ValueTooLarge): JobError => ({
  name: 'ResultTooLarge',
  message: `The result is too large. ${message}`,
})

/** Returns the error of a result that cannot be stored as it is; null if it can. */
export const faultOfResult = (db: Pick<Database, 'backend'>, json: string): JobError | null => {
  try {
    requireRoom(db, Buffer.byteLength(json))
    return null
  } catch (thrown) {
    if (thrown instanceof ValueTooLarge) return resultTooLarge(thrown)
    throw thrown
  }
}
