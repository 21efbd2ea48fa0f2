/** Commits one transaction to a file, a large one in several turns of the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DatabaseError, StatementResult } from '../database.ts'
import { toStretches } from '../stretches.ts'
import { type ConnectionHolder, toFileError } from './file-connection-holder.ts'
import type { FileConnection } from './file-database-connection.ts'
import type { Batch, BatchResult } from './group-commit.ts'

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
 * Commits a large batch. Other work has a turn after each stretch, and so before the commit, which cannot be divided, and
 * between the commit and moving the log into the file, which takes as long.
 */
const commitInTurns = (
  holder: ConnectionHolder,
  stretches: readonly Batch[],
): Promise<BatchResult> =>
  holder.transact(async () => {
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
      await nextTurn()
      connection.moveLog()
      return results
    } catch (error) {
      throw undo(holder, progress, error)
    }
  })

/** Runs a transaction on the held connection. @throws {DatabaseError} */
export const commitToFile = (
  holder: ConnectionHolder,
  batch: Batch,
): BatchResult | Promise<BatchResult> => {
  const stretches = toStretches(batch)
  return stretches === null ? commitAtOnce(holder, batch) : commitInTurns(holder, stretches)
}
