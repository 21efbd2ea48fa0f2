/**
 * Brings a database to this binary's schema: forward only, each migration atomic, safe when several nodes start at
 * once. A database that a newer binary has touched is refused.
 */
import { createHash } from 'node:crypto'
import { asNumber, asText } from './column.ts'
import { type Database, DatabaseError, SQL_NOW, sql } from './database.ts'
import { MIGRATIONS } from './migrations.gen.ts'

/** Waiting cannot mend it: the node must exit (contract, fine print 29). */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

export type Migrated = Readonly<{ from: number; to: number }>

type Migration = (typeof MIGRATIONS)[number]

const checksum = (migration: Migration): string =>
  createHash('sha256').update(migration.statements.join(';')).digest('hex')

/** The version that this binary knows. */
export const SCHEMA_VERSION = MIGRATIONS.at(-1)?.version ?? 0

/** 0: an empty database. */
export const findSchemaVersion = async (db: Database): Promise<number> => {
  const table = await db.one(
    sql("SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'"),
  )
  if (table === null) return 0
  const row = await db.one(sql('SELECT MAX(version) AS version FROM schema_migrations'))
  return typeof row?.version === 'number' ? row.version : 0
}

/** @throws {SchemaError} the database is newer than this binary, or a migration was changed after it ran */
export const migrate = async (db: Database): Promise<Migrated> => {
  const from = await findSchemaVersion(db)
  if (from > SCHEMA_VERSION) {
    throw new SchemaError(
      `The database has schema ${from}, this binary knows ${SCHEMA_VERSION}. Start the newer svc that made it.`,
    )
  }
  if (from > 0) await checkApplied(db)
  for (const migration of MIGRATIONS) if (migration.version > from) await apply(db, migration)
  return { from, to: SCHEMA_VERSION }
}

const checkApplied = async (db: Database): Promise<void> => {
  const rows = await db.all(sql('SELECT version, checksum FROM schema_migrations'))
  const applied = new Map(rows.map((row) => [asNumber(row.version), asText(row.checksum)]))
  for (const migration of MIGRATIONS) {
    const known = applied.get(migration.version)
    if (known !== undefined && known !== checksum(migration)) {
      throw new SchemaError(
        `Migration ${migration.version} (${migration.name}) is not the one that made this database. Use the svc that made it, or restore a backup.`,
      )
    }
  }
}

const apply = async (db: Database, migration: Migration): Promise<void> => {
  try {
    await db.write([
      sql(`CREATE TABLE IF NOT EXISTS schema_migrations (
        version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT`),
      // the first statement that can clash: a node that comes second fails here and changes nothing
      sql(
        `INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ${SQL_NOW})`,
        migration.version,
        migration.name,
        checksum(migration),
      ),
      ...migration.statements.map((statement) => sql(statement)),
    ])
  } catch (error) {
    const another = error instanceof DatabaseError && error.kind !== 'unavailable'
    if (another && (await findSchemaVersion(db)) >= migration.version) return
    throw error
  }
}
