/**
 * Commits transactions to a file.
 *
 * A commit is acknowledged after its sync. Either SQLite syncs within the COMMIT (`synchronous` FULL), or this module syncs
 * the log after it on another thread (file-log.ts, sync-pace.ts). In that case no other statement of this process runs on the
 * database meanwhile; other processes may see the commit, so they sync before they tell anyone of it (foreign-commits.ts).
 * After a failed sync, nothing is written until the log has been written again.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sizeOfValues } from '../batch.ts'
import type { DatabaseError, StatementResult } from '../database.ts'
import { toStretches } from '../stretches.ts'
import { type ConnectionHolder, toFileError, toSyncError } from './file-connection-holder.ts'
import type { FileConnection } from './file-database-connection.ts'
import type { ForeignCommits } from './foreign-commits.ts'
import type { Batch, BatchResult } from './group-commit.ts'
import { createLogGauge } from './log-gauge.ts'
import { createSyncPace } from './sync-pace.ts'

type Progress = { hasBegun: boolean; isCommitting: boolean }

const begin = (holder: ConnectionHolder, progress: Progress): FileConnection => {
  const connection = holder.current()
  connection.exec('BEGIN IMMEDIATE')
  progress.hasBegun = true
  return connection
}

const commit = (connection: FileConnection, progress: Progress): void => {
  progress.isCommitting = true
  connection.exec('COMMIT')
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
const commitAtOnce = (holder: ConnectionHolder, batch: Batch): BatchResult => {
  const progress = { hasBegun: false, isCommitting: false }
  try {
    const connection = begin(holder, progress)
    const results = batch.map(connection.run)
    commit(connection, progress)
    return results
  } catch (error) {
    throw undo(holder, progress, error)
  }
}

/**
 * Commits a large batch. Other work has a turn after each stretch, and so before the commit, which cannot be divided.
 */
const commitInTurns = async (
  holder: ConnectionHolder,
  stretches: readonly Batch[],
): Promise<BatchResult> => {
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
      commit(connection, progress)
    } finally {
      connection.expectLarge(false)
    }
    return results
  } catch (error) {
    throw undo(holder, progress, error)
  }
}

/** Writes the log again after a failed sync. @throws {DatabaseError} the disk still fails */
const restoreLog = (holder: ConnectionHolder): Promise<void> =>
  holder.transact(async () => {
    const progress = { hasBegun: false, isCommitting: false }
    try {
      const connection = begin(holder, progress)
      await connection.rewriteLog().catch((error: unknown) => {
        throw toSyncError(error, 'none')
      })
      connection.exec('ROLLBACK')
    } catch (error) {
      throw undo(holder, progress, error)
    }
  })

/** Commits without a sync. */
const commitUnsynced = async (
  holder: ConnectionHolder,
  connection: FileConnection,
  batch: Batch,
  stretches: readonly Batch[] | null,
): Promise<BatchResult> => {
  connection.leaveSync(true)
  try {
    return stretches === null ? commitAtOnce(holder, batch) : await commitInTurns(holder, stretches)
  } finally {
    // a fault may have closed it
    if (holder.holds(connection)) connection.leaveSync(false)
  }
}

const rowsOf = (results: BatchResult): number =>
  results.reduce((rows, { changes }) => rows + changes, 0)

/**
 * Creates the function that commits transactions.
 * @param foreign of the same connections
 * @param movesLog whether this connection moves the log into the file when it is long
 */
export const createFileCommit = (
  holder: ConnectionHolder,
  foreign: ForeignCommits,
  movesLog: boolean,
) => {
  const pace = createSyncPace()
  const gauge = createLogGauge()
  let isLogLost = false

  const sync = async (connection: FileConnection): Promise<void> => {
    const before = performance.now()
    try {
      await connection.syncLog()
    } catch (error) {
      isLogLost = true
      throw toSyncError(error, 'unknown')
    }
    pace.note(performance.now() - before)
  }

  /** Commits, and syncs on another thread. */
  const commitApart = (batch: Batch, stretches: readonly Batch[] | null): Promise<BatchResult> =>
    holder.transact(async () => {
      const connection = holder.current()
      const results = await commitUnsynced(holder, connection, batch, stretches)
      const seen = foreign.seenOn(connection)
      await sync(connection)
      if (seen !== null) foreign.markDurable(seen)
      return results
    })

  /** Commits and syncs in one turn of the event loop. */
  const commitWhole = async (batch: Batch): Promise<BatchResult> => {
    const before = performance.now()
    const results = commitAtOnce(holder, batch)
    pace.note(performance.now() - before)
    const seen = foreign.seenOn(holder.current())
    if (seen === null) return results
    // a transaction that changes nothing syncs nothing
    if (rowsOf(results) > 0) foreign.markDurable(seen)
    else await foreign.settle(seen)
    return results
  }

  /** @param callers number of callers that share the transaction @throws {DatabaseError} */
  return async (batch: Batch, callers: number): Promise<BatchResult> => {
    if (isLogLost) await restoreLog(holder)
    isLogLost = false
    if (movesLog && gauge.isFull()) {
      const pages = holder.current().moveLog()
      if (pages !== null) gauge.noteMoved(pages)
      await nextTurn()
    }
    const stretches = toStretches(batch)
    const isApart = stretches !== null || pace.isApart(callers)
    const results = await (isApart ? commitApart(batch, stretches) : commitWhole(batch))
    gauge.note(rowsOf(results), sizeOfValues(batch))
    return results
  }
}
