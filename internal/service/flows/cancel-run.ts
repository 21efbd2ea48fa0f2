/** Cancels a flow run with everything under way for it, and begins to undo what it did [flows 13.1, 15.1]. */
import { mayCancel } from '#core/access/policy.ts'
import type { Principal } from '#core/access/principal.ts'
import { forbidden, notFound } from '#core/error.ts'
import { ignoresCancel } from '#core/flow/end-run.ts'
import { unwindsOnCancel } from '#core/flow/undo.ts'
import { unlessNewer } from '#core/newer-svc.ts'
import { listMarkedRuns, type MarkedRun } from '#store/flows/cancels.ts'
import { findRunHead } from '#store/flows/runs.ts'
import { TRUE } from '#store/sql.ts'
import { createDueTurns, type DueTurns } from '../due-turns.ts'
import type { FlowDeps } from './engine.ts'
import { loadRun } from './load-run.ts'
import type { PlannedRun } from './planned-run.ts'
import { isPlanningFault } from './planning-fault.ts'
import { tryTransition } from './try-transition.ts'
import { untilWritten } from './until-written.ts'

export type CancelRunRequest = Readonly<{
  ws: string
  id: string
  caller: Principal
  reason: string | null
}>

/**
 * Cancels a run. A run that is over stays as it is.
 * @throws {AppError} not_found, forbidden: the caller is neither its creator nor an admin
 */
export const cancelRun = async (deps: FlowDeps, request: CancelRunRequest): Promise<void> => {
  const { ws, id, caller } = request
  const found = await findRunHead(deps.db, ws, id)
  if (found === null) throw notFound('Flow run')
  if (!mayCancel(caller, found)) {
    throw forbidden('Only the creator of a flow run or an admin may cancel it.')
  }
  const reason = request.reason ?? `Canceled by ${caller.identity}.`
  await cancelRunAs(deps, { ws, id, reason })
}

/** Cancels a run without a check of permissions. */
export const cancelRunAs = (
  deps: FlowDeps,
  { reason, ...run }: Readonly<Record<'ws' | 'id' | 'reason', string>>,
): Promise<void> => cancelLoaded(deps, run, () => reason)

/** Subflows that are canceled at once. Their ends meet at the same parent run. */
const AT_ONCE = 20

/**
 * Cancels the subflows that their parent runs have marked, each by its own transition, so that each undoes what it did
 * [flows 15.8]. Reads first, and writes nothing if none is marked.
 */
export const cancelMarkedRuns = async (
  deps: FlowDeps,
  turns: DueTurns = createDueTurns(),
): Promise<void> => {
  for (let isMore = true; isMore; ) {
    isMore = false
    const failed: unknown[] = []
    // a run of a newer svc stays marked, and one that fails is retried later; neither delays the others
    const cancelAll = async (marked: readonly MarkedRun[]): Promise<readonly boolean[]> => {
      const taken = await Promise.allSettled(
        marked.map((run) => unlessNewer(() => cancelMarked(deps, run), false)),
      )
      failed.push(...taken.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])))
      const areTaken = taken.map((each) => each.status === 'fulfilled' && each.value)
      isMore ||= areTaken.includes(true)
      return areTaken
    }
    await turns.take(AT_ONCE, (page) => listMarkedRuns(deps.db, page), cancelAll)
    if (!isMore && failed.length > 0) throw failed[0]
  }
}

/** @returns true: the mark is gone, removed by this process or another one */
const cancelMarked = async (deps: FlowDeps, marked: MarkedRun): Promise<boolean> => {
  await cancelLoaded(deps, marked, ({ cancelReason }) => cancelReason)
  return true
}

/** @param reasonOf returns why the run is canceled; null if it is not */
const cancelLoaded = async (
  deps: FlowDeps,
  { ws, id }: Pick<MarkedRun, 'ws' | 'id'>,
  reasonOf: (run: PlannedRun) => string | null,
): Promise<void> => {
  const cancel = async (): Promise<boolean> => {
    const run = await loadForCancel(deps, { ws, id })
    const reason = run === null ? null : reasonOf(run)
    if (run === null || reason === null) return true
    const event = { kind: 'canceled', reason } as const
    return await tryTransition(deps, run, { events: [event], condition: TRUE })
  }
  // the cancel of a large loop takes longer than the ends of its items, and would lose against them each time
  await deps.flows.queue.alone({ ws, id }, () => untilWritten(id, cancel))
}

/**
 * Loads the run with the data that undo actions need. A run whose data cannot be read ends without undo actions.
 * @returns null if nothing is left to cancel; a mark is still to be removed
 */
const loadForCancel = async (
  deps: FlowDeps,
  { ws, id }: Readonly<{ ws: string; id: string }>,
): Promise<PlannedRun | null> => {
  const bare = await loadRun(deps, { ws, id, bare: true })
  if (bare === null) return null
  if (bare.cancelReason === null && ignoresCancel(bare.state)) return null
  if (!unwindsOnCancel(bare.state.definition)) return bare
  try {
    return await loadRun(deps, { ws, id })
  } catch (thrown) {
    if (!isPlanningFault(thrown)) throw thrown
    return bare
  }
}
