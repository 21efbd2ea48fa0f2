/**
 * The remote backend: sqld or Turso by @libsql/client, over HTTP or WebSocket. Every decision is one batch, which is one
 * round trip.
 *
 * It fails by DatabaseError. A lost connection means *unknown*, not *failed*; batches that say `retry` are then sent
 * again. A silent server is given up after a time of our own, for the client has none.
 */
import { type Client, createClient, type InStatement, LibsqlError, type ResultSet } from '@libsql/client/web'
import {
  type Database,
  DatabaseError,
  type DatabaseErrorKind,
  type Row,
  SQL_NOW,
  type SqlValue,
  type Statement,
  type StatementResult,
  type WriteOptions,
} from './database.ts'
import { type Batch, createGroupCommit } from './group-commit.ts'

export type RemoteOptions = Readonly<{
  url: string
  authToken?: string
  /** @default 10 s */
  timeoutMs?: number
}>

const RETRY_DELAYS_MS = [50, 200, 500, 1_000, 2_000] as const

const toErrorKind = (error: unknown): DatabaseErrorKind => {
  const code = error instanceof LibsqlError ? `${error.code} ${error.message}` : ''
  if (code.includes('SQLITE_CONSTRAINT')) return 'constraint'
  if (code.includes('SQLITE_BUSY')) return 'busy'
  if (code.includes('SQLITE_FULL')) return 'full'
  // SQLite refused the statement itself; anything else is the way there
  if (/SQLITE_(?!UNKNOWN)/.test(code) || code.includes('SQL_')) return 'other'
  return 'unavailable'
}

const toDatabaseError = (error: unknown): DatabaseError => {
  if (error instanceof DatabaseError) return error
  const kind = toErrorKind(error)
  const message = error instanceof Error ? error.message : String(error)
  return new DatabaseError(message, {
    kind,
    outcome: kind === 'unavailable' ? 'unknown' : 'none',
    cause: error,
  })
}

const toRow = (result: ResultSet, index: number): Row => {
  const values: Record<string, SqlValue> = {}
  const row = result.rows[index]
  for (const [column, name] of result.columns.entries()) {
    const value = row?.[column]
    if (value instanceof ArrayBuffer) values[name] = new Uint8Array(value)
    else if (typeof value === 'string' || typeof value === 'number') values[name] = value
    else if (value === null || value === undefined) values[name] = null
    else throw new Error(`Column ${name} holds a value that svc does not use.`)
  }
  return values
}

const toResult = (result: ResultSet): StatementResult => ({
  rows: result.rows.map((_, index) => toRow(result, index)),
  changes: result.rowsAffected,
})

const toWire = ({ sql, args }: Statement): InStatement => ({ sql, args: [...args] })

const within = async <T>(timeoutMs: number, work: Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new DatabaseError(`The database did not answer within ${timeoutMs} ms.`, {
            kind: 'unavailable',
            outcome: 'unknown',
          }),
        ),
      timeoutMs,
    )
  })
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export const openRemoteDatabase = ({ url, authToken, timeoutMs = 10_000 }: RemoteOptions): Database => {
  const connect = (): Client =>
    createClient({ url, intMode: 'number', ...(authToken === undefined ? {} : { authToken }) })
  let client = connect()

  /** A broken WebSocket never heals by itself; a new client does no harm to HTTP. */
  const reconnect = (broken: Client): void => {
    if (client !== broken) return
    broken.close()
    client = connect()
  }

  const attempt = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const current = client
    try {
      return await within(timeoutMs, work(current))
    } catch (error) {
      const known = toDatabaseError(error)
      if (known.kind === 'unavailable') reconnect(current)
      throw known
    }
  }

  const withRetries = async <T>(work: () => Promise<T>): Promise<T> => {
    for (const delay of RETRY_DELAYS_MS) {
      try {
        return await work()
      } catch (error) {
        const mayMend =
          error instanceof DatabaseError && (error.kind === 'unavailable' || error.kind === 'busy')
        if (!mayMend) throw error
        await pause(delay)
      }
    }
    return await work()
  }

  const commit = async (batches: readonly Batch[]): Promise<readonly StatementResult[][]> => {
    const results = await attempt((current) => current.batch(batches.flat().map(toWire), 'write'))
    let at = 0
    return batches.map((batch) => {
      const mine = results.slice(at, at + batch.length).map(toResult)
      at += batch.length
      return mine
    })
  }

  const read = (statement: Statement): Promise<readonly Row[]> =>
    withRetries(async () => toResult(await attempt((current) => current.execute(toWire(statement)))).rows)

  const write = createGroupCommit(commit)
  return {
    backend: 'remote',
    one: async (statement) => (await read(statement))[0] ?? null,
    all: read,
    write: (statements, { retry = false }: WriteOptions = {}) =>
      retry ? withRetries(() => write(statements)) : write(statements),
    now: async () => Number((await read({ sql: `SELECT ${SQL_NOW} AS now`, args: [] }))[0]?.now),
    close: async () => client.close(),
  }
}
