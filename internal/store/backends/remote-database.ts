/**
 * The remote backend: sqld or Turso, over kept streams or HTTP. A read is one statement and a write is one batch. Each takes one
 * round trip, so no lock is held between two. Over a distant network, further batches are sent before the first is answered
 * (commit-pace.ts); the server runs them in the order in which they were sent.
 *
 * It guarantees: every call ends, after at most `timeoutMs` for an attempt and `retryForMs` for retries. Reads, and writes
 * that certainly changed nothing, are retried. A write with an unknown outcome is retried only with the option `retry`.
 * It fails with DatabaseError: after a lost connection the outcome is *unknown*, not *failed*. After such an attempt, a later
 * failure of the same write is `unknown` too. An attempt that timed out may still reach the server, even after a later one.
 */
import { setTimeout } from 'node:timers/promises'
import { resultsOf, statementsOf } from '../batch.ts'
import { type Database, DatabaseError, type Statement, type WriteOptions } from '../database.ts'
import type { MakeDurable } from '../durability.ts'
import { SQL_NOW, sql } from '../sql.ts'
import { paceByLatency } from './commit-pace.ts'
import { type Batch, type BatchResult, createGroupCommit } from './group-commit.ts'
import { mergeBatches } from './merge-batches.ts'
import { openRemoteConnection } from './remote-database-connection.ts'
import { sendInOrder } from './send-in-order.ts'

export type RemoteDatabaseOptions = Readonly<{
  /** `http:`, `https:`, `ws:`, `wss:` or `libsql:` */
  url: string
  authToken?: string
  /**
   * Milliseconds to wait for an answer.
   * @default 10 s
   */
  timeoutMs?: number
  /**
   * Milliseconds after the first attempt within which a retry may start.
   * @default 5 s
   */
  retryForMs?: number
  /** Makes a server durable that is found to be relaxed (remote-connection.ts). */
  makeDurable?: MakeDurable
}>

const FIRST_PAUSE_MS = 25
const MAX_PAUSE_MS = 1_000

/** Waits for a random time, so that nodes that lost the server together do not return together. */
const pause = (tries: number): Promise<void> => {
  const limit = Math.min(FIRST_PAUSE_MS * 2 ** tries, MAX_PAUSE_MS)
  return setTimeout(limit * (0.5 + Math.random() / 2))
}

const isPassing = (error: DatabaseError): boolean =>
  error.kind === 'unavailable' || error.kind === 'io' || error.kind === 'busy'

const asUnknown = (error: DatabaseError): DatabaseError =>
  new DatabaseError(error.message, { kind: error.kind, outcome: 'unknown', cause: error })

type RetryPolicy = Readonly<{ retryForMs: number; mayRetry: (error: DatabaseError) => boolean }>

const withRetries = async <T>(policy: RetryPolicy, work: () => Promise<T>): Promise<T> => {
  const deadline = performance.now() + policy.retryForMs
  let mayHaveWritten = false
  for (let tries = 0; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      mayHaveWritten ||= error.outcome === 'unknown'
      const isOver = performance.now() >= deadline || !isPassing(error) || !policy.mayRetry(error)
      if (isOver) throw mayHaveWritten ? asUnknown(error) : error
    }
    await pause(tries)
  }
}

/** Marks the error of a read as certain, because a failed read has written nothing. */
const asRead = (error: unknown): unknown =>
  error instanceof DatabaseError
    ? new DatabaseError(error.message, { kind: error.kind, outcome: 'none', cause: error })
    : error

/** @throws {DatabaseError} the address is invalid; only the first statement connects to the server */
export const openRemoteDatabase = (options: RemoteDatabaseOptions): Database => {
  const { timeoutMs = 10_000, retryForMs = 5_000 } = options
  const connection = openRemoteConnection({ ...options, timeoutMs })

  const send = sendInOrder(connection)
  const commit = async (batches: readonly Batch[]): Promise<readonly BatchResult[]> => {
    const { statements, split } = mergeBatches(batches)
    return split(await send(statements))
  }
  const group = createGroupCommit(commit, { pace: paceByLatency(connection) })
  let isClosed = false

  const read = async (statement: Statement) => {
    try {
      const policy = { retryForMs, mayRetry: () => !isClosed }
      return (await withRetries(policy, () => connection.execute(statement))).rows
    } catch (error) {
      throw asRead(error)
    }
  }

  return {
    backend: 'remote',
    one: async (statement) => (await read(statement))[0] ?? null,
    all: read,
    write: async (batch, { retry = false, ...order }: WriteOptions = {}) => {
      const mayRetry = (error: DatabaseError) => !isClosed && (retry || error.outcome === 'none')
      const statements = statementsOf(batch)
      const results = await withRetries({ retryForMs, mayRetry }, () =>
        group.write(statements, order),
      )
      return resultsOf(batch, results)
    },
    now: async () => Number((await read(sql`SELECT ${SQL_NOW} AS now`))[0]?.now),
    dataVersion: async () => null,
    reclaim: async () => 0,
    renew: () => connection.renew(),
    close: async () => {
      isClosed = true
      await group.close()
      connection.close()
    },
  }
}
