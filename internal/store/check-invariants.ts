/** Reads a database file for rows that break what is always true. Servers may go on meanwhile: all is read at one moment. */
import Libsql from 'libsql'
import { z } from 'zod'
import { INVARIANTS } from './invariants.ts'
import { MIGRATIONS_TABLE, SCHEMA_VERSION } from './migrate.ts'
import { MIGRATIONS } from './migrations.gen.ts'

export type Finding = Readonly<{
  /** As `I4`. */
  invariant: string
  /** What should be true. */
  rule: string
  /** Where it is not, at most `MAX_FOUND`; empty: it holds. */
  found: readonly string[]
}>

const MAX_FOUND = 5
const BUSY_WAIT_MS = 5_000

const textRow = z.object({ name: z.string().default(''), text: z.string() })
type TextRow = z.infer<typeof textRow>

/** Statements of this file run once: nothing is kept prepared. */
const readTexts = (connection: Libsql.Database, query: string): readonly TextRow[] =>
  z.array(textRow).parse(connection.prepare(query).all())

const VERSION = 'SELECT CAST(MAX(version) AS TEXT) AS text FROM schema_migrations'

/** Triggers and indexes refuse what must not be, so each that the migrations make must be there unchanged. */
const SCHEMA_OBJECTS = `SELECT type || ' ' || name AS name, sql AS text FROM sqlite_schema
  WHERE type IN ('trigger', 'index') AND sql IS NOT NULL`

const readObjects = (connection: Libsql.Database): ReadonlyMap<string, string> =>
  new Map(readTexts(connection, SCHEMA_OBJECTS).map(({ name, text }) => [name, text]))

const makeObjects = (): ReadonlyMap<string, string> => {
  const connection = new Libsql(':memory:')
  try {
    connection.exec(MIGRATIONS_TABLE)
    for (const text of MIGRATIONS.flatMap(({ statements }) => statements)) connection.exec(text)
    return readObjects(connection)
  } finally {
    connection.close()
  }
}

let objects: ReadonlyMap<string, string> | null = null

/** The schema that the migrations give an empty database. */
const wantedObjects = (): ReadonlyMap<string, string> => {
  objects ??= makeObjects()
  return objects
}

const checkSchema = (connection: Libsql.Database): Finding => {
  const there = readObjects(connection)
  const changed = [...wantedObjects()].filter(([name, text]) => there.get(name) !== text)
  return {
    invariant: 'I1',
    rule: 'triggers and indexes, which refuse changes of what has ended, are as the migrations make them',
    found: changed
      .slice(0, MAX_FOUND)
      .map(([name]) => `the ${name} is ${there.has(name) ? 'another' : 'missing'}`),
  }
}

/**
 * Checks the invariants that a database alone can show. It changes nothing.
 * @returns null for a database of another schema, whose rows may differ for a good reason
 */
export const checkInvariants = (path: string): readonly Finding[] | null => {
  const connection = new Libsql(path, { timeout: BUSY_WAIT_MS })
  try {
    connection.exec('PRAGMA query_only = ON')
    connection.exec('BEGIN')
    const [version] = readTexts(connection, VERSION)
    if (version?.text !== String(SCHEMA_VERSION)) return null
    const findings = INVARIANTS.map(({ id, rule, query }) => ({
      invariant: id,
      rule,
      found: readTexts(connection, `SELECT found AS text FROM (${query}) LIMIT ${MAX_FOUND}`).map(
        ({ text }) => text,
      ),
    }))
    return [checkSchema(connection), ...findings]
  } finally {
    // closing alone leaves the file locked until the garbage with the prepared statements is collected
    if (connection.inTransaction) connection.exec('ROLLBACK')
    connection.close()
  }
}
