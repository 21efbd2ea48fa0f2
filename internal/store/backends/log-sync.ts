/**
 * Syncs the log of a file and remembers failed syncs. The kernel reports a failed sync once and then counts the pages as written,
 * so no later sync proves anything until the log has been written again.
 */

import { DatabaseError } from '../database.ts'
import { codeOf, messageOf } from '../database-error.ts'
import type { FileConnection } from './file-database-connection.ts'

type SyncedConnection = Pick<FileConnection, 'syncLog' | 'rewriteLog'>

const toSyncError = (error: unknown, outcome: 'none' | 'unknown'): DatabaseError => {
  const kind = codeOf(error) === 'ENOSPC' ? 'full' : 'io'
  return new DatabaseError(`The log of the database could not be synced: ${messageOf(error)}`, {
    kind,
    outcome,
    cause: error,
  })
}

export const createLogSync = () => {
  let losses = 0
  let restored = 0
  const run = async (work: () => Promise<void>, outcome: 'none' | 'unknown'): Promise<void> => {
    const before = losses
    try {
      await work()
      // the failure of another sync may have lost the same pages
      if (losses !== before) throw new Error('another sync failed meanwhile')
    } catch (error) {
      losses += 1
      throw toSyncError(error, outcome)
    }
  }
  return {
    /** Whether parts of the log may be lost. */
    isLost: () => losses > restored,
    /** Records that SQLite's own sync has failed. */
    noteLoss: () => {
      losses += 1
    },
    /** Makes all commits in the log durable. @param outcome of the caller's write @throws {DatabaseError} */
    sync: (connection: SyncedConnection, outcome: 'none' | 'unknown') =>
      run(connection.syncLog, outcome),
    /** Writes the log again. Within a transaction, which keeps others from writing. @throws {DatabaseError} */
    restore: async (connection: SyncedConnection): Promise<void> => {
      const before = losses
      await run(connection.rewriteLog, 'none')
      restored = before
    },
  }
}
