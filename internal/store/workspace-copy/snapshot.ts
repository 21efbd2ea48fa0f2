/**
 * A reader that sees the database as it was at one moment, regardless of later writes. It is one read transaction on its own
 * connection. A database file keeps its log for that time. If a server ends the transaction, every later read fails.
 */
import { createClient } from '@libsql/client/web'
import { openFileConnection } from '../backends/file-database-connection.ts'
import { toRemoteError } from '../backends/remote-database-error.ts'
import { toStatementResult, toWireValue } from '../backends/remote-values.ts'
import type { Reader, Row, Statement } from '../database.ts'
import { type DatabaseOptions, toDatabasePath } from '../open-database.ts'
import { sql } from '../sql.ts'

export type Snapshot = Pick<Reader, 'one' | 'all'> & Readonly<{ close: () => void }>

const BUSY_WAIT_MS = 5_000

/** The first read, which fixes the moment. */
const FIRST = sql`SELECT count(*) FROM schema_migrations`

const openOfFile = (path: string): Snapshot => {
  const connection = openFileConnection({ path, busyWaitMs: BUSY_WAIT_MS })
  connection.exec('PRAGMA query_only = ON')
  connection.exec('BEGIN')
  connection.run(FIRST)
  return {
    one: async (statement) => connection.run(statement).rows[0] ?? null,
    all: async (statement) => connection.run(statement).rows,
    close: () => {
      connection.exec('ROLLBACK')
      connection.close()
    },
  }
}

const openOfServer = async ({ url, authToken }: DatabaseOptions): Promise<Snapshot> => {
  const client = createClient({
    url,
    intMode: 'number',
    ...(authToken === undefined ? {} : { authToken }),
  })
  const transaction = await client.transaction('read')
  const all = async ({ sql: text, args }: Statement): Promise<readonly Row[]> => {
    try {
      const { columns, rows, rowsAffected } = await transaction.execute({
        sql: text,
        args: args.map(toWireValue),
      })
      return toStatementResult(columns, rows, rowsAffected).rows
    } catch (error) {
      throw toRemoteError(error)
    }
  }
  await all(FIRST)
  return {
    one: async (statement) => (await all(statement))[0] ?? null,
    all,
    close: () => {
      transaction.close()
      client.close()
    },
  }
}

/** Opens a snapshot of the database at this moment. The caller must close it. @throws {DatabaseError} */
export const openSnapshot = async (options: DatabaseOptions): Promise<Snapshot> => {
  const path = toDatabasePath(options.url)
  return path === null ? openOfServer(options) : openOfFile(path)
}
