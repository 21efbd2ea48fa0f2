/** Tests the check that every batch of the in-process tests goes through, with faulty and with correct batches. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Statement } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { checkBatches } from '../support/check-batches.ts'
import { openTemporaryDatabase, type TemporaryDatabase } from '../support/temporary-database.ts'

let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await openTemporaryDatabase()
  await temporary.db.write([
    sql`CREATE TABLE tasks (id INTEGER PRIMARY KEY, status TEXT NOT NULL)`,
    sql`CREATE TABLE notes (task INTEGER PRIMARY KEY, text TEXT NOT NULL)`,
    sql`INSERT INTO tasks VALUES (1, 'running')`,
  ])
})
afterEach(() => temporary.close())

const end = sql`UPDATE tasks SET status = 'done' WHERE id = 1 AND status = 'running'`
const note = sql`INSERT INTO notes SELECT id, 'note' FROM tasks WHERE id = 1 AND status = 'running'
  ON CONFLICT DO NOTHING`
const noteOfChange = sql`INSERT INTO notes SELECT 1, 'ended' WHERE changes() = 1`

const judge = async (batch: readonly Statement[]) => {
  const { db, finish } = checkBatches(temporary.db, temporary.path)
  const results = await db.write(batch)
  return { finish, changes: results.map(({ changes }) => changes) }
}

it('finds a write whose guard the statement before it makes false', async () => {
  const { finish, changes } = await judge([end, note])
  expect(changes).toEqual([1, 0])
  expect(finish).toThrow(/1 rows alone, 0 in its batch: INSERT INTO notes/)
})

it('accepts the right order, and leaves no trace of its own', async () => {
  const { finish, changes } = await judge([note, end])
  expect(changes).toEqual([1, 1])
  expect(finish).not.toThrow()
})

it('accepts a guard that holds neither way', async () => {
  await temporary.db.write([end])
  const { finish, changes } = await judge([end, note])
  expect(changes).toEqual([0, 0])
  expect(finish).not.toThrow()
})

it('takes what looks at changes() together with the statement before it', async () => {
  const { finish, changes } = await judge([note, end, sql`DELETE FROM notes`, noteOfChange])
  expect(changes).toEqual([1, 1, 1, 1])
  expect(finish).not.toThrow()
})
