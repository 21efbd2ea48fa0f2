/**
 * The transport over HTTP, for endpoints without WebSockets: each call opens its own stream at the server. After a failure,
 * later calls use a new client, while calls in progress finish on the old one.
 */
import { type Client, createClient, type InStatement, type ResultSet } from '@libsql/client/web'
import type { Statement, StatementResult } from '../database.ts'
import { type RemoteConnection, type RemoteConnectionOptions, until } from './remote-connection.ts'
import { toRemoteError } from './remote-database-error.ts'
import { toStatementResult, toWireValue } from './remote-values.ts'

type Held = { readonly client: Client; active: number; isRetired: boolean }

/** Limit of parallel reads. Writes run one at a time. */
const CONCURRENCY = 64

const toWire = ({ sql, args }: Statement): InStatement => ({ sql, args: args.map(toWireValue) })

const toResult = ({ rows, columns, rowsAffected }: ResultSet): StatementResult =>
  toStatementResult(columns, rows, rowsAffected)

const connect = ({ url, authToken, timeoutMs }: RemoteConnectionOptions): Client =>
  createClient({
    url,
    intMode: 'number',
    concurrency: CONCURRENCY,
    ...(authToken === undefined ? {} : { authToken }),
    // The time limit frees the socket of an abandoned request; the deadline of the call decides what the caller receives. The
    // statements, whose values may be secret, go to no other address than the configured one.
    fetch: (request: Request) =>
      fetch(request, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }),
  })

/** @throws {DatabaseError} the address is invalid. It does not connect to the server yet. */
export const openHttpConnection = (options: RemoteConnectionOptions): RemoteConnection => {
  const open = (): Held => {
    try {
      return { client: connect(options), active: 0, isRetired: false }
    } catch (error) {
      throw toRemoteError(error)
    }
  }
  let held = open()
  let isClosed = false

  const closeUnused = (each: Held): void => {
    if (each.isRetired && each.active === 0) each.client.close()
  }
  const retire = (old: Held): void => {
    old.isRetired = true
    if (held === old && !isClosed) held = open()
    closeUnused(old)
  }

  const call = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const mine = held
    mine.active += 1
    try {
      const deadline = performance.now() + options.timeoutMs
      return await until(deadline, options.timeoutMs, work(mine.client))
    } catch (error) {
      const known = toRemoteError(error)
      const isOfConnection = known.kind === 'unavailable' || known.kind === 'io'
      if (isOfConnection && !mine.isRetired) retire(mine)
      throw known
    } finally {
      mine.active -= 1
      closeUnused(mine)
    }
  }

  return {
    execute: (statement) =>
      call(async (client) => toResult(await client.execute(toWire(statement)))),
    batch: (statements) =>
      call(async (client) => (await client.batch(statements.map(toWire), 'write')).map(toResult)),
    latencyMs: () => 0,
    // each call has its own connection at the server
    keepsOrder: () => false,
    isLarge: () => false,
    renew: () => retire(held),
    close: () => {
      isClosed = true
      held.client.close()
    },
  }
}
