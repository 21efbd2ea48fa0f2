/**
 * Carries out operations on many jobs, a few jobs at a time [jobs 17.5]. Each job to handle is a row, which is deleted in the
 * batch that handles the job. So each job is handled once, whatever crashes, and several nodes may work at once.
 */
import { AppError } from '#core/error.ts'
import { endOf } from '#core/job/operation.ts'
import { findJobResult, findReplaySource, type ReplaySource } from '#store/jobs/read.ts'
import {
  endOperation,
  findOperation,
  listOperationJobs,
  listRunningOperations,
  type Operation,
  type OperationJob,
  settleOperationJob,
  waitsInOperation,
} from '#store/operations.ts'
import { sql, TRUE } from '#store/sql.ts'
import type { FlowDeps } from '../flows/load-run.ts'
import { createTurnFailures } from '../turn-failures.ts'
import { cancelAs } from './cancel-job.ts'
import { enqueueJob } from './enqueue-job.ts'
import { type ReplayDeps, replayOf } from './replay-job.ts'

export type OperationDeps = ReplayDeps & FlowDeps

/** Operations that are carried out at the same time, so that a small one need not wait for a large one of the same workspace. */
const OPERATIONS = 10
/** Jobs of one operation per turn: a commit of a few milliseconds. */
const JOBS = 25

/**
 * Makes one turn of running operations, of which workspaces take turns. Those that wait for room or fail do not delay others.
 * @throws {Error} the first failure, if no operation continued
 * @returns `idle` if there is none; `more` to continue at once; `waits` if there is no room for any of the replays
 */
export const runOperations = async (deps: OperationDeps): Promise<'idle' | 'more' | 'waits'> => {
  const failures = createTurnFailures()
  for (const seen: string[] = []; ; ) {
    const operations = await listRunningOperations(deps.db, { seen, limit: OPERATIONS })
    if (operations.length === 0) {
      failures.throwFirst()
      return seen.length === 0 ? 'idle' : 'waits'
    }
    const moved = await Promise.all(
      operations.map((operation) => failures.keep(() => runTurn(deps, operation), 0)),
    )
    if (moved.some((count) => count > 0)) return 'more'
    seen.push(...operations.map(({ id }) => id))
  }
}

/** @returns how many jobs it has handled, without those that wait; the end of the operation counts as one */
const runTurn = async (deps: OperationDeps, operation: Operation): Promise<number> => {
  const { id, ws, kind } = operation
  const ids = await listOperationJobs(deps.db, id, { afterId: '', limit: JOBS })
  if (ids.length === 0) {
    const now = await findOperation(deps.db, ws, id)
    if (now !== null) await deps.db.write([endOperation(id, endOf(now))], { retry: true })
    return 1
  }
  const places = kind === 'replay' ? await deps.gate.room(ws) : ids.length
  const handled = await Promise.all(
    ids.slice(0, places).map((jobId) => {
      const at = { operationId: id, jobId }
      return kind === 'cancel' ? cancelOne(deps, operation, at) : replayOne(deps, operation, at)
    }),
  )
  return handled.filter((isHandled) => isHandled).length
}

const settle = (deps: OperationDeps, at: OperationJob, outcome: 'done' | 'failed') =>
  deps.db.write(settleOperationJob(at, outcome, TRUE), { retry: true })

/** Cancels one job. If a crash interrupts it, it is repeated, which changes nothing. */
const cancelOne = async (
  deps: OperationDeps,
  { ws, createdBy: by }: Operation,
  at: OperationJob,
): Promise<boolean> => {
  const reason = `Canceled by ${by}.`
  const job = await findJobResult(deps.db, ws, at.jobId)
  const canceled =
    job === null ? 'ended' : await cancelAs(deps, { ws, id: at.jobId, by, reason }, job.status)
  await settle(deps, at, canceled === 'ended' ? 'failed' : 'done')
  return true
}

/** @returns null if the stored input does not decrypt @throws {AppError} as `replayOf` */
const readReplay = (deps: OperationDeps, source: ReplaySource) => {
  try {
    return replayOf(deps, source, { commit: 'pinned' })
  } catch (error) {
    if (error instanceof AppError) throw error
    return null
  }
}

/** @returns false if the job waits for room */
const replayOne = async (
  deps: OperationDeps,
  { ws, createdBy, holdsAppsWrite }: Operation,
  at: OperationJob,
): Promise<boolean> => {
  try {
    const source = await findReplaySource(deps.db, ws, at.jobId)
    const replay = source === null ? null : readReplay(deps, source)
    // retention has deleted the job meanwhile, or its input cannot be read at any later turn either
    if (replay === null) {
      await settle(deps, at, 'failed')
      return true
    }
    await enqueueJob(deps, {
      ...replay,
      createdBy,
      permissionedAs: createdBy,
      holdsAppsWrite,
      condition: waitsInOperation(at),
      alongside: (jobId) =>
        settleOperationJob(
          at,
          'done',
          sql`EXISTS (SELECT 1 FROM jobs WHERE ws = ${ws} AND id = ${jobId})`,
        ),
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // a full queue or storage has room later; another node may have dealt with the job
    if (error.kind === 'rate_limited' || error.kind === 'unavailable') return false
    await settle(deps, at, 'failed')
  }
  return true
}
