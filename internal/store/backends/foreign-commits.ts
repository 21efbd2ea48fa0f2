/**
 * Commits of other connections, which may not be durable yet when a read shows them (file-commit.ts). A result that may show
 * one is given to the caller after a sync, so that no caller learns of what a power cut can still undo.
 */
import type { ConnectionHolder } from './file-connection-holder.ts'
import type { FileConnection } from './file-database-connection.ts'

/** Names the commits of other connections that a result may show. */
export type SeenCommits = Readonly<{ connection: FileConnection; version: number }>

export const createForeignCommits = ({ log }: Pick<ConnectionHolder, 'log'>) => {
  let durable: SeenCommits | null = null
  return {
    /** Call in the turn of the read, or within the transaction. @returns null if all that it has shown is durable */
    seenOn: (connection: FileConnection): SeenCommits | null => {
      const version = connection.foreignVersion()
      const isKnown = durable?.connection === connection && durable.version === version
      return isKnown ? null : { connection, version }
    },
    /** Waits until these commits are durable. @throws {DatabaseError} the disk fails */
    settle: async (seen: SeenCommits): Promise<void> => {
      await log.sync(seen.connection, 'none')
      durable = seen
    },
    /** Records that a commit of this connection has made these durable as well. */
    markDurable: (seen: SeenCommits): void => {
      durable = seen
    },
  }
}

export type ForeignCommits = ReturnType<typeof createForeignCommits>
