/** Looks for damage in a database: inconsistent pages and missing tables. It reads the whole database. */
import type { Reader } from '../database.ts'
import { findSchemaVersion, SCHEMA_VERSION } from '../migrate.ts'
import { MIGRATIONS } from '../migrations.gen.ts'
import { text } from '../row.ts'
import { raw, sql } from '../sql.ts'

const MAX_FINDINGS = 5

/** Returns the tables that exist after all migrations. */
const wantedTables = (): ReadonlySet<string> => {
  const tables = new Set<string>()
  for (const statement of MIGRATIONS.flatMap(({ statements }) => statements)) {
    const [, made] = /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(statement) ?? []
    if (made !== undefined) tables.add(made)
    const [, dropped] = /^DROP TABLE (?:IF EXISTS )?(\w+)/i.exec(statement) ?? []
    if (dropped !== undefined) tables.delete(dropped)
    const [, from, to] = /^ALTER TABLE (\w+) RENAME TO (\w+)/i.exec(statement) ?? []
    if (from !== undefined && to !== undefined && tables.delete(from)) tables.add(to)
  }
  return tables
}

const findMissingTables = async (db: Reader): Promise<readonly string[]> => {
  const names = await text.all(db, sql`SELECT name FROM sqlite_schema WHERE type = 'table'`)
  const there = new Set(names)
  return [...wantedTables()].filter((name) => !there.has(name))
}

/** Describes the damage in a few findings; empty if it finds none. @throws {DatabaseError} */
export const findDamage = async (db: Reader): Promise<readonly string[]> => {
  const found = await text.all(db, sql`PRAGMA quick_check(${raw(String(MAX_FINDINGS))})`)
  const pages = found.filter((finding) => finding !== 'ok')
  const version = await findSchemaVersion(db)
  // the tables of another schema version may rightly differ
  const missing = version === SCHEMA_VERSION ? await findMissingTables(db) : []
  return [...pages, ...missing.map((name) => `the table ${name} is missing`)]
}
