/** Looks for what is wrong inside a database: pages that contradict each other, and tables that are gone. Reads all of it. */
import { asText } from './column.ts'
import { type Reader, sql } from './database.ts'
import { findSchemaVersion, SCHEMA_VERSION } from './migrate.ts'
import { MIGRATIONS } from './migrations.gen.ts'

const MAX_FINDINGS = 5

/** The tables that the migrations leave. */
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
  const rows = await db.all(sql("SELECT name FROM sqlite_schema WHERE type = 'table'"))
  const there = new Set(rows.map(({ name }) => asText(name)))
  return [...wantedTables()].filter((name) => !there.has(name))
}

/** What is wrong, at most a few findings; empty: nothing was found. @throws {DatabaseError} it could not be read */
export const findDamage = async (db: Reader): Promise<readonly string[]> => {
  const rows = await db.all(sql(`PRAGMA quick_check(${MAX_FINDINGS})`))
  const pages = rows.map(({ quick_check: found }) => asText(found)).filter((text) => text !== 'ok')
  const version = await findSchemaVersion(db)
  // of another version the tables differ rightly
  const missing = version === SCHEMA_VERSION ? await findMissingTables(db) : []
  return [...pages, ...missing.map((name) => `the table ${name} is missing`)]
}
