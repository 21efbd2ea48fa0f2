/**
 * Carries out operations on many jobs, a few jobs at a time [jobs 17.5]. Each job to handle is a row, which is deleted in the
 * batch that handles the job. So each job is handled once, whatever crashes, and several nodes may work at once.
 */
import { AppError } from '#core/error.ts'
import { endOf, OPERATION_TURN_JOBS } from '#core/job/operation.ts'
import { findJobHead, findReplaySource, type ReplaySource } from '#store/jobs/read.ts'
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
import type { Deps } from '../deps.ts'
import type { FlowDeps } from '../flows/engine.ts'
import { mayAct } from '../people/may-act.ts'
import { createTurnFailures } from '../turn-failures.ts'
import { cancelAs } from './cancel-job.ts'
import { enqueueJob } from './enqueue-job.ts'
import { type ReplayDeps, replayOf } from './replay-job.ts'

export type OperationDeps = ReplayDeps & FlowDeps & Pick<Deps, 'home'>

/** Operations that are carried out at the same time, so that a small one need not wait for a large one of the same workspace. */
const OPERATIONS = 10
/** Operations among which a turn chooses: a read of 2 ms. */
const WINDOW = 500

/** Where the next turn begins to read. Turns that share one reach every operation, however many are open. */
export type OperationPlace = { afterId: string }

/**
 * Makes one turn of running operations, of which workspaces take turns. Those that wait for room or fail do not delay others,
 * and its cost does not grow with their number.
 * @throws {Error} the first failure, if no operation continued
 * @returns `idle` if there is none; `more` to continue at once; `waits` if none continued, such as replays without room
 */
export const runOperations = async (
  deps: OperationDeps,
  place: OperationPlace = { afterId: '' },
): Promise<'idle' | 'more' | 'waits'> => {
  let left = await readOn(deps, place)
  if (left.length === 0) return 'idle'
  const failures = createTurnFailures()
  const full = new Set<string>()
  const handle = async (operation: Operation): Promise<number> => {
    const { handled, isFull } = await runTurn(deps, operation)
    if (isFull) full.add(operation.ws)
    return handled
  }
  while (left.length > 0) {
    const moved = await Promise.all(
      left.slice(0, OPERATIONS).map((one) => failures.keep(() => handle(one), 0)),
    )
    if (moved.some((count) => count > 0)) return 'more'
    left = left.slice(OPERATIONS).filter(({ kind, ws }) => kind !== 'replay' || !full.has(ws))
  }
  failures.throwFirst()
  return 'waits'
}

/** Reads the operations behind the place, or the first ones if there are none, and moves the place behind them. */
const readOn = async (
  { db }: OperationDeps,
  place: OperationPlace,
): Promise<readonly Operation[]> => {
  const read = (afterId: string) => listRunningOperations(db, { afterId, limit: WINDOW })
  const behind = await read(place.afterId)
  const found = behind.length === 0 && place.afterId !== '' ? await read('') : behind
  place.afterId =
    found
      .map(({ id }) => id)
      .toSorted()
      .at(-1) ?? ''
  return found
}

type Turn = Readonly<{
  /** Jobs that no longer wait; the end of the operation counts as one. */
  handled: number
  /** The workspace has no room for replays. */
  isFull: boolean
}>

const runTurn = async (deps: OperationDeps, operation: Operation): Promise<Turn> => {
  const { id, ws, kind, createdBy } = operation
  const ids = await listOperationJobs(deps.db, id, {
    afterId: '',
    limit: OPERATION_TURN_JOBS,
  })
  if (ids.length === 0) {
    const now = await findOperation(deps.db, ws, id)
    if (now !== null) await deps.db.write([endOperation(id, endOf(now))], { retry: true })
    return { handled: 1, isFull: false }
  }
  if (!(await mayAct(deps, { ws, email: createdBy }))) {
    await Promise.all(ids.map((jobId) => settle(deps, { operationId: id, jobId }, 'failed')))
    return { handled: ids.length, isFull: false }
  }
  const places = kind === 'replay' ? await deps.gate.room(ws) : ids.length
  const outcomes = await Promise.all(
    ids.slice(0, places).map((jobId) => {
      const at = { operationId: id, jobId }
      return kind === 'cancel' ? cancelOne(deps, operation, at) : replayOne(deps, operation, at)
    }),
  )
  const handled = outcomes.filter((outcome) => outcome === 'handled').length
  return { handled, isFull: places === 0 || outcomes.includes('full') }
}

/** `full`: it waits for room in the queue or storage. `later`: another node may have dealt with the job. */
type Outcome = 'handled' | 'full' | 'later'

const settle = (deps: OperationDeps, at: OperationJob, outcome: 'done' | 'failed') =>
  deps.db.write(settleOperationJob(at, outcome, TRUE), { retry: true })

/** Cancels one job. If a crash interrupts it, it is repeated, which changes nothing. */
const cancelOne = async (
  deps: OperationDeps,
  { ws, createdBy: by }: Operation,
  at: OperationJob,
): Promise<Outcome> => {
  const reason = `Canceled by ${by}.`
  const job = await findJobHead(deps.db, ws, at.jobId)
  const canceled =
    job === null ? 'ended' : await cancelAs(deps, { ws, id: at.jobId, by, reason }, job.status)
  await settle(deps, at, canceled === 'ended' ? 'failed' : 'done')
  return 'handled'
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

const replayOne = async (
  deps: OperationDeps,
  { ws, createdBy, holdsAppsWrite }: Operation,
  at: OperationJob,
): Promise<Outcome> => {
  try {
    const source = await findReplaySource(deps.db, ws, at.jobId)
    const replay = source === null ? null : readReplay(deps, source)
    // retention has deleted the job meanwhile, or its input cannot be read at any later turn either
    if (replay === null) {
      await settle(deps, at, 'failed')
      return 'handled'
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
    if (error.kind === 'rate_limited') return 'full'
    if (error.kind === 'unavailable') return 'later'
    await settle(deps, at, 'failed')
  }
  return 'handled'
}
