/** Cancels or replays many flow runs, each on its own, so that a refused one does not affect the others [flows 13.7]. */
import type { Principal } from '#core/access/principal.ts'
import { chunksOf } from '#core/chunks-of.ts'
import { AppError, conflict, notFound } from '#core/error.ts'
import { isRunOver } from '#core/flow/run.ts'
import type { OperationKind } from '#core/job/operation.ts'
import { findRunHead } from '#store/flows/runs.ts'
import { ANY_BODY, type RequestKey } from '../queue/idempotency.ts'
import { cancelRun } from './cancel-run.ts'
import type { FlowDeps } from './engine.ts'
import { restartRun } from './restart-run.ts'

export type RunsRequest = Readonly<{
  ws: string
  kind: OperationKind
  ids: readonly string[]
  caller: Principal
  holdsAppsWrite: boolean
  /** Each run is replayed once for the key, so a repeated call replays only what is left. */
  idempotency?: RequestKey
}>

type OneRun = Omit<RunsRequest, 'ids'> & Readonly<{ id: string }>

/** Runs that are handled at once. Their transitions share commits. */
const AT_ONCE = 10

/** @returns how many were canceled or replayed, and how many were refused */
export const actOnRuns = async (
  deps: FlowDeps,
  { ids, ...request }: RunsRequest,
): Promise<Readonly<{ done: number; failed: number }>> => {
  let done = 0
  for (const some of chunksOf(ids, AT_ONCE)) {
    const acted = await Promise.all(some.map((id) => actOnOne(deps, { ...request, id })))
    done += acted.filter(Boolean).length
  }
  return { done, failed: ids.length - done }
}

/** @returns false if it was refused */
const actOnOne = async (deps: FlowDeps, request: OneRun): Promise<boolean> => {
  try {
    await (request.kind === 'cancel' ? cancelOpen(deps, request) : replay(deps, request))
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

const cancelOpen = async (deps: FlowDeps, { ws, id, caller }: OneRun): Promise<void> => {
  const run = await findRunHead(deps.db, ws, id)
  if (run === null) throw notFound('Flow run')
  if (isRunOver(run.status)) throw conflict('The run is over.')
  await cancelRun(deps, { ws, id, caller, reason: null })
}

/** Begins with the first step, so only the input and the deployment of the former run are kept. */
const replay = async (
  deps: FlowDeps,
  { ws, id, caller, holdsAppsWrite, idempotency: key }: OneRun,
): Promise<void> => {
  const run = await findRunHead(deps.db, ws, id)
  if (run === null) throw notFound('Flow run')
  const { flows } = await deps.flows.pinned.find(run.deploymentId)
  const fromStep = flows.get(run.flow)?.steps[0]?.key
  if (fromStep === undefined) throw notFound('Flow')
  const idempotency =
    key === undefined ? {} : { idempotency: { ...key, route: `bulk/${id}`, bodyHash: ANY_BODY } }
  const from = { fromStep, latest: false }
  await restartRun(deps, { ws, id, ...from, caller, holdsAppsWrite, ...idempotency })
}
