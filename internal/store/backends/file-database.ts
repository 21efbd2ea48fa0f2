/**
 * The local backend. The whole process uses one libSQL connection, so nothing within the process waits for a lock.
 *
 * Another process may use the same file. The backend then waits for its lock in short steps, between which the event loop
 * runs, for at most `busyTimeoutMs`. It also runs between the stretches of a large transaction (stretches.ts) and between
 * reads that take long (read-turns.ts).
 * It fails with DatabaseError: a failed transaction has changed nothing (`outcome: 'none'`), unless the disk failed during
 * the commit. The connection is replaced after every fault except those of a statement.
 */
import { closeSync, existsSync, fsyncSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { takesNoFile } from '#disk/room.ts'
import { takeOwner } from '#disk/take-owner.ts'
import { resultsOf, statementsOf } from '../batch.ts'
import {
  type Database,
  DatabaseError,
  type DatabaseErrorKind,
  type Statement,
} from '../database.ts'
import { currentReader } from '../read-owner.ts'
import { SQL_NOW, sql } from '../sql.ts'
import { createFileCommit, createReadiness, type Readiness } from './file-commit.ts'
import {
  type ConnectionHolder,
  createConnectionHolder,
  toFileError,
} from './file-connection-holder.ts'
import { openFileConnection } from './file-database-connection.ts'
import { createForeignCommits, type ForeignCommits } from './foreign-commits.ts'
import { createGroupCommit } from './group-commit.ts'
import { mergeBatches } from './merge-batches.ts'
import { createReadTurns } from './read-turns.ts'

export type FileDatabaseOptions = Readonly<{
  path: string
  /**
   * Milliseconds that a read or write waits for other processes.
   * @default 10 s
   */
  busyTimeoutMs?: number
  /**
   * Whether this connection moves the write-ahead log into the file when the log is long. False for a further connection of
   * the process, for example of a thread.
   * @default true
   */
  autoCheckpoint?: boolean
}>

const BUSY_WAIT_MS = 100
const MAX_PAUSE_MS = 20

/**
 * Refuses a missing file whose log is there. SQLite deletes the log of an empty file, so a file that is put back later would
 * lack its last changes.
 * @throws {DatabaseError} corrupt
 */
export const refuseLoneLog = (path: string): void => {
  const log = `${path}-wal`
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return
  const message = `The database file ${path} is missing, but ${log} with its last changes is there. Put the file back; for a new database, move the log away`
  throw new DatabaseError(message, { kind: 'corrupt', outcome: 'none' })
}

/** Creates the file, readable only by its owner, that of its folder. SQLite gives its log and shared memory the same permissions. */
const createFile = (path: string): void => {
  if (existsSync(path)) return
  refuseLoneLog(path)
  closeSync(openSync(path, 'a', 0o600))
  takeOwner(path, dirname(path))
  const directory = openSync(dirname(path), 'r')
  fsyncSync(directory)
  closeSync(directory)
}

const pause = (): Promise<void> => setTimeout(1 + Math.random() * MAX_PAUSE_MS)

const retryWhileBusy = async <T>(
  pending: Readiness,
  timeoutMs: number,
  work: () => T | Promise<T>,
): Promise<T> => {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      for (let wait = pending(); wait !== null; wait = pending()) await wait
      return await work()
    } catch (error) {
      const isBusy = error instanceof DatabaseError && error.kind === 'busy'
      if (!isBusy || performance.now() >= deadline) throw error
    }
    await pause()
  }
}

const readOnce = (holder: ConnectionHolder, foreign: ForeignCommits, statement: Statement) => {
  try {
    const connection = holder.current()
    const { rows } = connection.run(statement)
    return { rows, seen: foreign.seenOn(connection) }
  } catch (error) {
    holder.recover(error)
    throw toFileError(error)
  }
}

const execOnce = (holder: ConnectionHolder, text: string): void => {
  try {
    holder.current().exec(text)
  } catch (error) {
    holder.recover(error)
    throw toFileError(error)
  }
}

/**
 * Moves the write-ahead log into the file, so that the file alone is the whole database. Leaving WAL mode locks the whole
 * database, so two connections never do it at once. If another process has it open, the last one to close does it.
 */
const moveLogIntoFile = (holder: ConnectionHolder): void => {
  try {
    holder.current().exec('PRAGMA busy_timeout = 0')
    holder.current().exec('PRAGMA journal_mode = DELETE')
  } catch {
    // nothing is lost: the log stays next to the file and is read at the next start
  }
}

/** SQLite's messages do not name the file or the remedy. */
const OPENING_FAULTS: Partial<Record<DatabaseErrorKind, (path: string) => string>> = {
  corrupt: (path) =>
    `The file ${path} is not a database, or it is damaged. Name another, or restore a backup.`,
  unavailable: (path) =>
    `The file ${path} cannot be opened by this user. Give it the file (chown).`,
  read_only: (path) =>
    `The file ${path} or its folder cannot be written to by this user. Give it both (chown), or make their disk writable.`,
}

/** SQLite does not report why it could not create its log. @returns null if the disk has room */
const toFullDisk = (path: string, cause: unknown): DatabaseError | null => {
  if (toFileError(cause).kind !== 'unavailable' || !takesNoFile(dirname(path))) return null
  const message = `No more files fit on the disk of ${path}`
  return new DatabaseError(message, { kind: 'full', outcome: 'none', cause })
}

const explainOpening = (path: string, error: unknown): unknown => {
  if (!(error instanceof DatabaseError)) return error
  const message = OPENING_FAULTS[error.kind]?.(path)
  if (message === undefined) return error
  return new DatabaseError(message, { kind: error.kind, outcome: 'none', cause: error })
}

/** @throws {DatabaseError} the file cannot be opened or is not a database */
export const openFileDatabase = async (options: FileDatabaseOptions): Promise<Database> => {
  const { path, busyTimeoutMs = 10_000, autoCheckpoint = true } = options
  try {
    createFile(path)
  } catch (error) {
    throw toFileError(error)
  }
  const holder = createConnectionHolder(path, () => {
    // opening would create an empty file in its place
    if (!existsSync(path)) {
      const gone = { kind: 'unavailable', outcome: 'none' } as const
      throw new DatabaseError(`The database file ${path} is gone.`, gone)
    }
    try {
      return openFileConnection({ path, busyWaitMs: BUSY_WAIT_MS })
    } catch (error) {
      throw toFullDisk(path, error) ?? error
    }
  })
  const foreign = createForeignCommits(holder)
  const pending = createReadiness(holder)
  const turns = createReadTurns(pending)
  const read = async (statement: Statement) => {
    const once = () => readOnce(holder, foreign, statement)
    const { rows, seen } = await turns(currentReader(), () =>
      retryWhileBusy(pending, busyTimeoutMs, once),
    )
    if (seen !== null) await foreign.settle(seen)
    return rows
  }
  const countFreePages = async () =>
    Number((await read(sql`PRAGMA freelist_count`))[0]?.freelist_count)
  const { commit, noteReclaimed } = createFileCommit(holder, foreign, autoCheckpoint)
  const group = createGroupCommit((batches) =>
    retryWhileBusy(pending, busyTimeoutMs, async () => {
      // a job merged with others costs 70 µs of processor time, and 84 µs with its own statements
      const { statements, split } = mergeBatches(batches)
      return split(await commit(statements, batches.length))
    }),
  )
  // the first read opens the file, so that a wrong path fails here
  await read(sql`SELECT count(*) FROM sqlite_schema`).catch((error: unknown) => {
    holder.close()
    throw explainOpening(path, error)
  })

  return {
    backend: 'file',
    one: async (statement) => (await read(statement))[0] ?? null,
    all: read,
    write: async (batch, options) =>
      resultsOf(batch, await group.write(statementsOf(batch), options)),
    now: async () => Number((await read(sql`SELECT ${SQL_NOW} AS now`))[0]?.now),
    dataVersion: async () => Number((await read(sql`PRAGMA data_version`))[0]?.data_version),
    reclaim: async (maxPages) => {
      if ((await countFreePages()) === 0) return 0
      // a statement that is stepped only once would free a single page
      await retryWhileBusy(pending, busyTimeoutMs, () =>
        execOnce(holder, `PRAGMA incremental_vacuum(${Math.trunc(maxPages)})`),
      )
      noteReclaimed(maxPages)
      return countFreePages()
    },
    renew: () => undefined,
    close: async () => {
      await group.close()
      // it would delete the log, and the next start would begin an empty database instead of asking for the missing file
      if (!existsSync(path)) return
      if (autoCheckpoint) moveLogIntoFile(holder)
      holder.close()
    },
  }
}
