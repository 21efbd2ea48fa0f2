/** Divides a transaction on a file into stretches, between which the event loop runs. */
import { sizeOfValues } from './batch.ts'
import type { Statement } from './database.ts'

/** A transaction up to this weight takes about 40 ms. It is not divided, because other processes wait for the lock meanwhile. */
const MOST_AT_ONCE = 1_024
/** Statements of one stretch, which take about 10 ms. */
const MOST_STATEMENTS = 256
/** Characters and bytes that take as long to write as one more statement. */
const VALUES_PER_STATEMENT = 4_096

const weightOf = (statements: readonly Statement[]): number =>
  statements.reduce((sum, { weight = 1 }) => sum + weight, 0) +
  sizeOfValues(statements) / VALUES_PER_STATEMENT

/** Returns the statements in their order. A stretch has at least one, however large it is. Null if they need not be divided. */
export const toStretches = (
  statements: readonly Statement[],
): readonly (readonly Statement[])[] | null => {
  if (weightOf(statements) <= MOST_AT_ONCE) return null
  const stretches: Statement[][] = []
  let weight = 0
  for (const statement of statements) {
    const own = weightOf([statement])
    weight += own
    const last = stretches.at(-1)
    if (last !== undefined && weight <= MOST_STATEMENTS) last.push(statement)
    else {
      stretches.push([statement])
      weight = own
    }
  }
  return stretches
}
