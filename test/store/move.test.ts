/** `svc db move` between two files, interrupted and continued. test/e2e/scale-out.test.ts moves to a real sqld. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#store/database.ts'
import { moveDatabase } from '#store/maintenance/move.ts'
import { openDatabase } from '#store/open-database.ts'
import { raw, sql } from '#store/sql.ts'
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
  await expect(move()).rejects.toThrow('has data of its own')
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
  const file = await openDatabase({ url: `file:${source.path}` })
  await file.write([
    sql`INSERT INTO workspaces (id, name, wrapped_key, created_at) VALUES ('acme', 'acme', 'k', 1)`,
    sql`INSERT INTO held_workspaces (ws, file_id, since) VALUES ('acme', 'a file', 1)`,
    sql`INSERT INTO bundles (hash, code, source_map, created_at) VALUES ('b', x'', x'', 1)`,
    sql`INSERT INTO app_functions (ws, app, name, hash, bundle_hash, definition, files, entrypoint, deployed_by, deployed_at)
      VALUES ('acme', 'shop', 'hello', 'h', 'b', '{}', '{}', 'index.ts', 'ann', 1)`,
  ])
  await file.close()
  await move()
  expect(await target.db.one(sql`SELECT name FROM app_functions`)).toEqual({ name: 'hello' })
})
