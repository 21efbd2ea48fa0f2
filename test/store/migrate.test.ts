import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OPENING_CREDIT_WON } from '#core/billing/balance.ts'
import { listHostClaims } from '#store/apps/hosts.ts'
import { findAccount } from '#store/billing/credit.ts'
import type { Database } from '#store/database.ts'
import {
  findSchema,
  findSchemaVersion,
  type Migration,
  migrate,
  requireSchema,
  SCHEMA_VERSION,
  SchemaChangedError,
  SchemaError,
  SchemaTooNewError,
} from '#store/migrate.ts'
import { MIGRATIONS } from '#store/migrations.gen.ts'
import { openDatabase } from '#store/open-database.ts'
import { raw, sql } from '#store/sql.ts'
import { raiseFence } from '#store/workspaces/fence.ts'
import { holdForMove } from '#store/workspaces/moved.ts'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { openTemporaryDatabase, type TemporaryDatabase } from '../support/temporary-database.ts'

const migration = (version: number, ...statements: string[]): Migration => ({
  version,
  name: `step-${version}`,
  statements,
})

describe('migrations', () => {
  let temporary: TemporaryDatabase
  const findTables = async () =>
    (await temporary.db.all(sql`SELECT name FROM sqlite_schema WHERE name LIKE 'step_%'`)).map(
      (row) => row.name,
    )
  /** Makes the database look as if svc had never used it. */
  const forget = () => temporary.db.write([sql`DROP TABLE schema_migrations`])

  beforeEach(async () => {
    temporary = await openTemporaryDatabase()
  })
  afterEach(() => temporary.close())

  it('bring an empty database to the schema of this svc, and a second time change nothing', async () => {
    expect(await findSchemaVersion(temporary.db)).toBe(SCHEMA_VERSION)
    expect(await migrate(temporary.db)).toEqual({
      from: SCHEMA_VERSION,
      to: SCHEMA_VERSION,
      ran: 0,
    })
    await forget()
    expect(await findSchemaVersion(temporary.db)).toBe(0)
  })

  it.each([
    ['schema_migrations', 'CREATE TABLE schema_migrations (version INTEGER, dirty INTEGER)'],
    ['jobs', 'CREATE TABLE jobs (id INTEGER)'],
  ])('do not run in a database of another program, which has the table %s', async (table, made) => {
    const folder = makeMemoryFolder('svc-migrate-')
    const db = await openDatabase({ url: `file:${join(folder, 'svc.db')}` })
    await db.write([raw(made)])
    const refused = await migrate(db).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(SchemaError)
    expect(String(refused)).toContain(`a table ${table} that svc did not make`)
    expect(await db.all(sql`SELECT name FROM sqlite_schema`)).toEqual([{ name: table }])
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('run in order from the version of the database', async () => {
    await forget()
    const one = migration(1, 'CREATE TABLE step_1 (id INTEGER)')
    const two = migration(
      2,
      'ALTER TABLE step_1 RENAME TO step_2',
      'CREATE TABLE step_x (n INTEGER)',
    )
    expect(await migrate(temporary.db, [one])).toEqual({ from: 0, to: 1, ran: 1 })
    expect(await migrate(temporary.db, [one, two])).toEqual({ from: 1, to: 2, ran: 1 })
    expect(await findTables()).toEqual(['step_2', 'step_x'])
  })

  it('leave nothing of a step that fails', async () => {
    await forget()
    const steps = [
      migration(1, 'CREATE TABLE step_1 (id INTEGER)'),
      migration(2, 'CREATE TABLE step_2 (id INTEGER)', 'CREATE TABLE step_1 (id INTEGER)'),
    ]
    await expect(migrate(temporary.db, steps)).rejects.toThrow('already exists')
    expect(await findTables()).toEqual(['step_1'])
    expect(await findSchemaVersion(temporary.db)).toBe(1)
  })

  it('refuse a database that a newer svc has migrated, and leave it alone', async () => {
    await temporary.db.write([
      sql`INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (9999, 'later', 'x', 1)`,
    ])
    const refused = migrate(temporary.db)
    await expect(refused).rejects.toBeInstanceOf(SchemaTooNewError)
    await expect(refused).rejects.toBeInstanceOf(SchemaError)
    await expect(refused).rejects.toThrow('Start the newer svc')
    expect(await findSchemaVersion(temporary.db)).toBe(9999)
  })

  it('leave a newer database alone that serves this code, and say what it is', async () => {
    const later = {
      ...migration(SCHEMA_VERSION + 1, 'CREATE TABLE step_9 (id INTEGER)'),
      oldestCode: SCHEMA_VERSION,
    }
    await migrate(temporary.db, [...MIGRATIONS, later])
    const schema = { version: SCHEMA_VERSION + 1, oldestCode: SCHEMA_VERSION }
    expect(await findSchema(temporary.db)).toEqual(schema)
    expect(await migrate(temporary.db)).toEqual({
      ...{ from: schema.version, to: schema.version, ran: 0 },
    })
    await requireSchema(temporary.db)
    // after a contraction, older code cannot use the database any more
    const last = {
      ...migration(SCHEMA_VERSION + 2, 'DROP TABLE step_9'),
      oldestCode: SCHEMA_VERSION + 1,
    }
    await migrate(temporary.db, [...MIGRATIONS, later, last])
    await expect(migrate(temporary.db)).rejects.toBeInstanceOf(SchemaTooNewError)
    await expect(requireSchema(temporary.db)).rejects.toBeInstanceOf(SchemaTooNewError)
    const next = [...MIGRATIONS, later]
    expect(await migrate(temporary.db, next)).toMatchObject({ to: SCHEMA_VERSION + 2 })
  })

  it('give way to another text of a step that this svc knows, on a newer database too', async () => {
    const later = {
      ...migration(SCHEMA_VERSION + 1, 'CREATE TABLE step_9 (id INTEGER)'),
      oldestCode: 1,
    }
    await migrate(temporary.db, [...MIGRATIONS, later])
    await temporary.db.write([sql`UPDATE schema_migrations SET checksum = 'x' WHERE version = 1`])
    await expect(migrate(temporary.db)).rejects.toBeInstanceOf(SchemaChangedError)
  })

  it('refuse a database that another text of the same step has made', async () => {
    await forget()
    await migrate(temporary.db, [migration(1, 'CREATE TABLE step_1 (id INTEGER)')])
    const changed = [
      migration(1, 'CREATE TABLE step_1 (id TEXT)'),
      migration(2, 'CREATE TABLE step_2 (id INTEGER)'),
    ]
    await expect(migrate(temporary.db, changed)).rejects.toBeInstanceOf(SchemaChangedError)
    expect(await findTables()).toEqual(['step_1'])
  })
})

describe('the migration to billing', () => {
  it('gives the first workspace of an older database what a new one opens with', async () => {
    const folder = makeMemoryFolder('svc-migrate-')
    const db = await openDatabase({ url: `file:${join(folder, 'svc.db')}` })
    const at = MIGRATIONS.findIndex(({ name }) => name === 'billing')
    await migrate(db, MIGRATIONS.slice(0, at))
    await db.write(
      ['default', 'other'].map(
        (id) =>
          sql`INSERT INTO workspaces (id, name, wrapped_key, created_at) VALUES (${id}, ${id}, '', 1)`,
      ),
    )
    await migrate(db)
    expect(await findAccount(db, 'default')).toEqual({
      balanceWon: OPENING_CREDIT_WON,
      isSuspended: false,
    })
    expect(await findAccount(db, 'other')).toMatchObject({ balanceWon: 0 })
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })
})

describe('the migration to proofs of host names', () => {
  it('keeps the names that are there, without one', async () => {
    const folder = makeMemoryFolder('svc-migrate-')
    const db = await openDatabase({ url: `file:${join(folder, 'svc.db')}` })
    const at = MIGRATIONS.findIndex(({ name }) => name === 'host-proofs')
    await migrate(db, MIGRATIONS.slice(0, at))
    await db.write([
      sql`INSERT INTO app_hosts (host, ws, app)
        VALUES ('a.example', 'default', 'x'), ('b.example', 'other', 'y')`,
    ])
    await migrate(db)
    const [first, ...others] = [
      ...(await listHostClaims(db, { ws: 'default', app: 'x' })),
      ...(await listHostClaims(db, { ws: 'other', app: 'y' })),
    ]
    const txtValue = expect.stringMatching(/^svc-verify=[0-9a-f]{32}$/)
    expect(first).toEqual({
      host: 'a.example',
      ws: 'default',
      app: 'x',
      proof: 'upgrade',
      txtValue,
    })
    expect(others).toMatchObject([{ host: 'b.example', ws: 'other', proof: 'upgrade' }])
    expect(others[0]?.txtValue).not.toBe(first?.txtValue)
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })
})

describe('the migration of blocked jobs', () => {
  let folder: string
  let db: Database
  beforeEach(async () => {
    folder = makeMemoryFolder('svc-migrate-')
    db = await openDatabase({ url: `file:${join(folder, 'svc.db')}` })
    const at = MIGRATIONS.findIndex(({ name }) => name === 'blocked-by-level')
    await migrate(db, MIGRATIONS.slice(0, at))
  })
  afterEach(async () => {
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const insertJob = (ws: string, id: string, columns: string, values: string) =>
    raw(`INSERT INTO jobs (ws, id, app, action, deployment_id, status, tag, run_at, crash_limit, trigger_kind, created_by,
        permissioned_as, created_at, ${columns})
      VALUES ('${ws}', '${id}', 'a', 'b', 'd', 'queued', 'default', 1, 1, 'api', 'ann', 'ann', 1, ${values})`)

  it('leaves the jobs of a workspace that moves as they are', async () => {
    const insertPaced = (ws: string) =>
      insertJob(ws, 'job', 'ready, failure_count, rate_key, paced', `0, 1, '${ws}', 1`)
    await db.write([
      ...['moving', 'other'].map(insertPaced),
      holdForMove({ ws: 'moving', fileId: 'move' }),
      ...raiseFence('moving').filter(({ sql: text }) => text.includes('update jobs')),
    ])
    await migrate(db)
    expect(await db.all(sql`SELECT ws, paced FROM jobs ORDER BY ws`)).toEqual([
      { ws: 'moving', paced: 1 },
      { ws: 'other', paced: 0 },
    ])
  })

  it('restores as many jobs of a key as may run, and none of a key of which a job runs', async () => {
    const insertBlocked = (key: string) => (id: string) =>
      insertJob('one', id, 'blocked, concurrency_key, concurrency_limit', `1, '${key}', 2`)
    await db.write([
      ...['a', 'b', 'c'].map(insertBlocked('free')),
      ...['d', 'e'].map(insertBlocked('busy')),
      sql`UPDATE jobs SET status = 'running', lease_until = 1 WHERE id = 'd'`,
    ])
    await migrate(db)
    expect(await db.all(sql`SELECT id FROM jobs WHERE blocked = 0`)).toEqual([
      { id: 'a' },
      { id: 'b' },
    ])
  })
})

describe('the migration of the versions of functions', () => {
  it('gives each app those that its deployments name, and those that it runs first', async () => {
    const folder = makeMemoryFolder('svc-migrate-')
    const db = await openDatabase({ url: `file:${join(folder, 'svc.db')}` })
    const at = MIGRATIONS.findIndex(({ name }) => name === 'function-versions')
    await migrate(db, MIGRATIONS.slice(0, at))
    const insertBundle = (hash: string) =>
      sql`INSERT INTO bundles (hash, code, source_map, created_at) VALUES (${hash}, x'', x'', 1)`
    const insertVersion = (hash: string) =>
      sql`INSERT INTO function_versions (name, hash, bundle_hash, definition, files, shared, entrypoint)
        VALUES ('f', ${hash}, 'planted', '{}', '{}', '{}', 'index.ts')`
    const deploy = (ws: string, functions: string) => [
      sql`INSERT INTO workspaces (id, name, wrapped_key, created_at) VALUES (${ws}, ${ws}, 'k', 1)`,
      sql`INSERT INTO deployments (id, ws, app, commit_id, source, manifest, created_by, created_at, functions)
        VALUES (${ws}, ${ws}, 'a', 'c', 'upload', '{}', 'ann', 1, ${functions})`,
    ]
    await db.write([
      ...['own', 'planted'].map(insertBundle),
      ...['now', 'before', 'unknown'].map(insertVersion),
      ...deploy('one', '{"f":"now"}'),
      ...deploy('two', '{"f":"before"}'),
      ...deploy('bad', '{bad'),
      sql`INSERT INTO app_functions (ws, app, name, hash, bundle_hash, definition, files, entrypoint, deployed_by, deployed_at)
        VALUES ('one', 'a', 'f', 'now', 'own', '{}', '{}', 'index.ts', 'ann', 1)`,
    ])
    await migrate(db)
    expect(
      await db.all(sql`SELECT ws, hash, bundle_hash FROM app_function_versions ORDER BY ws`),
    ).toEqual([
      { ws: 'one', hash: 'now', bundle_hash: 'own' },
      { ws: 'two', hash: 'before', bundle_hash: 'planted' },
    ])
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })
})
