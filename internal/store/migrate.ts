/**
 * Migrates a database to this binary's schema.
 *
 * It guarantees: it only moves forward; each migration is one atomic batch together with its row in `schema_migrations`; each
 * migration runs once, even if several nodes start at once. A newer database is refused with SchemaError and not changed,
 * unless its migrations allow older code to continue [wire 9.5].
 */
import { createHash } from 'node:crypto'
import { asNumber, asNumberOrNull, asText } from './column.ts'
import { type Database, DatabaseError, type Reader, type Row, type Statement } from './database.ts'
import { findMeta, MOVE_MARK } from './meta.ts'
import { MIGRATIONS } from './migrations.gen.ts'
import { text } from './row.ts'
import { listed, raw, SQL_NOW, sql } from './sql.ts'

/** The node must exit, because waiting does not help [wire 9.5]. */
export class SchemaError extends Error {
  override readonly name: string = 'SchemaError'
}

/** The message about a database that `svc db move` has not filled completely. */
export const MOVE_UNFINISHED =
  'The database does not have all rows of a move yet. Run the move again: svc db move <url>'

/** A newer binary has migrated this database in a way that does not allow this binary to use it. */
export class SchemaTooNewError extends SchemaError {
  override readonly name = 'SchemaTooNewError'
}

/** The database has not been migrated to this binary's schema yet. Waiting helps if another process migrates it. */
export class SchemaTooOldError extends Error {
  override readonly name = 'SchemaTooOldError'
}

/** A migration that has run differs from the one in this binary. */
export class SchemaChangedError extends SchemaError {
  override readonly name = 'SchemaChangedError'
}

/** The database belongs to another program. */
export class ForeignDatabaseError extends SchemaError {
  override readonly name = 'ForeignDatabaseError'

  /** @param table a table that svc did not make */
  constructor(table: string) {
    super(
      `The database has a table ${table} that svc did not make, so it belongs to another program. Give svc a database of its own (SVC_DATABASE_URL or SVC_DATA_DIR).`,
    )
  }
}

export type Migration = Readonly<{
  version: number
  name: string
  /** The schema of the oldest code that may continue after this migration. @default its own version */
  oldestCode?: number
  statements: readonly string[]
}>

export type SchemaChange = Readonly<{ from: number; to: number }>

export type Migrated = SchemaChange &
  Readonly<{
    /** The number of migrations that this call ran. Another node that migrates meanwhile runs the others. */
    ran: number
  }>

/** The schema of a database, and which code works on it. */
export type Schema = Readonly<{
  /** The version of the last migration that ran; 0 for an empty database. */
  version: number
  /** Code of this schema or later works on the database. */
  oldestCode: number
}>

/** The version that this binary knows. */
export const SCHEMA_VERSION = MIGRATIONS.at(-1)?.version ?? 0

/** Returns whether code of the schema `known` works on a database. It does not check that the database is new enough. */
export const serves = ({ version, oldestCode }: Schema, known: number = SCHEMA_VERSION): boolean =>
  version <= known || oldestCode <= known

/** Reads the schema of a database. @throws {DatabaseError} */
export const findSchema = async (db: Reader): Promise<Schema> => {
  if (!(await hasMigrations(db))) return { version: 0, oldestCode: 0 }
  return toSchema(await db.one(LAST))
}

/** Reads the schema of a database that has one, in a single read. @throws {DatabaseError} */
export const findMigratedSchema = async (db: Reader): Promise<Schema> =>
  toSchema(await db.one(LAST))

/** Returns the version of the last migration that ran; 0 for an empty database. @throws {DatabaseError} */
export const findSchemaVersion = async (db: Reader): Promise<number> =>
  (await findSchema(db)).version

/**
 * Returns the milliseconds since a migration last ran if others of this binary have not; null if there is nothing to finish.
 * @throws {DatabaseError}
 */
export const findUnfinishedMs = async (db: Reader): Promise<number | null> => {
  if (!(await hasMigrations(db))) return null
  const row = await db.one(sql`SELECT version, ${SQL_NOW} - applied_at AS age
    FROM schema_migrations ORDER BY version DESC LIMIT 1`)
  return row === null || asNumber(row.version) >= SCHEMA_VERSION ? null : asNumber(row.age)
}

/** Selects all columns, since older databases have no `oldest_code`. */
const LAST = sql`SELECT * FROM schema_migrations ORDER BY version DESC LIMIT 1`

const toSchema = (row: Row | null): Schema => {
  if (row === null) return { version: 0, oldestCode: 0 }
  const version = asNumber(row.version)
  return { version, oldestCode: asNumberOrNull(row.oldest_code ?? null) ?? version }
}

/**
 * Runs the migrations that have not run yet. It runs none on a newer database that this code may use.
 * @param migrations other than the binary's own only in tests
 * @param beforeFirst called before the first change of an existing schema; if it throws, the database is not changed
 * @throws {SchemaError} the database is newer than this binary, a migration was changed after it ran, or a move to the database
 * has not ended
 * @throws {DatabaseError}
 */
export const migrate = async (
  db: Database,
  migrations: readonly Migration[] = MIGRATIONS,
  beforeFirst: (change: SchemaChange) => Promise<void> = async () => undefined,
): Promise<Migrated> => {
  const from = await checkSchema(db, migrations)
  const to = Math.max(migrations.at(-1)?.version ?? 0, from)
  if (from > 0 && from < to) await beforeFirst({ from, to })
  let ran = 0
  for (const migration of migrations) {
    if (migration.version > from && (await apply(db, migration, migrations))) ran += 1
  }
  return { from, to, ran }
}

/**
 * Checks the schema on nodes that do not migrate.
 * @throws {SchemaTooOldError | SchemaError}
 * @throws {DatabaseError}
 */
export const requireSchema = async (db: Database): Promise<void> => {
  const version = await checkSchema(db, MIGRATIONS)
  if (version >= SCHEMA_VERSION) return
  throw new SchemaTooOldError(
    version === 0
      ? 'The database is empty. Start a server first, or run `svc db migrate`.'
      : `The database has schema ${version}, this svc needs ${SCHEMA_VERSION}. Upgrade the server first, or run \`svc db migrate\`.`,
  )
}

const checksum = ({ statements }: Migration): string =>
  createHash('sha256').update(statements.join(';\n')).digest('hex')

/**
 * Returns the first migration that ran with other statements than it has in this binary; null if there is none.
 * @param applied the checksum of every migration that has run, by version
 */
export const findChanged = (
  applied: ReadonlyMap<number, string>,
  migrations: readonly Migration[] = MIGRATIONS,
): Migration | null =>
  migrations.find((migration) => {
    const found = applied.get(migration.version)
    return found !== undefined && found !== checksum(migration)
  }) ?? null

/** @throws {ForeignDatabaseError} another program has made the table of this name, as many do */
const hasMigrations = async (db: Reader): Promise<boolean> => {
  const made = await text.one(
    db,
    sql`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'`,
  )
  if (made !== null && !made.includes('checksum')) {
    throw new ForeignDatabaseError('schema_migrations')
  }
  return made !== null
}

/**
 * Finds a table that the first migration would make, in a database in which none ran; null if there is none. It is one read, because
 * another node may migrate meanwhile.
 */
const findForeignTable = (db: Reader, [first]: readonly Migration[]): Promise<string | null> => {
  const names = (first?.statements ?? []).flatMap(
    (statement) => /^CREATE TABLE (\w+)/i.exec(statement)?.[1] ?? [],
  )
  return text.one(
    db,
    sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ${listed(names)}
      AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations') ORDER BY name LIMIT 1`,
  )
}

/** Returns the checksum of every migration that has run, by version. */
const findApplied = async (db: Reader): Promise<ReadonlyMap<number, string>> => {
  const rows = await db.all(sql`SELECT version, checksum FROM schema_migrations`)
  return new Map(rows.map((row) => [asNumber(row.version), asText(row.checksum)]))
}

/** Makes the error for code of the schema `known` that must not use a database. */
export const schemaTooNew = ({ version, oldestCode }: Schema, known: number): SchemaTooNewError =>
  new SchemaTooNewError(
    `The database has schema ${version}, which serves code of schema ${oldestCode} and later; this svc knows ${known}. Start the newer svc in place of this one, or restore a backup.`,
  )

/** Returns the database's version, if this code may use it. */
const checkSchema = async (db: Database, migrations: readonly Migration[]): Promise<number> => {
  const schema = await findSchema(db)
  const refusal = await findRefusal(db, schema, migrations)
  if (refusal !== null) throw refusal
  return schema.version
}

/**
 * Returns why this code may not use a database: it belongs to another program, is too new, its migrations have changed, or it does
 * not have all its rows. Null if this code may use it.
 * @throws {DatabaseError}
 */
export const findRefusal = async (
  db: Reader,
  schema: Schema,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<SchemaError | null> => {
  if (schema.version === 0) {
    const foreign = await findForeignTable(db, migrations)
    return foreign === null ? null : new ForeignDatabaseError(foreign)
  }
  const known = migrations.at(-1)?.version ?? 0
  if (!serves(schema, known)) return schemaTooNew(schema, known)
  const changed = findChanged(await findApplied(db), migrations)
  if (changed !== null) {
    return new SchemaChangedError(
      `Migration ${changed.version} (${changed.name}) of this svc is not the one that made the database. Start the svc that made it, or restore a backup.`,
    )
  }
  return (await findMeta(db, MOVE_MARK)) === null ? null : new SchemaError(MOVE_UNFINISHED)
}

/** Migrations from before the column existed declare nothing, so only their own code can use them. */
const recordOldestCode = ({ version, oldestCode }: Migration): readonly Statement[] =>
  oldestCode === undefined
    ? []
    : [sql`UPDATE schema_migrations SET oldest_code = ${oldestCode} WHERE version = ${version}`]

/** The table of migrations that ran. The first migration needs it, and later ones extend it. */
export const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS schema_migrations (
      version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL,
      applied_at INTEGER NOT NULL) STRICT`

/** Returns false if it had run before. */
const apply = async (
  db: Database,
  migration: Migration,
  migrations: readonly Migration[],
): Promise<boolean> => {
  const statements = [
    raw(MIGRATIONS_TABLE),
    // inserted first, so that a node that comes second fails here and changes nothing
    sql`INSERT INTO schema_migrations (version, name, checksum, applied_at)
      VALUES (${migration.version}, ${migration.name}, ${checksum(migration)}, ${SQL_NOW})`,
    ...migration.statements.map((statement) => raw(statement)),
    ...recordOldestCode(migration),
  ]
  try {
    await db.write(statements, { retry: true })
    return true
  } catch (error) {
    // another node was first, or this node's first try succeeded but its answer was lost
    const mayBeDone = error instanceof DatabaseError && error.kind === 'constraint'
    if (mayBeDone && (await checkSchema(db, migrations)) >= migration.version) return false
    throw error
  }
}
