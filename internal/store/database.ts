/**
 * The interface of the database. It has two backends: a local libSQL file, and sqld over the network.
 *
 * It guarantees: a `write` is one atomic batch; a resolved `write` survives kill -9, and also power loss if the database is
 * durable (store/durability.ts: a file always is, a server only if configured so); reads see every write that resolved before
 * them in this process.
 * It deliberately has no interactive transactions: over sqld each takes several round trips, during which it locks out all
 * other writers (docs/architecture.md).
 */

/** The value of a parameter or column. Blobs are always returned as Uint8Array. */
export type SqlValue = string | number | null | Uint8Array

/**
 * One SQL text with positional arguments, made by the templates of store/sql.ts. Texts are few and constant, so that backends
 * can cache prepared statements.
 */
export type Statement = Readonly<{
  sql: string
  args: readonly SqlValue[]
  /** How many statements of one row take as long as this one. @default 1 */
  weight?: number
  /** How to write this statement, and those after it in its batch, for many rows at once. */
  asMany?: OneOfMany
}>

/**
 * One row of a batch that a backend may write together with the rows of equal batches next to it. Over the network, each
 * statement costs the server about 80 µs in addition to its work.
 */
export type OneOfMany = Readonly<{ many: ManyRows; row: readonly SqlValue[] }>

export type ManyRows = Readonly<{
  /** Number of statements in the batch of one row. */
  length: number
  toStatements: (rows: readonly (readonly SqlValue[])[]) => readonly Statement[]
  /** Returns the results that the batch of each row would have had alone. */
  split: (
    rows: readonly (readonly SqlValue[])[],
    results: readonly StatementResult[],
  ) => readonly (readonly StatementResult[])[]
}>

export type Row = Readonly<Record<string, SqlValue>>

export type StatementResult = Readonly<{ rows: readonly Row[]; changes: number }>

/**
 * Statements by name: one, several or none (null) each. They run in the order of the names, on which `changes()` and guards
 * depend.
 */
export type NamedBatch = Readonly<Record<string, Statement | readonly Statement[] | null>>

export type AnyBatch = readonly Statement[] | NamedBatch

type ResultOf<Part> = Part extends readonly Statement[]
  ? readonly StatementResult[]
  : Part extends Statement
    ? StatementResult
    : null

/** A list has one result for each statement, a named batch one for each name. */
export type BatchResults<B extends AnyBatch> = B extends readonly Statement[]
  ? readonly StatementResult[]
  : { readonly [Name in keyof B]: ResultOf<B[Name]> }

export type WriteOptions = Readonly<{
  /**
   * True if running the batch twice has the same effect as running it once (ids made by the caller, guarded updates).
   * Only then is a batch retried whose outcome is unknown because the connection broke.
   * @default false
   */
  retry?: boolean
  /**
   * Called each time the batch has its place in the order of writes: also at each retry, and again if later batches ran before
   * it (group-commit.ts). A write made within the call comes after the batch and shares its commit unless the group is full.
   */
  onQueued?: () => void
  /** Called each time a commit takes the batch. Later writes are in a later commit. */
  onTaken?: () => void
  /** Runs after all other batches of its commit, including those that were written later. @default false */
  last?: boolean
}>

export type ReadOptions = Readonly<{
  /** True may return the row of an earlier read, at most 250 ms old, if no known write has changed it (row-reuse.ts). */
  reuse?: boolean
}>

export interface Database {
  readonly backend: 'file' | 'remote'

  /** Returns the first row, or null. @throws {DatabaseError} */
  one(statement: Statement, options?: ReadOptions): Promise<Row | null>

  /** @throws {DatabaseError} */
  all(statement: Statement): Promise<readonly Row[]>

  /**
   * Runs the statements in order as one atomic batch. A named batch returns its results under the same names, a list returns
   * them in the order of its statements.
   * Calls that arrive during another commit share the next commit, each with its own outcome.
   * `changes()` in a statement refers to the previous statement of the same batch.
   * @throws {DatabaseError} nothing was written; with `outcome: 'unknown'`, the batch may have been written
   */
  write<const B extends AnyBatch>(batch: B, options?: WriteOptions): Promise<BatchResults<B>>

  /** Returns the database's clock, in milliseconds since 1970. */
  now(): Promise<number>

  /** Returns a number that changes when another connection commits to the file; always null for a server. */
  dataVersion(): Promise<number | null>

  /**
   * Returns pages of deleted rows to the disk, at most `maxPages` per call, so that a call is short. The remote backend does
   * nothing, because a server does this itself.
   * @returns how many pages are left to return
   */
  reclaim(maxPages: number): Promise<number>

  /** Makes later statements use new connections, which take over changed settings of a server. */
  renew(): void

  close(): Promise<void>
}

/** The part of a database that reading needs. */
export type Reader = Pick<Database, 'one' | 'all' | 'now'>

/**
 * `read_only`, `full`, `io`: faults of the disk. `gone`: the file is not in its place any more. `corrupt`: a page does not
 * contain what SQLite wrote.
 * `missing_table`: the schema is not that of svc. `too_large`: the value is larger than the database accepts.
 * `moving`: the workspace is moving to another database. `other`: a fault of the statement, so a bug of svc.
 */
export type DatabaseErrorKind =
  | 'constraint'
  | 'unavailable'
  | 'busy'
  | 'full'
  | 'read_only'
  | 'io'
  | 'gone'
  | 'corrupt'
  | 'missing_table'
  | 'too_large'
  | 'moving'
  | 'other'

/** An error of the database. `outcome` is `unknown` if the failed write may have been committed. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly kind: DatabaseErrorKind
  readonly outcome: 'none' | 'unknown'

  constructor(
    message: string,
    options: Readonly<{ kind: DatabaseErrorKind; outcome: 'none' | 'unknown'; cause?: unknown }>,
  ) {
    super(message, { cause: options.cause })
    this.kind = options.kind
    this.outcome = options.outcome
  }
}
