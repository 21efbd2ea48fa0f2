/** Dismisses failed flow runs, which removes them from the list of failures, or restores them [flows 13.6]. */
import { mayDismiss } from '#core/access/policy.ts'
import { conflict, forbidden, notFound } from '#core/error.ts'
import { deleteRunDismissals, insertRunDismissals } from '#store/flows/run-dismissals.ts'
import { findRunHead } from '#store/flows/runs.ts'
import {
  type Dismissable,
  type DismissDeps,
  type DismissRequest,
  writeDismissal,
} from '../write-dismissal.ts'

const RUNS: Dismissable = {
  noun: 'flow_run',
  insert: insertRunDismissals,
  remove: deleteRunDismissals,
}

/** @returns how many runs it changed; runs that did not fail, or already were in that state, are skipped */
export const dismissRuns = (
  deps: DismissDeps,
  request: DismissRequest & Readonly<{ ids: readonly string[] }>,
): Promise<number> => {
  const { ids } = request
  return writeDismissal(deps, request, { ids, target: `${ids.length} flow runs`, of: RUNS })
}

/**
 * Dismisses or restores one run. Repeating it changes nothing. @throws {AppError} not_found; forbidden; conflict `not_failed`
 */
export const dismissRun = async (
  deps: DismissDeps,
  request: DismissRequest & Readonly<{ id: string }>,
): Promise<void> => {
  const { ws, id, caller } = request
  const run = await findRunHead(deps.db, ws, id)
  if (run === null) throw notFound('Flow run')
  if (!mayDismiss(caller, run)) {
    throw forbidden('Only the creator of a flow run or an admin may dismiss it.')
  }
  if (run.status !== 'failed') {
    throw conflict(`The flow run is ${run.status}; only a failed one can be dismissed.`, {
      code: 'not_failed',
    })
  }
  await writeDismissal(deps, request, { ids: [id], target: id, of: RUNS })
}
