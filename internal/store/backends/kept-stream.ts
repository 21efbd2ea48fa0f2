/**
 * One stream of a server over one WebSocket, kept for many calls. Opening one costs sqld 2 to 3 ms of CPU, because the
 * connection to the database then parses its schema. The server runs the calls of one stream one after another.
 *
 * It guarantees: a statement is sent only after the stream has answered once, so a failure to open has written nothing.
 * It fails permanently: after a lost connection, a missing answer or a transaction in doubt, `isBroken` is true and the stream
 * must be replaced. Each call in progress ends independently.
 */
import { LibsqlBatchError, LibsqlError } from '@libsql/client/web'
import {
  type Batch,
  BatchCond,
  type BatchStep,
  ResponseError,
  type RowsResult,
  Stmt,
  type Stream,
  WebSocket,
  WsClient,
} from '@libsql/hrana-client'
import type { Statement, StatementResult } from '../database.ts'
import { type Durability, type MakeDurable, toDurability } from '../durability.ts'
import { type RemoteConnection, type RemoteConnectionOptions, until } from './remote-connection.ts'
import { asUnsent, toRemoteError } from './remote-database-error.ts'
import { toStatementResult, toWireValue } from './remote-values.ts'
import { createStoredTexts } from './stored-texts.ts'

export type KeptStream = Pick<RemoteConnection, 'execute' | 'batch' | 'close'> &
  Readonly<{
    /** The stream has answered once. */
    isReady: () => boolean
    /** Number of calls that have not ended. */
    underWay: () => number
    isBroken: () => boolean
  }>

/** Version 2 of Hrana, which has batches with conditions, and stored texts. */
const PROTOCOLS = ['hrana2']
/** Milliseconds after which a connection is terminated if the server does not answer the close. */
const CLOSE_WITHIN_MS = 1_000

type Steps = Readonly<{
  begun: Promise<unknown>
  results: readonly Promise<RowsResult | undefined>[]
  committed: Promise<unknown>
  rolledBack: Promise<unknown>
}>

/** Failures are read later, so they must not count as unhandled meanwhile. */
const quiet = <T>(promise: Promise<T>): Promise<T> => {
  promise.catch(() => undefined)
  return promise
}

/** Adds BEGIN, each statement if the previous one succeeded, COMMIT, and ROLLBACK if COMMIT did not succeed. */
const addSteps = (batch: Batch, statements: readonly Stmt[]): Steps => {
  const begin = batch.step()
  const begun = quiet(begin.run('BEGIN IMMEDIATE'))
  let last: BatchStep = begin
  const results = statements.map((statement) => {
    const step = batch.step().condition(BatchCond.ok(last))
    const result = quiet(step.query(statement))
    last = step
    return result
  })
  const commit = batch.step().condition(BatchCond.ok(last))
  const committed = quiet(commit.run('COMMIT'))
  const rollback = batch.step().condition(BatchCond.not(BatchCond.ok(commit)))
  return { begun, results, committed, rolledBack: quiet(rollback.run('ROLLBACK')) }
}

/** Converts an error to the one that the other transport throws for the same answer, so that both are classified alike. */
const toLibsqlError = (error: unknown): unknown =>
  error instanceof ResponseError
    ? new LibsqlError(error.message, error.code ?? 'UNKNOWN', undefined, undefined, error)
    : error

const toStepError = (error: unknown, index: number): unknown =>
  error instanceof ResponseError
    ? new LibsqlBatchError(
        error.message,
        index,
        error.code ?? 'UNKNOWN',
        undefined,
        undefined,
        error,
      )
    : error

const toResult = ({ columnNames, rows, affectedRowCount }: RowsResult): StatementResult =>
  toStatementResult(
    columnNames.map((name) => name ?? ''),
    rows,
    affectedRowCount,
  )

const readStep = async (
  answer: Promise<RowsResult | undefined>,
  index: number,
): Promise<StatementResult> => {
  let rows: RowsResult | undefined
  try {
    rows = await answer
  } catch (error) {
    throw toStepError(error, index)
  }
  // only a step after a failed one is skipped, and that failure was already thrown
  if (rows === undefined) throw new Error('The server left a statement out.')
  return toResult(rows)
}

const readSteps = async ({
  begun,
  results,
  committed,
}: Steps): Promise<readonly StatementResult[]> => {
  await begun
  const read: StatementResult[] = []
  for (const [index, result] of results.entries()) read.push(await readStep(result, index))
  await committed
  return read
}

const openStream = (client: WsClient): Stream => {
  const stream = client.openStream()
  stream.intMode = 'number'
  return stream
}

const openPlain = async (client: WsClient): Promise<Stream> => {
  const stream = openStream(client)
  await stream.queryValue('SELECT 1')
  return stream
}

/** A server sets the durability of a connection when it opens, so a changed setting needs a new stream. */
const openDurable = async (client: WsClient, makeDurable: MakeDurable): Promise<Stream> => {
  let stream = openStream(client)
  const read = async (): Promise<Durability> =>
    toDurability(Number((await stream.queryValue('PRAGMA synchronous')).value))
  if ((await read()) === 'durable') return stream
  await makeDurable(() => {
    stream.closeGracefully()
    stream = openStream(client)
    return read()
  })
  return stream
}

/** Opens a WebSocket and a stream on it. The first call waits until both are ready. */
export const openKeptStream = ({
  url,
  authToken,
  timeoutMs,
  makeDurable,
}: RemoteConnectionOptions): KeptStream => {
  const socket = new WebSocket(url, PROTOCOLS)
  const client = new WsClient(socket, authToken)
  const texts = createStoredTexts(client)
  let isBroken = false
  let isReady = false
  let underWay = 0

  const open = async (): Promise<Stream> => {
    await client.getVersion()
    const stream = await (makeDurable === undefined
      ? openPlain(client)
      : openDurable(client, makeDurable))
    isReady = true
    return stream
  }
  const opened = quiet(open())

  const toStmts = (statements: readonly Statement[]): readonly Stmt[] => {
    const stored = texts.store(statements.map(({ sql }) => sql))
    return statements.map(({ sql, args }, index) =>
      new Stmt(stored[index] ?? sql).bindIndexes(args.map(toWireValue)),
    )
  }

  const awaitOpened = async (deadline: number): Promise<Stream> => {
    try {
      return await until(deadline, timeoutMs, opened)
    } catch (error) {
      throw asUnsent(toRemoteError(toLibsqlError(error)))
    }
  }

  const call = async <T>(work: (stream: Stream) => Promise<T>): Promise<T> => {
    const deadline = performance.now() + timeoutMs
    underWay += 1
    try {
      const stream = await awaitOpened(deadline)
      return await until(deadline, timeoutMs, work(stream))
    } catch (error) {
      const known = toRemoteError(toLibsqlError(error))
      isBroken ||= known.kind === 'unavailable' || known.kind === 'io'
      throw known
    } finally {
      underWay -= 1
    }
  }

  const runBatch = async (
    stream: Stream,
    statements: readonly Statement[],
  ): Promise<readonly StatementResult[]> => {
    const batch = stream.batch()
    const steps = addSteps(batch, toStmts(statements))
    await batch.execute()
    // unless a rollback succeeded, the transaction may still be open
    await steps.rolledBack.catch(() => {
      isBroken = true
    })
    return readSteps(steps)
  }

  return {
    isReady: () => isReady,
    underWay: () => underWay,
    isBroken: () => isBroken || client.closed,
    execute: (statement) =>
      call(async (stream) => {
        const [stmt] = toStmts([statement])
        if (stmt === undefined) throw new Error('A statement is missing.')
        return toResult(await stream.query(stmt))
      }),
    batch: (statements) => call((stream) => runBatch(stream, statements)),
    close: () => {
      client.close()
      // Node's WebSocket can be terminated at once; that of web runtimes cannot
      if (!('terminate' in socket)) return
      setTimeout(() => socket.terminate(), CLOSE_WITHIN_MS).unref()
    },
  }
}
