/**
 * Watches the outcomes of a database's statements, so that health checks know whether the node can work.
 *
 * It guarantees: after a write that failed because of the database, `check` returns the reason until a write of at least the
 * same size succeeds. Only while writes fail, `check` tries one itself, at most once a second. Damage to the file is reported
 * until the node restarts, because a write that misses the damaged page proves nothing.
 */
import { sizeOfValues, statementsOf } from './batch.ts'
import { type Database, DatabaseError, type DatabaseErrorKind, type Statement } from './database.ts'
import { type Durability, findDurability, type MakeDurable } from './durability.ts'
import { deleteMeta, upsertMeta } from './meta.ts'
import { findMigratedSchema, type Schema } from './migrate.ts'
import { findInstanceStatus, type InstanceStatus } from './nodes/instance-status.ts'
import { raw, sql } from './sql.ts'

export interface DatabaseCondition {
  /** The durability that was read last; null before the first read. */
  readonly durability: Durability | null
  /** @throws {DatabaseError} */
  readDurability(): Promise<Durability>
  /** The schema that was read last; null before the first read. */
  readonly schema: Schema | null
  /** @throws {DatabaseError} also where the database is empty */
  readSchema(): Promise<Schema>
  /** Reads durability, schema and more of the instance at once (nodes/instance-status.ts). @throws {DatabaseError} */
  readInstanceStatus(withinMs: number): Promise<InstanceStatus>
  /** Why writes fail, or null while they succeed. */
  check(): Promise<DatabaseErrorKind | null>
}

const NOTHING = sql``

type Failure = Readonly<{ kind: DatabaseErrorKind; bytes: number; text: string }>

const TRY_EVERY_MS = 1_000
/** The size of one page. If a smaller write succeeded, a larger one might still find no room. */
const MIN_TRY_BYTES = 4_096
const MAX_TRY_BYTES = 1_048_576

const OF_STATEMENT: readonly DatabaseErrorKind[] = ['constraint', 'too_large', 'moving', 'other']
const OF_CONTENT: readonly DatabaseErrorKind[] = ['corrupt', 'missing_table']

const toFailure = (error: unknown, statements: readonly Statement[]): Failure | null =>
  error instanceof DatabaseError && !OF_STATEMENT.includes(error.kind)
    ? { kind: error.kind, bytes: sizeOfValues(statements), text: statements[0]?.sql ?? '' }
    : null

/** @throws {DatabaseError} writes still fail */
const tryWrite = async (db: Database, { kind, bytes, text }: Failure): Promise<void> => {
  // planning the statement is enough to find out whether its tables exist
  if (kind === 'missing_table') await db.all(raw(`EXPLAIN ${text}`))
  const ballast = 'x'.repeat(Math.min(Math.max(bytes, MIN_TRY_BYTES), MAX_TRY_BYTES))
  await db.write([upsertMeta('write_check', ballast)], { retry: true })
  await db.write([deleteMeta('write_check')], { retry: true })
}

export type WatchOptions = Readonly<{
  /**
   * Called when the database is found to be relaxed.
   * @default nothing is done
   */
  makeDurable?: MakeDurable
  monotonicNow?: () => number
}>

/** Keeps the last failure of a write until a write of at least its size has succeeded. */
const createWriteWatch = (db: Database, monotonicNow: () => number) => {
  let failure: Failure | null = null
  let triedAt = Number.NEGATIVE_INFINITY
  return {
    onWritten: (statements: readonly Statement[]): void => {
      if (failure === null || OF_CONTENT.includes(failure.kind)) return
      if (sizeOfValues(statements) >= failure.bytes) failure = null
    },
    onFailed: (found: Failure, isWrite: boolean): void => {
      if (isWrite || OF_CONTENT.includes(found.kind)) failure = found
    },
    check: async (): Promise<DatabaseErrorKind | null> => {
      const known = failure
      if (known === null) return null
      if (known.kind === 'corrupt' || monotonicNow() - triedAt < TRY_EVERY_MS) return known.kind
      triedAt = monotonicNow()
      try {
        await tryWrite(db, known)
        // a write that failed meanwhile takes precedence
        if (failure === known) failure = null
      } catch (error) {
        const kind = toFailure(error, [])?.kind ?? known.kind
        if (failure === known) failure = { ...known, kind }
      }
      return failure === null ? null : failure.kind
    },
  }
}

/** Wraps a database. Use the returned `db` instead of it. */
export const watchDatabase = (
  db: Database,
  {
    makeDurable = async () => 'relaxed',
    monotonicNow = () => performance.now(),
  }: WatchOptions = {},
): Readonly<{ db: Database; condition: DatabaseCondition }> => {
  let durability: Durability | null = null
  let schema: Schema | null = null
  let wasAway = false
  const writes = createWriteWatch(db, monotonicNow)

  /** Returns what was found. If it is relaxed and can be made durable, reads it again and returns that. */
  const settle = async (found: Durability): Promise<Durability> => {
    durability = found
    if (found === 'relaxed') {
      durability = await makeDurable(() => {
        db.renew()
        return findDurability(db)
      })
    }
    return durability
  }
  const readDurability = async (): Promise<Durability> => settle(await findDurability(db))
  const readSchema = async (): Promise<Schema> => {
    schema = await findMigratedSchema(db)
    return schema
  }
  const readInstanceStatus = async (withinMs: number): Promise<InstanceStatus> => {
    const status = await findInstanceStatus(db, withinMs)
    schema = status.schema
    return { ...status, durability: await settle(status.durability) }
  }
  const onAnswer = (): void => {
    if (!wasAway) return
    // a different server may answer under this address now; if the read fails, the next answer causes another read
    wasAway = false
    readDurability().catch(() => {
      wasAway = true
    })
  }
  const onFailed = (error: unknown, statements: readonly Statement[], isWrite: boolean): void => {
    const found = toFailure(error, statements)
    wasAway ||= found?.kind === 'unavailable'
    if (found !== null) writes.onFailed(found, isWrite)
  }

  const read = async <Result>(answer: Promise<Result>, statement: Statement): Promise<Result> => {
    try {
      const result = await answer
      onAnswer()
      return result
    } catch (error) {
      onFailed(error, [statement], false)
      throw error
    }
  }
  const write: Database['write'] = async (batch, options) => {
    const statements = statementsOf(batch)
    try {
      const results = await db.write(batch, options)
      onAnswer()
      writes.onWritten(statements)
      return results
    } catch (error) {
      onFailed(error, statements, true)
      throw error
    }
  }

  return {
    condition: {
      get durability() {
        return durability
      },
      readDurability,
      get schema() {
        return schema
      },
      readSchema,
      readInstanceStatus,
      check: writes.check,
    },
    db: {
      ...db,
      one: (statement, options) => read(db.one(statement, options), statement),
      all: (statement) => read(db.all(statement), statement),
      now: () => read(db.now(), NOTHING),
      write,
    },
  }
}
