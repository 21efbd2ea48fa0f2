/**
 * Reads many rows in portions, with a turn for other work after each. In a file, a row costs microseconds or milliseconds: SQLite
 * reads the whole row, with its large values, to find or compare it. So a portion grows and shrinks with the time that the last
 * one took.
 */
import type { Database } from '#store/database.ts'
import { takeTurn } from './take-turn.ts'

/** A first portion may consist of rows with several megabytes each. */
const FIRST_ROWS = 2
/** Milliseconds. */
const SHORT_MS = 4
const LONG_MS = 10

export type PortionSize = Readonly<{
  /** The number of rows of the next statement. */
  rows: () => number
  /** Runs a statement of so many rows and measures it. */
  measure: <Result>(statement: () => Promise<Result>) => Promise<Result>
}>

/** @param most rows of a statement. A statement of a server has always so many, because it does not delay this process. */
const createPortionSize = ({ backend }: Pick<Database, 'backend'>, most: number): PortionSize => {
  let rows = backend === 'file' ? Math.min(FIRST_ROWS, most) : most
  return {
    rows: () => rows,
    measure: async (statement) => {
      const before = performance.now()
      const result = await statement()
      const ms = performance.now() - before
      if (backend === 'file' && ms < SHORT_MS) rows = Math.min(rows * 2, most)
      if (backend === 'file' && ms > LONG_MS) rows = Math.max(Math.floor(rows / 2), 1)
      return result
    },
  }
}

/** Returns all rows. @param list the next rows behind one, which is null for the first */
export const readInPortions = async <Row>(
  db: Pick<Database, 'backend'>,
  most: number,
  list: (after: Row | null, limit: number) => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  const size = createPortionSize(db, most)
  const all: Row[] = []
  for (;;) {
    const limit = size.rows()
    const portion = await size.measure(() => list(all.at(-1) ?? null, limit))
    for (const row of portion) all.push(row)
    if (portion.length < limit) return all
    await takeTurn()
  }
}
