/** Cancels a flow run with all that is under way for it; its failure module is not run [flows 13.1]. */
import { mayCancel } from '#core/access/policy.ts'
import type { Principal } from '#core/access/principal.ts'
import { forbidden, notFound } from '#core/error.ts'
import { findFlowRun } from '#store/flow-runs.ts'
import { TRUE } from '#store/sql.ts'
import { MAX_TRIES, pauseAfter, tooManyTries, tryTransition } from './advance-run.ts'
import { type FlowDeps, loadRun } from './load-run.ts'

export type CancelRunRequest = Readonly<{
  ws: string
  id: string
  caller: Principal
  reason: string | null
}>

/**
 * One that is over stays as it is.
 * @throws {AppError} not_found, forbidden: neither its creator nor an admin
 */
export const cancelRun = async (deps: FlowDeps, request: CancelRunRequest): Promise<void> => {
  const { ws, id, caller } = request
  const found = await findFlowRun(deps.db, ws, id)
  if (found === null) throw notFound('Flow run')
  if (!mayCancel(caller, found)) {
    throw forbidden('Only the creator of a flow run or an admin may cancel it.')
  }
  const reason = request.reason ?? `Canceled by ${caller.identity}.`
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const run = await loadRun(deps, { ws, id, bare: true })
    if (run === null) return
    const event = { kind: 'canceled', reason } as const
    if (await tryTransition(deps, run, { events: [event], condition: TRUE })) return
    await pauseAfter(attempt)
  }
  throw tooManyTries(id)
}
