/**
 * The way to one sqld or Turso. @libsql/client knows no timeout and keeps a WebSocket that has fallen silent; here every
 * call ends in time, and after a failure the next one starts on a new connection while those under way end on theirs.
 */
import {
  type Client,
  createClient,
  type InStatement,
  type InValue,
  type ResultSet,
} from '@libsql/client/web'
import type { Row, SqlValue, Statement, StatementResult } from './database.ts'
import { timedOut, toRemoteError } from './remote-database-error.ts'

export type RemoteConnectionOptions = Readonly<{
  url: string
  authToken?: string
  /** For one round trip, milliseconds. */
  timeoutMs: number
}>

export type RemoteConnection = Readonly<{
  /** @throws {DatabaseError} */
  execute: (statement: Statement) => Promise<StatementResult>
  /** One transaction, one round trip. @throws {DatabaseError} */
  batch: (statements: readonly Statement[]) => Promise<readonly StatementResult[]>
  close: () => void
}>

type Lane = { readonly client: Client; active: number; isRetired: boolean }

/** Parallel reads; writes pass one at a time. */
const CONCURRENCY = 64

/** Binds as the file backend does: whole numbers as INTEGER, not REAL, and NaN as NULL. */
const toWireValue = (value: SqlValue): InValue => {
  if (typeof value !== 'number') return value
  if (Number.isSafeInteger(value)) return BigInt(value)
  return Number.isFinite(value) ? value : null
}

const toWire = ({ sql, args }: Statement): InStatement => ({ sql, args: args.map(toWireValue) })

const toRow = (columns: readonly string[], row: ArrayLike<unknown>): Row => {
  const values: Record<string, SqlValue> = {}
  for (const [index, name] of columns.entries()) {
    const value = row[index]
    if (value instanceof ArrayBuffer) values[name] = new Uint8Array(value)
    else if (typeof value === 'string' || typeof value === 'number') values[name] = value
    else if (value === null || value === undefined) values[name] = null
    else throw new Error(`Column ${name} holds a value that svc does not use.`)
  }
  return values
}

const toResult = ({ rows, columns, rowsAffected }: ResultSet): StatementResult => ({
  rows: rows.map((row) => toRow(columns, row)),
  changes: rowsAffected,
})

const within = async <T>(timeoutMs: number, work: Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut(timeoutMs)), timeoutMs)
  })
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
  }
}

const connect = ({ url, authToken, timeoutMs }: RemoteConnectionOptions): Client =>
  createClient({
    url,
    intMode: 'number',
    concurrency: CONCURRENCY,
    ...(authToken === undefined ? {} : { authToken }),
    // frees the socket of a request that has been given up; the race above decides what the caller receives
    fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(timeoutMs) }),
  })

/** @throws {DatabaseError} the address is not valid. It does not connect to the server yet. */
export const openRemoteConnection = (options: RemoteConnectionOptions): RemoteConnection => {
  const openLane = (): Lane => {
    try {
      return { client: connect(options), active: 0, isRetired: false }
    } catch (error) {
      throw toRemoteError(error)
    }
  }
  let lane = openLane()
  let isClosed = false

  const retire = (old: Lane): void => {
    old.isRetired = true
    if (lane === old && !isClosed) lane = openLane()
  }

  const call = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const mine = lane
    mine.active += 1
    try {
      return await within(options.timeoutMs, work(mine.client))
    } catch (error) {
      const known = toRemoteError(error)
      const isOfConnection = known.kind === 'unavailable' || known.kind === 'io'
      if (isOfConnection && !mine.isRetired) retire(mine)
      throw known
    } finally {
      mine.active -= 1
      if (mine.isRetired && mine.active === 0) mine.client.close()
    }
  }

  return {
    execute: (statement) =>
      call(async (client) => toResult(await client.execute(toWire(statement)))),
    batch: (statements) =>
      call(async (client) => (await client.batch(statements.map(toWire), 'write')).map(toResult)),
    close: () => {
      isClosed = true
      lane.client.close()
    },
  }
}
