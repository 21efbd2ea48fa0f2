/** Waits until a flow run is over. */
import { isRunOver, type OverStatus } from '#core/flow/run.ts'
import { JsonText } from '#core/json/text.ts'
import { type FlowRunHead, findFlowRun, findRunHead } from '#store/flows/runs.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'
import type { WaitRequest } from '../queue/wait-for-job.ts'
import { lookAt, waitUntil } from '../wait-until.ts'
import { flowCipher, runPlace } from './cipher.ts'

export type EndedRun = Readonly<{
  status: OverStatus
  /** Null if the run is not completed. */
  result: JsonText | null
  /** Null if the run is completed. */
  error: JsonText | null
}>
type OverRun = FlowRunHead & Readonly<{ status: OverStatus }>

type WaitDeps = Pick<Deps, 'db' | 'hints' | 'keyring' | 'openWork'>

const isOver = (found: FlowRunHead | 'unknown'): found is OverRun =>
  found !== 'unknown' && isRunOver(found.status)

/** Returns the run when it is over; null if it is not over after `timeoutMs`, or the caller disconnected. */
export const waitForRun = async (
  deps: WaitDeps,
  { ws, id, timeoutMs, signal }: WaitRequest,
): Promise<EndedRun | null> => {
  const ended = await waitUntil({
    timeoutMs,
    signal,
    subscribe: (onHint) => deps.hints.flowChanged.subscribe(id, onHint),
    look: () => lookAt(() => findRunHead(deps.db, ws, id)),
    isUnchanged: () => lookAt(() => deps.openWork.isRunOpen({ ws, id })),
    isOver: (found) => found === null || isOver(found),
  })
  if (ended === null || !isOver(ended)) return null
  const run = await findFlowRun(deps.db, ws, id)
  const workspace = run === null ? null : await findWorkspace(deps.db, ws)
  if (run === null || workspace === null) return null
  const cipher = flowCipher(deps.keyring, { ws, wrappedKey: workspace.wrappedKey })
  const open = async (field: 'result' | 'error'): Promise<JsonText | null> => {
    const sealed = run[field]
    return sealed === null ? null : new JsonText(await cipher.readJson(runPlace(id, field), sealed))
  }
  return { status: ended.status, result: await open('result'), error: await open('error') }
}
