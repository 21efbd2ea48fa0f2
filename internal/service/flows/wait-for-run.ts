/** Waits until a flow run is over. */
import { isRunOver, type RunStatus } from '#core/flow/run.ts'
import { JsonText } from '#core/json/text.ts'
import { DatabaseError } from '#store/database.ts'
import { type FlowRun, findFlowRun } from '#store/flows/runs.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'
import type { WaitRequest } from '../queue/wait-for-job.ts'
import { waitUntil } from '../wait-until.ts'
import { flowCipher, runPlace } from './cipher.ts'

export type EndedRun = Readonly<{ status: RunStatus; result: JsonText | null }>

type WaitDeps = Pick<Deps, 'db' | 'hints' | 'keyring'>

/** Reads a run. A database error counts as unknown, because the run was started and the caller must get its id. */
const look = async (
  { db }: WaitDeps,
  { ws, id }: WaitRequest,
): Promise<FlowRun | 'unknown' | null> => {
  try {
    return await findFlowRun(db, ws, id)
  } catch (error) {
    if (error instanceof DatabaseError) return 'unknown'
    throw error
  }
}

/** Returns the run when it is over; null if it is not over after `timeoutMs`, or the caller disconnected. */
export const waitForRun = async (
  deps: WaitDeps,
  request: WaitRequest,
): Promise<EndedRun | null> => {
  const { ws, id, timeoutMs, signal } = request
  const run = await waitUntil({
    timeoutMs,
    signal,
    subscribe: (onHint) => deps.hints.flowChanged.subscribe(id, onHint),
    look: () => look(deps, request),
    isOver: (found) => found === null || (found !== 'unknown' && isRunOver(found.status)),
  })
  if (run === null || run === 'unknown') return null
  const workspace = await findWorkspace(deps.db, ws)
  if (workspace === null || run.result === null) return { status: run.status, result: null }
  const cipher = flowCipher(deps.keyring, { ws, wrappedKey: workspace.wrappedKey })
  const json = cipher.openJson(runPlace(id, 'result'), run.result)
  return { status: run.status, result: new JsonText(json) }
}
