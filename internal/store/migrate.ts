/**
 * Brings a database to this binary's schema.
 *
 * It guarantees: forward only; each migration is one atomic batch together with its row in `schema_migrations`; nodes
 * that start at once do each migration once. A database that this binary does not know is refused by SchemaError,
 * untouched.
 */
import { createHash } from 'node:crypto'
import { asNumber, asText } from './column.ts'
import { type Database, DatabaseError, type Reader } from './database.ts'
import { MIGRATIONS } from './migrations.gen.ts'
import { exists } from './row.ts'
import { raw, SQL_NOW, sql } from './sql.ts'

/** The node must exit, because waiting does not help [wire 9.5]. */
export class SchemaError extends Error {
  override readonly name: string = 'SchemaError'
}

/** A newer binary has migrated this database. */
export class SchemaTooNewError extends SchemaError {
  override readonly name = 'SchemaTooNewError'
}

/** The database was not migrated to this binary's schema yet. Waiting helps when another process migrates it. */
export class SchemaTooOldError extends Error {
  override readonly name = 'SchemaTooOldError'
}

/** A migration that has run is not the one that this binary carries. */
export class SchemaChangedError extends SchemaError {
  override readonly name = 'SchemaChangedError'
}

export type Migration = Readonly<{
  version: number
  name: string
  statements: readonly string[]
}>

export type Migrated = Readonly<{ from: number; to: number }>

/** The version that this binary knows. */
export const SCHEMA_VERSION = MIGRATIONS.at(-1)?.version ?? 0

/** The version of the last migration that ran; 0 for an empty database. @throws {DatabaseError} */
export const findSchemaVersion = async (db: Reader): Promise<number> => {
  const applied = await findApplied(db)
  return Math.max(0, ...applied.keys())
}

/**
 * Runs the migrations that have not run.
 * @param migrations others than the binary's own only in tests
 * @param beforeFirst called before the first one changes a schema that is there; what it throws leaves the database as it is
 * @throws {SchemaError} the database is newer than this binary, or a migration was changed after it ran
 * @throws {DatabaseError}
 */
export const migrate = async (
  db: Database,
  migrations: readonly Migration[] = MIGRATIONS,
  beforeFirst: (change: Migrated) => void = () => undefined,
): Promise<Migrated> => {
  const from = await checkSchema(db, migrations)
  const to = migrations.at(-1)?.version ?? 0
  if (from > 0 && from < to) beforeFirst({ from, to })
  for (const migration of migrations) {
    if (migration.version > from) await apply(db, migration, migrations)
  }
  return { from, to }
}

/**
 * Checks the schema on nodes that do not migrate.
 * @throws {SchemaTooOldError | SchemaError}
 * @throws {DatabaseError}
 */
export const requireSchema = async (db: Database): Promise<void> => {
  const version = await checkSchema(db, MIGRATIONS)
  if (version === SCHEMA_VERSION) return
  throw new SchemaTooOldError(
    version === 0
      ? 'The database is empty. Start a server first, or run: svc db migrate'
      : `The database has schema ${version}, this svc needs ${SCHEMA_VERSION}. Upgrade the server first, or run: svc db migrate`,
  )
}

const checksum = ({ statements }: Migration): string =>
  createHash('sha256').update(statements.join(';\n')).digest('hex')

/** Version and checksum of every migration that has run. */
const findApplied = async (db: Reader): Promise<ReadonlyMap<number, string>> => {
  const hasTable = await exists(
    db,
    sql`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'`,
  )
  if (!hasTable) return new Map()
  const rows = await db.all(sql`SELECT version, checksum FROM schema_migrations`)
  return new Map(rows.map((row) => [asNumber(row.version), asText(row.checksum)]))
}

/** The database's version, when these migrations made it. */
const checkSchema = async (db: Database, migrations: readonly Migration[]): Promise<number> => {
  const applied = await findApplied(db)
  const from = Math.max(0, ...applied.keys())
  const known = migrations.at(-1)?.version ?? 0
  if (from > known) {
    throw new SchemaTooNewError(
      `The database has schema ${from}, this svc knows ${known}. Start the newer svc that migrated it, or restore a backup.`,
    )
  }
  for (const migration of migrations) {
    const found = applied.get(migration.version)
    if (found !== undefined && found !== checksum(migration)) {
      throw new SchemaChangedError(
        `Migration ${migration.version} (${migration.name}) of this svc is not the one that made the database. Start the svc that made it, or restore a backup.`,
      )
    }
  }
  return from
}

const apply = async (
  db: Database,
  migration: Migration,
  migrations: readonly Migration[],
): Promise<void> => {
  const statements = [
    sql`CREATE TABLE IF NOT EXISTS schema_migrations (
      version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL,
      applied_at INTEGER NOT NULL) STRICT`,
    // before the migration, so that a node which comes second fails here and changes nothing
    sql`INSERT INTO schema_migrations (version, name, checksum, applied_at)
      VALUES (${migration.version}, ${migration.name}, ${checksum(migration)}, ${SQL_NOW})`,
    ...migration.statements.map((statement) => raw(statement)),
  ]
  try {
    await db.write(statements, { retry: true })
  } catch (error) {
    // another node was first, or the first try of this one arrived although its answer did not
    const mayBeDone = error instanceof DatabaseError && error.kind === 'constraint'
    if (mayBeDone && (await checkSchema(db, migrations)) >= migration.version) return
    throw error
  }
}
