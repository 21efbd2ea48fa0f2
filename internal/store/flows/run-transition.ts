/** Builds every statement that changes `flow_runs.status`, from core's state table. */
import { isRunOver, type RunStatus } from '#core/flow/run.ts'
import { statusesBefore } from '#core/flow/transitions.ts'
import type { Statement } from '../database.ts'
import { join, raw, SQL_NOW, sql } from '../sql.ts'

/**
 * Moves the runs that `where` selects to a status, if the state table allows it from their current one. Each run gets its
 * next version. Callers check how many rows changed.
 */
export const runTransition = (
  to: RunStatus,
  { set, where }: Readonly<{ set: Statement; where: Statement }>,
): Statement => {
  const before = statusesBefore(to).map((status) => raw(`'${status}'`))
  // of an open run it is null already, and naming the column would rewrite the entry in the index of open runs
  const end = isRunOver(to) ? sql`completed_at = ${SQL_NOW},` : raw('')
  return sql`UPDATE flow_runs SET status = ${to}, version = version + 1, ${end} ${set}
    WHERE ${where} AND flow_runs.status IN (${join(before, ', ')})`
}
