/** The largest value that a database accepts in one column. */
import type { Database } from './database.ts'

/** Bytes. For a file it is SQLite's limit; sqld limits each text or blob in a request. */
const MAX_VALUE_BYTES: Readonly<Record<Database['backend'], number>> = {
  file: 1_000_000_000,
  remote: 5_000_000,
}

/** The value is too large to be stored. Trying again does not help. */
export class ValueTooLarge extends Error {
  override readonly name = 'ValueTooLarge'
}

/** Returns the bytes of the largest value that a database takes in one column. */
export const maxValueBytes = ({ backend }: Pick<Database, 'backend'>): number =>
  MAX_VALUE_BYTES[backend]

/** @param bytes size of the value as stored @throws {ValueTooLarge} */
export const requireRoom = ({ backend }: Pick<Database, 'backend'>, bytes: number): void => {
  const most = maxValueBytes({ backend })
  if (bytes <= most) return
  const [is, may] = [bytes, most].map((size) => (size / 1e6).toFixed(1))
  throw new ValueTooLarge(
    `It takes ${is} MB where it is stored, and the database takes at most ${may} MB as one value. Store it elsewhere and pass on where it is.`,
  )
}
