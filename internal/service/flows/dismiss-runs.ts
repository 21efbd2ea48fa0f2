/** Dismisses failed flow runs, which takes them out of the list of failures, or restores them [flows 13.6]. */
import { mayDismiss, operationCreator } from '#core/access/policy.ts'
import type { Principal } from '#core/access/principal.ts'
import type { Actor } from '#core/actor.ts'
import { conflict, forbidden, notFound } from '#core/error.ts'
import { deleteRunDismissals, insertRunDismissals } from '#store/flow-run-dismissals.ts'
import { findFlowRun } from '#store/flow-runs.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'

type DismissDeps = Pick<Deps, 'db' | 'newId'>

type Dismiss = Readonly<{
  ws: string
  caller: Principal
  actor: Actor
  /** False restores them. */
  isDismissed: boolean
}>

const dismiss = async (
  deps: DismissDeps,
  { ws, caller, actor, isDismissed }: Dismiss,
  { ids, target }: Readonly<{ ids: readonly string[]; target: string }>,
): Promise<number> => {
  const dismissal = { ws, ids, createdBy: operationCreator(caller) }
  const change = isDismissed
    ? insertRunDismissals(dismissal, caller.identity)
    : deleteRunDismissals(dismissal)
  const action = isDismissed ? 'flow_run.dismissed' : 'flow_run.undismissed'
  const { changed } = await deps.db.write({
    changed: change,
    audit: audited(deps, { ws, actor }, action, target),
  })
  return changed.changes
}

/** @returns how many it changed: runs that did not fail, or were so before, are passed over */
export const dismissRuns = (
  deps: DismissDeps,
  request: Dismiss & Readonly<{ ids: readonly string[] }>,
): Promise<number> => {
  const { ids } = request
  return dismiss(deps, request, { ids, target: `${ids.length} flow runs` })
}

/** Once or repeatedly is the same. @throws {AppError} not_found; forbidden; conflict `not_failed` */
export const dismissRun = async (
  deps: DismissDeps,
  request: Dismiss & Readonly<{ id: string }>,
): Promise<void> => {
  const { ws, id, caller } = request
  const run = await findFlowRun(deps.db, ws, id)
  if (run === null) throw notFound('Flow run')
  if (!mayDismiss(caller, run)) {
    throw forbidden('Only the creator of a flow run or an admin may dismiss it.')
  }
  if (run.status !== 'failed') {
    throw conflict(`The flow run is ${run.status}; only a failed one can be dismissed.`, {
      code: 'not_failed',
    })
  }
  await dismiss(deps, request, { ids: [id], target: id })
}
