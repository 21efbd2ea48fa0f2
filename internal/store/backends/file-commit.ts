/**
 * Commits transactions to a file.
 *
 * A commit is acknowledged after its sync. Either SQLite syncs within the COMMIT (`synchronous` FULL), or this module syncs
 * the log after it on another thread (file-log.ts, sync-pace.ts). In that case no other statement of this process runs on the
 * database meanwhile; other processes may see the commit, so they sync before they tell anyone of it (foreign-commits.ts).
 * After a failed sync, nothing is written or read until the log has been written again (log-sync.ts).
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sizeOfValues } from '../batch.ts'
import type { DatabaseError, StatementResult } from '../database.ts'
import { toStretches } from '../stretches.ts'
import { type ConnectionHolder, toFileError } from './file-connection-holder.ts'
import type { FileConnection } from './file-database-connection.ts'
import type { ForeignCommits, SeenCommits } from './foreign-commits.ts'
import type { Batch, BatchResult } from './group-commit.ts'
import { createLogGauge, type LogGauge } from './log-gauge.ts'
import { createSyncPace } from './sync-pace.ts'

type File = Readonly<{ holder: ConnectionHolder; foreign: ForeignCommits }>

type Committed = Readonly<{
  results: BatchResult
  /** The commits of others that the results may show. */
  seen: SeenCommits | null
  /** How long the COMMIT took, with its sync if it had one. */
  commitMs: number
}>

type Progress = { hasBegun: boolean; isCommitting: boolean }

const begin = (holder: ConnectionHolder, progress: Progress): FileConnection => {
  const connection = holder.current()
  connection.exec('BEGIN IMMEDIATE')
  progress.hasBegun = true
  return connection
}

const commit = (
  connection: FileConnection,
  progress: Progress,
  foreign: ForeignCommits,
): Omit<Committed, 'results'> => {
  // after the commit, others may commit before they are counted, and the sync does not cover that
  const seen = foreign.seenOn(connection)
  progress.isCommitting = true
  const before = performance.now()
  connection.exec('COMMIT')
  return { seen, commitMs: performance.now() - before }
}

/** Undoes a transaction that failed. @returns the error to throw */
const undo = (holder: ConnectionHolder, progress: Progress, error: unknown): DatabaseError => {
  const known = toFileError(error)
  // a timeout while waiting for the lock leaves the connection usable
  if (progress.hasBegun || known.kind !== 'busy') holder.recover(error)
  // the log may contain the whole transaction although the sync failed
  const isUnknown = progress.isCommitting && (known.kind === 'unavailable' || known.kind === 'io')
  return isUnknown ? toFileError(error, 'unknown') : known
}

/** Commits within one turn of the event loop. */
const commitAtOnce = ({ holder, foreign }: File, batch: Batch): Committed => {
  const progress = { hasBegun: false, isCommitting: false }
  try {
    const connection = begin(holder, progress)
    const results = batch.map(connection.run)
    return { results, ...commit(connection, progress, foreign) }
  } catch (error) {
    throw undo(holder, progress, error)
  }
}

/** Commits a large batch. Other work has a turn after each stretch, and so before the commit, which cannot be divided. */
const commitInTurns = async (
  { holder, foreign }: File,
  stretches: readonly Batch[],
): Promise<Committed> => {
  const progress = { hasBegun: false, isCommitting: false }
  try {
    const connection = begin(holder, progress)
    const results: StatementResult[] = []
    connection.expectLarge(true)
    try {
      for (const stretch of stretches) {
        for (const statement of stretch) results.push(connection.run(statement))
        await nextTurn()
      }
      return { results, ...commit(connection, progress, foreign) }
    } finally {
      connection.expectLarge(false)
    }
  } catch (error) {
    throw undo(holder, progress, error)
  }
}

/** @throws {DatabaseError} the disk still fails */
const restoreLog = (holder: ConnectionHolder): Promise<void> =>
  holder.transact(async () => {
    const progress = { hasBegun: false, isCommitting: false }
    try {
      const connection = begin(holder, progress)
      await holder.log.restore(connection)
      connection.exec('ROLLBACK')
    } catch (error) {
      throw undo(holder, progress, error)
    }
  })

/** Returns what a statement must wait for, or null. Call it until it is null, and then run the statement in the same turn. */
export type Readiness = () => Promise<void> | null

/** Statements wait for the transaction of another caller, and after a failed sync until the log has been written again. */
export const createReadiness = (holder: ConnectionHolder): Readiness => {
  let restoring: Promise<void> | null = null
  return () => {
    if (restoring !== null) return restoring
    const open = holder.open()
    if (open !== null || !holder.log.isLost()) return open
    restoring = restoreLog(holder).finally(() => {
      restoring = null
    })
    return restoring
  }
}

/** Commits without a sync. */
const commitUnsynced = async (
  file: File,
  connection: FileConnection,
  batch: Batch,
  stretches: readonly Batch[] | null,
): Promise<Committed> => {
  connection.leaveSync(true)
  try {
    return stretches === null ? commitAtOnce(file, batch) : await commitInTurns(file, stretches)
  } finally {
    // a fault may have closed it
    if (file.holder.holds(connection)) connection.leaveSync(false)
  }
}

/** Checkpoints the log in a turn of its own. Statements wait meanwhile. */
const checkpoint = (holder: ConnectionHolder, gauge: LogGauge): Promise<void> =>
  holder.transact(async () => {
    await nextTurn()
    const before = performance.now()
    const pages = holder.checkpoint()
    if (pages !== null) gauge.noteCheckpoint(pages, performance.now() - before)
    await nextTurn()
  })

const rowsOf = (results: BatchResult): number =>
  results.reduce((rows, { changes }) => rows + changes, 0)

/**
 * Creates what commits transactions, and checkpoints their log.
 * @param foreign of the same connections
 * @param checkpoints whether this connection checkpoints the log when it is long
 */
export const createFileCommit = (
  holder: ConnectionHolder,
  foreign: ForeignCommits,
  checkpoints: boolean,
) => {
  const file = { holder, foreign }
  const pace = createSyncPace()
  const gauge = createLogGauge()

  /** Commits, and syncs on another thread. */
  const commitApart = (batch: Batch, stretches: readonly Batch[] | null): Promise<BatchResult> =>
    holder.transact(async () => {
      const connection = holder.current()
      const { results, seen } = await commitUnsynced(file, connection, batch, stretches)
      const before = performance.now()
      await holder.log.sync(connection, 'unknown')
      pace.note(performance.now() - before)
      if (seen !== null) foreign.markDurable(seen)
      return results
    })

  /** Commits and syncs in one turn of the event loop. */
  const commitWhole = async (batch: Batch): Promise<BatchResult> => {
    const { results, seen, commitMs } = commitAtOnce(file, batch)
    pace.note(commitMs)
    if (seen === null) return results
    // a transaction that changes nothing syncs nothing
    if (rowsOf(results) > 0) foreign.markDurable(seen)
    else await foreign.settle(seen)
    return results
  }

  const checkpointIfDue = (): void => {
    if (checkpoints && gauge.isDue() && holder.open() === null) void checkpoint(holder, gauge)
  }

  return {
    /** @param callers number of callers that share the transaction @throws {DatabaseError} */
    commit: async (batch: Batch, callers: number): Promise<BatchResult> => {
      holder.requireInPlace()
      const stretches = toStretches(batch)
      const isApart = stretches !== null || pace.isApart(callers)
      const results = await (isApart ? commitApart(batch, stretches) : commitWhole(batch))
      gauge.note(rowsOf(results), sizeOfValues(batch))
      checkpointIfDue()
      return results
    },
    /** Call it after up to so many pages were returned to the disk, which the log holds too. */
    noteReclaimed: (pages: number): void => {
      gauge.noteReclaimed(pages)
      checkpointIfDue()
    },
  }
}
