/**
 * The rows that a copy of a workspace takes: every table of the schema is
 * included or excluded, and each returns the rows of its workspace.
 */
import Libsql from 'libsql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#store/database.ts'
import { MIGRATIONS } from '#store/migrations.gen.ts'
import { sql } from '#store/sql.ts'
import { EXCLUDED } from '#store/workspace-copy/exclusions.ts'
import { readRows } from '#store/workspace-copy/read-rows.ts'
import { readSchema } from '#store/workspace-copy/schema.ts'
import {
  type CopiedTable,
  copiedSchema,
  deriveCopiedSchema,
  UnplacedTableError,
} from '#store/workspace-copy/tables.ts'
import { raiseFence } from '#store/workspaces/fence.ts'
import { openTemporaryDatabase, type TemporaryDatabase } from '../support/temporary-database.ts'

const { tables } = copiedSchema()

describe('the tables of a copy', () => {
  test('are all tables of the schema but those excluded with a reason', () => {
    const covered = [...tables.map(({ name }) => name), ...Object.keys(EXCLUDED), 'workspaces']
    expect(covered.sort()).toEqual(
      readSchema()
        .map(({ name }) => name)
        .sort(),
    )
    for (const reason of Object.values(EXCLUDED)) expect(reason.length).toBeGreaterThan(10)
  })

  test('refuse a table that a migration adds and that belongs to no workspace by itself', () => {
    const more = { statements: ['CREATE TABLE new_facts (id TEXT PRIMARY KEY, fact TEXT)'] }
    expect(() => deriveCopiedSchema(readSchema([...MIGRATIONS, more]))).toThrow(UnplacedTableError)
  })

  test.each([
    ['names its workspace', 'CREATE TABLE more (ws TEXT, id TEXT, PRIMARY KEY (ws, id))'],
    ['belongs to jobs', 'CREATE TABLE more (job_id TEXT, n INTEGER, PRIMARY KEY (job_id, n))'],
    ['refers to schedules', 'CREATE TABLE more (s TEXT PRIMARY KEY REFERENCES schedules (id))'],
  ])('take a table that a migration adds and that %s', (_, text) => {
    const schema = deriveCopiedSchema(readSchema([...MIGRATIONS, { statements: [text] }]))
    expect(schema.tables.map(({ name }) => name)).toContain('more')
  })
})

/** A value for a column. It begins with the workspace, so that keys differ between workspaces. */
const madeOf = (ws: string, n: number, column: string): string | number => {
  if (column === 'ws') return ws
  if (column === 'shared' || column === 'carried') return JSON.stringify({ file: `${ws}/hash${n}` })
  if (column === 'code' || column === 'content') return `${ws}/${column}${n}`
  if (column === 'job_id' || column === 'owner_id') return `${ws}/id${n}`
  if (column === 'bundle_hash') return `${ws}/hash${n}`
  if (/^(run|deployment|consumer|schedule|operation|link)_id$/.test(column)) return `${ws}/id${n}`
  return `${ws}/${column}${n}`
}

const ROWS = 3

/** Inserts one row for each n into every table, without types and checks, because only finding the rows matters here. */
const fill = (path: string, wanted: readonly CopiedTable[], ws: string): void => {
  const connection = new Libsql(path)
  connection.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON')
  const triggers = connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    .all()
    .map((row) => Object.values(row ?? {})[0])
  for (const name of triggers) connection.exec(`DROP TRIGGER ${String(name)}`)
  for (const { name } of wanted) {
    const columns = connection
      .prepare(`SELECT name, type FROM pragma_table_info('${name}')`)
      .raw()
      .all() as readonly (readonly string[])[]
    for (let n = 1; n <= ROWS; n += 1) {
      const values = columns.map(([column = '', type]) => {
        if (type === 'INTEGER' || type === 'REAL') return BigInt(n)
        const value = madeOf(ws, n, column)
        return type === 'BLOB' ? Buffer.from(String(value)) : value
      })
      const places = columns.map(() => '?').join(', ')
      connection.prepare(`INSERT INTO ${name} VALUES (${places})`).run(values)
    }
  }
  connection.close()
}

let place: TemporaryDatabase
let db: Database
beforeAll(async () => {
  place = await openTemporaryDatabase()
  db = place.db
  for (const ws of ['one', 'two']) fill(place.path, tables, ws)
})
afterAll(() => place.close())

const count = async (table: CopiedTable, ws: string): Promise<number> => {
  let rows = 0
  for await (const page of readRows(db, table, ws)) rows += page.length
  return rows
}

/** More jobs than one window, of two workspaces with alternating ids. Each has an input and a log of three parts. */
const MANY = 2_600

const fillMany = (path: string): void => {
  const connection = new Libsql(path)
  connection.exec(`PRAGMA foreign_keys = OFF;
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2 * ${MANY})
    INSERT INTO jobs (ws, id, app, action, deployment_id, status, tag, run_at, crash_limit, trigger_kind, created_by,
      permissioned_as, created_at)
    SELECT CASE i % 2 WHEN 0 THEN 'even' ELSE 'odd' END, printf('job-%06d', i), 'a', 'b', 'd', 'queued', 't', i, 1, 'api', 'c',
      'p', i FROM n;
    INSERT INTO job_inputs (job_id, input)
      SELECT id, CASE WHEN id LIKE '%00' THEN hex(zeroblob(60000)) ELSE '{}' END FROM jobs WHERE ws IN ('even', 'odd');
    INSERT INTO job_logs (job_id, attempt, seq, chunk)
      SELECT jobs.id, 1, s.value, zeroblob(10) FROM jobs, json_each('[0,1,2]') s WHERE ws IN ('even', 'odd');`)
  connection.close()
}

/** The writes of triggers on deletions, as `UPDATE table column` or `INSERT table`. */
const writesOfDeletes = async (): Promise<readonly string[]> => {
  const own = await openTemporaryDatabase()
  const rows = await own.db.all(
    sql`SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%AFTER DELETE ON%'`,
  )
  await own.close()
  return rows.flatMap(({ sql: text }) => [
    ...[...String(text).matchAll(/UPDATE (\w+) SET (\w+) =/g)].map(
      ([, table, column]) => `UPDATE ${table} ${column}`,
    ),
    ...[...String(text).matchAll(/INSERT INTO (\w+)/g)].map(([, table]) => `INSERT ${table}`),
  ])
}

describe('the fence of a move', () => {
  test('lets pass what triggers write when the move deletes rows behind it', async () => {
    const refused = raiseFence('acme').flatMap(({ sql: text }) => {
      const [, columns = '', updated = ''] = /BEFORE UPDATE OF (.*) ON (\w+) WHEN/.exec(text) ?? []
      const [, inserted] = /BEFORE INSERT ON (\w+) WHEN/.exec(text) ?? []
      if (inserted !== undefined) return [`INSERT ${inserted}`]
      return [...columns.matchAll(/"(\w+)"/g)].map(([, column]) => `UPDATE ${updated} ${column}`)
    })
    const writes = await writesOfDeletes()
    expect(refused).toContain('UPDATE apps name')
    expect(writes).toContain('UPDATE apps functions_since')
    expect(writes.filter((write) => refused.includes(write))).toEqual([])
  })
})

describe('the rows of a long table', () => {
  test.each([
    ['jobs', 1],
    ['job_inputs', 1],
    ['job_logs', 3],
  ])('of %s come in the order of their key, each once, in small pages', async (name, each) => {
    const own = await openTemporaryDatabase()
    fillMany(own.path)
    const table = tables.find((known) => known.name === name)
    if (table === undefined) throw new Error(`There is no ${name}.`)
    const places = table.key.map((column) => table.columns.indexOf(column))
    const keys: string[] = []
    for await (const page of readRows(own.db, table, 'even')) {
      const size = page.flat().reduce<number>((sum, value) => sum + String(value ?? '').length, 0)
      expect(page.length).toBeLessThanOrEqual(500)
      expect(size).toBeLessThan(2_000_000)
      for (const row of page) keys.push(places.map((at) => row[at]).join(' '))
    }
    expect(keys).toHaveLength(MANY * each)
    expect(keys).toEqual([...new Set(keys)].sort())
    await own.close()
  })
})

describe('the rows of a table', () => {
  test.each(tables.map((table) => [table.name, table] as const))(
    'of %s are those of the workspace',
    async (_, table) => {
      expect(await count(table, 'one')).toBe(ROWS)
      expect(await count(table, 'two')).toBe(ROWS)
      // a name that is the prefix of another one, and does not exist
      expect(await count(table, 'on')).toBe(0)
    },
  )
})

test('a page of the accounts looks up only its own, however many members the workspace has', async () => {
  const users = tables.find(({ name }) => name === 'users')
  if (users === undefined) throw new Error('The accounts are not copied.')
  const temporary = await openTemporaryDatabase()
  const steps: string[] = []
  const all: Database['all'] = async (statement) => {
    const explained = { ...statement, sql: `EXPLAIN QUERY PLAN ${statement.sql}` }
    for (const { detail } of await temporary.db.all(explained)) steps.push(String(detail))
    return temporary.db.all(statement)
  }
  for await (const _ of readRows({ all }, users, 'default')) void _
  await temporary.close()
  expect(steps.join('\n')).toMatch(/SEARCH m .*\(ws=\? AND email=\?\)/)
  expect(steps.filter((step) => /LIST SUBQUERY|UNION/.test(step))).toEqual([])
})
