/**
 * The interface of the database. It has two backends: a local libSQL file, and sqld over the network.
 *
 * It guarantees: a `write` is one atomic batch; a `write` that resolved survives kill -9, and power loss where the
 * database is durable (store/durability.ts: a file always is, a server when it is configured so); reads see every write
 * that resolved before them in this process.
 * It has no interactive transaction on purpose, because over sqld each takes several round trips that lock the only
 * writer (docs/architecture.md).
 */

/** What a parameter or column holds. Blobs always come back as Uint8Array. */
export type SqlValue = string | number | null | Uint8Array

/**
 * One SQL text with positional arguments, made by the templates of store/sql.ts. Texts are few and constant, so that
 * backends cache them prepared.
 */
export type Statement = Readonly<{
  sql: string
  args: readonly SqlValue[]
  /** How this statement, and those behind it in its batch, are written for many rows at once. */
  asMany?: OneOfMany
}>

/**
 * One row of a batch that a backend may write together with the rows of equal batches next to it. Over the network a statement costs
 * the server some 80 µs before it has done anything.
 */
export type OneOfMany = Readonly<{ many: ManyRows; row: readonly SqlValue[] }>

export type ManyRows = Readonly<{
  /** Statements of a batch for one row. */
  length: number
  toStatements: (rows: readonly (readonly SqlValue[])[]) => readonly Statement[]
  /** The results that the batch of each row would have had by itself. */
  split: (
    rows: readonly (readonly SqlValue[])[],
    results: readonly StatementResult[],
  ) => readonly (readonly StatementResult[])[]
}>

export type Row = Readonly<Record<string, SqlValue>>

export type StatementResult = Readonly<{ rows: readonly Row[]; changes: number }>

/**
 * Statements under names: one, several or none (null) each. They run in the order in which they are written down, which
 * is what `changes()` and guards go by.
 */
export type NamedBatch = Readonly<Record<string, Statement | readonly Statement[] | null>>

export type AnyBatch = readonly Statement[] | NamedBatch

type ResultOf<Part> = Part extends readonly Statement[]
  ? readonly StatementResult[]
  : Part extends Statement
    ? StatementResult
    : null

/** A list gives one result for each statement, a named batch one for each name. */
export type BatchResults<B extends AnyBatch> = B extends readonly Statement[]
  ? readonly StatementResult[]
  : { readonly [Name in keyof B]: ResultOf<B[Name]> }

export type WriteOptions = Readonly<{
  /**
   * True when running the batch twice does no more than running it once (ids made by the caller, guarded updates).
   * Only then is a batch whose outcome is unknown, because the connection broke, retried.
   * @default false
   */
  retry?: boolean
  /**
   * Called each time the batch has taken its place in the order of writes: at a retry again, and once more where later batches ran
   * before it (group-commit.ts). A write that is made within
   * the call comes after the batch, and shares its commit unless the group is full.
   */
  onQueued?: () => void
  /** Called each time a commit takes the batch: what is written from then on is in a later commit. */
  onTaken?: () => void
  /** Runs behind all other batches of its commit, also behind those that came later. @default false */
  last?: boolean
}>

export type ReadOptions = Readonly<{
  /** True gives the row of an earlier read where nothing is known to have changed it, at most 250 ms old (row-reuse.ts). */
  reuse?: boolean
}>

export interface Database {
  readonly backend: 'file' | 'remote'

  /** The first row, or null. @throws {DatabaseError} */
  one(statement: Statement, options?: ReadOptions): Promise<Row | null>

  /** @throws {DatabaseError} */
  all(statement: Statement): Promise<readonly Row[]>

  /**
   * Runs the statements as one atomic batch, in order. Of named statements the results come back under the same names;
   * of a list each result has its statement's place.
   * Calls that arrive while another is being committed share the next commit, each with its own outcome.
   * `changes()` in a statement refers to the statement before it in the same batch.
   * @throws {DatabaseError} nothing was written, or with `outcome: 'unknown'` the batch may have been
   */
  write<const B extends AnyBatch>(batch: B, options?: WriteOptions): Promise<BatchResults<B>>

  /** The database's own clock, milliseconds since 1970. */
  now(): Promise<number>

  /** Changes when another connection commits to the file; always null for a server. */
  dataVersion(): Promise<number | null>

  /**
   * Returns pages of deleted rows to the disk, at most `maxPages` a call, so that a call is short. A server does this
   * itself, so for the remote backend this does nothing.
   * @returns how many pages are left to return
   */
  reclaim(maxPages: number): Promise<number>

  /** Statements from now on use new connections, which take over settings of a server. */
  renew(): void

  close(): Promise<void>
}

/** The part of a database that reads use. */
export type Reader = Pick<Database, 'one' | 'all' | 'now'>

/**
 * `read_only`, `full`, `io`: faults of the disk. `corrupt`: a page does not hold what SQLite wrote there.
 * `missing_table`: the schema is not svc's. `too_large`: more than the database takes as one value.
 * `moving`: the workspace is on its way to another database. `other`: a fault of the statement, so a bug of svc.
 */
export type DatabaseErrorKind =
  | 'constraint'
  | 'unavailable'
  | 'busy'
  | 'full'
  | 'read_only'
  | 'io'
  | 'corrupt'
  | 'missing_table'
  | 'too_large'
  | 'moving'
  | 'other'

/** `outcome` is `unknown` when the failed write may have been committed. */
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
