/**
 * When a server checkpoints its log. By default sqld does it at the end of commits (`wal_autocheckpoint`). sqld 0.24.32 can
 * then lose the wake-up of a connection that waits to write: all writes stop for 5 s, or until sqld is restarted if that
 * connection has closed. With an interval, sqld checkpoints on a connection of its own, and this does not happen.
 */
import { type Database, DatabaseError } from './database.ts'
import { sql } from './sql.ts'

/** @throws {DatabaseError} the database does not answer */
export const checkpointsInCommits = async (
  db: Pick<Database, 'backend' | 'one'>,
): Promise<boolean> => {
  if (db.backend === 'file') return false
  try {
    const row = await db.one(sql`PRAGMA wal_autocheckpoint`)
    return Number(row?.wal_autocheckpoint ?? 0) > 0
  } catch (error) {
    // a server that does not answer this pragma has its own rules
    if (error instanceof DatabaseError && error.kind === 'other') return false
    throw error
  }
}

export const IN_COMMITS_SENTENCE =
  'sqld checkpoints at the end of commits. With several nodes this can stop all writes until sqld is restarted: start it with --checkpoint-interval-s 10.'
