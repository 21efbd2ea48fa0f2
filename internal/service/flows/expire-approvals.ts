/** Gives up approval steps whose time is over (`timeoutS`) [flows 9.7]. Times are the database's. */
import { isWaitOver, listExpiredWaits } from '#store/flow-runs.ts'
import { advanceRun } from './advance-run.ts'
import type { FlowDeps } from './load-run.ts'

const BATCH = 100

/** Reads first: while nothing is over it writes nothing. @returns the runs that it took further */
export const expireApprovals = async (deps: FlowDeps): Promise<readonly string[]> => {
  const expired: string[] = []
  for (const { ws, id, index } of await listExpiredWaits(deps.db, BATCH)) {
    const advanced = await advanceRun(deps, {
      ws,
      id,
      index,
      event: { kind: 'approval_timed_out' },
      condition: isWaitOver(ws, id),
    })
    if (advanced === 'advanced') expired.push(id)
  }
  return expired
}
