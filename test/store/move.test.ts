/** `svc db move` between two files, interrupted and continued. test/e2e/scale-out.test.ts moves to a real sqld. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database, Statement } from '#store/database.ts'
import { moveDatabase } from '#store/maintenance/move.ts'
import { findSchemaVersion, migrate, requireSchema, SCHEMA_VERSION } from '#store/migrate.ts'
import { openDatabase } from '#store/open-database.ts'
import { raw, sql } from '#store/sql.ts'
import { insertJobs } from '../support/insert-job.ts'
import { openTemporaryDatabase, type TemporaryDatabase } from '../support/temporary-database.ts'

let source: TemporaryDatabase
let target: TemporaryDatabase

beforeEach(async () => {
  source = await openTemporaryDatabase('admin@example.test')
  await source.db.close()
  target = await openTemporaryDatabase()
})

afterEach(async () => {
  await source.close()
  await target.close()
})

const move = (db: Database = target.db) => moveDatabase(source.path, db, () => undefined)

/** Writes to the file, as svc does between two moves. */
const writeSource = async (act: (db: Database) => Promise<unknown>): Promise<void> => {
  const file = await openDatabase({ url: source.url })
  await act(file)
  await file.close()
}

const writeStatements = (...statements: readonly Statement[]): Promise<void> =>
  writeSource((file) => file.write(statements))

const TRIGGERS = raw("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")

/** The target behind a network that fails during the comparison of both sides. */
const failsToCompare = (): Database => ({
  ...target.db,
  one: (statement) =>
    statement.sql.includes('AS bytes')
      ? Promise.reject(new Error('The network is down.'))
      : target.db.one(statement),
})

it('continues a move whose comparison did not come to its end', async () => {
  await expect(move(failsToCompare())).rejects.toThrow('The network is down.')
  const { rows } = await move()
  expect(rows).toBeGreaterThan(0)
})

it('finds that a move has ended, although the command that ended it did not say so', async () => {
  const moved = await move()
  expect(moved.rows).toBeGreaterThan(0)
  expect(await move()).toEqual(moved)
  await target.db.write([sql`UPDATE users SET name = 'of a node'`])
  await expect(move()).rejects.toThrow('This move had ended, and svc has changed')
  await writeStatements(sql`UPDATE users SET name = 'other'`)
  await expect(move()).rejects.toThrow('has data of its own')
})

it('does not migrate a database that has data of its own', async () => {
  await target.db.write([
    sql`DELETE FROM schema_migrations WHERE version = ${SCHEMA_VERSION}`,
    sql`INSERT INTO workspaces (id, name, wrapped_key, created_at) VALUES ('acme', 'acme', 'k', 1)`,
  ])
  await expect(move()).rejects.toThrow('has data of its own')
  expect(await findSchemaVersion(target.db)).toBe(SCHEMA_VERSION - 1)
})

it('finds what differs, and completes it the next time', async () => {
  await expect(move(failsToCompare())).rejects.toThrow()
  await target.db.write([sql`UPDATE users SET name = 'another'`])
  await expect(move()).rejects.toThrow('users differs after the move')
  await target.db.write([raw('DELETE FROM members'), raw('DELETE FROM users')])
  await move()
  const user = await target.db.one(raw('SELECT name FROM users'))
  expect(user?.name).not.toBe('another')
})

it('moves the functions of a workspace whose import has not ended', async () => {
  await writeStatements(
    sql`INSERT INTO workspaces (id, name, wrapped_key, created_at) VALUES ('acme', 'acme', 'k', 1)`,
    sql`INSERT INTO held_workspaces (ws, file_id, since) VALUES ('acme', 'a file', 1)`,
    sql`INSERT INTO bundles (hash, code, source_map, created_at) VALUES ('b', x'', x'', 1)`,
    sql`INSERT INTO app_functions (ws, app, name, hash, bundle_hash, definition, files, entrypoint, deployed_by, deployed_at)
      VALUES ('acme', 'shop', 'hello', 'h', 'b', '{}', '{}', 'index.ts', 'ann', 1)`,
  )
  await move()
  expect(await target.db.one(sql`SELECT name FROM app_functions`)).toEqual({ name: 'hello' })
})

it('counts each waiting job once', async () => {
  const job = { ws: 'default', deploymentId: 'd', app: 'shop', action: 'pack' }
  await writeSource((file) => insertJobs(file, [job, job, job]))
  await move()
  expect(await target.db.all(raw('SELECT n FROM queue_counts'))).toEqual([{ n: 3 }])
})

it('reports no flow run again that failed before', async () => {
  await writeStatements(
    sql`UPDATE workspaces SET notify = ${JSON.stringify({ ops: { to: 'mailto:ops@example.test', on: ['flow_failed'] } })}`,
    sql`INSERT INTO flow_runs (ws, id, app, flow, deployment_id, status, trigger_kind, input, created_by, permissioned_as,
        step_index, transition, created_at, completed_at)
      VALUES ('default', 'r', 'shop', 'pack', 'd', 'failed', 'api', '{}', 'ann', 'ann', 0, 't', 1, 2)`,
    raw('DELETE FROM notifications'),
  )
  await move()
  expect(await target.db.all(raw('SELECT id FROM notifications'))).toEqual([])
})

it('lets no node use a database whose move has not ended', async () => {
  const triggers = await target.db.all(TRIGGERS)
  await expect(move(failsToCompare())).rejects.toThrow()
  await expect(migrate(target.db)).rejects.toThrow('Run the move again: svc db move')
  await expect(requireSchema(target.db)).rejects.toThrow('Run the move again: svc db move')
  await move()
  await migrate(target.db)
  await requireSchema(target.db)
  expect(await target.db.all(TRIGGERS)).toEqual(triggers)
})

it('does not continue with a file that has changed meanwhile', async () => {
  await expect(move(failsToCompare())).rejects.toThrow()
  await writeStatements(sql`UPDATE users SET name = 'other'`)
  await expect(move()).rejects.toThrow('Name an empty one')
})

it('does not move a file that does not have all rows of another move', async () => {
  await writeStatements(sql`INSERT INTO meta (key, value) VALUES ('move_in_progress', 'id')`)
  await expect(move()).rejects.toThrow('does not have all rows of a move')
})

it('begins no move of a value that the server does not take', async () => {
  await writeStatements(
    sql`INSERT INTO bundles (hash, code, source_map, created_at) VALUES ('b', zeroblob(5000001), x'', 1)`,
  )
  const server: Database = { ...target.db, backend: 'remote' }
  await expect(move(server)).rejects.toThrow('bundles has values of more than 5 MB')
  expect(await target.db.all(raw('SELECT key FROM meta'))).toEqual([])
})
