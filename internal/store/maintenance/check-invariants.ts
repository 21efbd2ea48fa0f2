/** Finds rows of a database file that break an invariant. It reads from one snapshot, so servers may use the database meanwhile. */
import Libsql from 'libsql'
import { z } from 'zod'
import { MIGRATIONS_TABLE, SCHEMA_VERSION } from '../migrate.ts'
import { MIGRATIONS } from '../migrations.gen.ts'
import { INVARIANTS } from './invariants.ts'

export type Finding = Readonly<{
  /** Id of the invariant, such as `I4`. */
  invariant: string
  /** The condition that should be true. */
  rule: string
  /** Where the rule is broken, at most `MAX_FOUND` places; empty if it holds. */
  found: readonly string[]
}>

const MAX_FOUND = 5
const BUSY_WAIT_MS = 5_000

const textRow = z.object({ name: z.string().default(''), text: z.string() })
type TextRow = z.infer<typeof textRow>

/** Statements of this file run once, so none is kept prepared. */
const readTexts = (connection: Libsql.Database, query: string): readonly TextRow[] =>
  z.array(textRow).parse(connection.prepare(query).all())

const VERSION = 'SELECT CAST(MAX(version) AS TEXT) AS text FROM schema_migrations'

/**
 * Triggers and indexes reject invalid changes, so each one that the migrations create must exist unchanged. Of a table only the name
 * is compared.
 */
const SCHEMA_OBJECTS = `SELECT type || ' ' || name AS name, iif(type = 'table', '', sql) AS text FROM sqlite_schema
  WHERE type IN ('table', 'trigger', 'index') AND sql IS NOT NULL`

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

/** Returns the schema that the migrations create in an empty database. */
const wantedObjects = (): ReadonlyMap<string, string> => {
  objects ??= makeObjects()
  return objects
}

const isTable = (name: string): boolean => name.startsWith('table ')

const checkSchema = (connection: Libsql.Database): Finding => {
  const there = readObjects(connection)
  const changed = [...wantedObjects()].filter(([name, text]) => there.get(name) !== text)
  return {
    invariant: 'I1',
    rule: 'tables, and triggers and indexes, which refuse changes of what has ended, are as the migrations make them',
    // a missing table comes first, because its indexes and triggers are missing with it
    found: changed
      .toSorted(([one], [other]) => Number(isTable(other)) - Number(isTable(one)))
      .slice(0, MAX_FOUND)
      .map(([name]) => `the ${name} is ${there.has(name) ? 'another' : 'missing'}`),
  }
}

/**
 * Checks the invariants that can be seen in the database. It changes nothing.
 * @returns null for a database with another schema version, whose rows may rightly differ
 */
export const checkInvariants = (path: string): readonly Finding[] | null => {
  const connection = new Libsql(path, { timeout: BUSY_WAIT_MS })
  try {
    connection.exec('PRAGMA query_only = ON')
    connection.exec('BEGIN')
    const [version] = readTexts(connection, VERSION)
    if (version?.text !== String(SCHEMA_VERSION)) return null
    const schema = checkSchema(connection)
    // the queries of the other invariants read every table
    if (schema.found.some((fault) => fault.startsWith('the table '))) return [schema]
    const findings = INVARIANTS.map(({ id, rule, query }) => ({
      invariant: id,
      rule,
      found: readTexts(connection, `SELECT found AS text FROM (${query}) LIMIT ${MAX_FOUND}`).map(
        ({ text }) => text,
      ),
    }))
    return [schema, ...findings]
  } finally {
    // without the rollback, closing leaves the file locked until the prepared statements are garbage-collected
    if (connection.inTransaction) connection.exec('ROLLBACK')
    connection.close()
  }
}
