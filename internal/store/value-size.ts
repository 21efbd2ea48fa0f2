/** The largest value that a database takes in one column. */
import type { Database } from './database.ts'

/** Bytes. SQLite's own limit for a file; sqld has its own for each text or blob that a request brings. */
const MAX_VALUE_BYTES: Readonly<Record<Database['backend'], number>> = {
  file: 1_000_000_000,
  remote: 5_000_000,
}

/** A value cannot be stored, at no try. */
export class ValueTooLarge extends Error {
  override readonly name = 'ValueTooLarge'
}

/** @param bytes of the value as it is stored @throws {ValueTooLarge} */
export const requireRoom = ({ backend }: Pick<Database, 'backend'>, bytes: number): void => {
  const most = MAX_VALUE_BYTES[backend]
  if (bytes <= most) return
  const [is, may] = [bytes, most].map((size) => (size / 1e6).toFixed(1))
  throw new ValueTooLarge(
    `It takes ${is} MB where it is stored, and the database takes at most ${may} MB as one value. Store it elsewhere and pass on where it is.`,
  )
}
