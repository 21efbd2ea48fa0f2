import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeState } from '#store/apps/state.ts'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { insertApps, OLD_APP } from '../../../test/support/insert-apps.ts'
import { copyJob, insertJobs } from '../../../test/support/insert-job.ts'
import { leastLongestTurnMs } from '../../../test/support/longest-turn.ts'
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts'
import { createStorageMeter, type StorageMeter } from './storage-meter.ts'

let db: Database
let close: () => Promise<void>
let clock: number
let steady: number
beforeEach(async () => {
  const opened = await openTemporaryDatabase()
  db = opened.db
  close = opened.close
  clock = 1_000
  steady = 0
})
afterEach(() => close())

const open = (quotaBytes = 0): StorageMeter =>
  createStorageMeter({ reads: db, now: () => clock, steadyNow: () => steady, quotaBytes })
/** Writes `count` values whose JSON has `bytes` bytes each. */
const fill = async (ws: string, count: number, bytes: number): Promise<void> => {
  await insertApps(
    db,
    ws,
    Array.from({ length: 7 }, (_, n) => `app-${n}`),
  )
  await db.write(
    Array.from({ length: count }, (_, n) =>
      writeState({
        ws,
        app: `app-${n % 7}`,
        key: `key-${n}`,
        json: `"${'x'.repeat(bytes - 2)}"`,
        id: String(n),
        writer: OLD_APP,
      }),
    ),
  )
}

test('adds up every row of a workspace over many portions, and none of another', async () => {
  await fill('shop', 1_700, 10)
  await fill('bank', 3, 1_000)
  expect((await open().measure('shop')).bytes).toBe(17_000)
  expect((await open().measure('bank')).bytes).toBe(3_000)
  expect((await open().measure('nobody')).bytes).toBe(0)
})

test('counts what durable steps and events keep', async () => {
  const of = { ws: 'shop', deploymentId: 'd', app: 'app', action: 'run' }
  await insertJobs(db, [
    { ...of, id: 'a' },
    { ...of, id: 'b' },
  ])
  const inputs = (await open().measure('shop')).bytes
  await db.write([
    sql`INSERT INTO job_steps (job_id, name, position, kind, status, started_at, result, error)
      VALUES ('a', 'one', 1, 'step', 'running', 0, '12345', NULL), ('b', 'two', 1, 'step', 'running', 0, NULL, '123')`,
    sql`INSERT INTO job_history (job_id, first, entries) VALUES ('a', 0, '1234567')`,
    sql`INSERT INTO events (ws, id, call, name, data, sent_by, pending, at) VALUES ('shop', 'e', 'c', 'n', '12345678901', 'x', 0, 0)`,
  ])
  expect((await open().measure('shop')).bytes).toBe(inputs + 5 + 3 + 7 + 11)
})

test('counts the logs of jobs that wrote thousands of pieces with turns for other work', async () => {
  const of = { ws: 'shop', deploymentId: 'd', app: 'app', action: 'run' }
  const [id = ''] = await insertJobs(db, [{ ...of, status: 'success' }])
  await copyJob(db, { id, count: 400, createdAt: 1 })
  const inputs = (await open().measure('shop')).bytes
  await db.write([
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
      INSERT INTO job_logs (job_id, attempt, seq, chunk) SELECT jobs.id, 1, i, x'00' FROM n, jobs`,
  ])
  expect(await leastLongestTurnMs(() => open().measure('shop'))).toBeLessThan(50)
  expect((await open().measure('shop')).bytes).toBe(inputs + 401 * 600)
})

test('counts drafts and what is pushed', async () => {
  await db.write([
    sql`INSERT INTO workspaces (id, name, wrapped_key, created_at) VALUES ('shop', 'Shop', '', 0)`,
    sql`INSERT INTO drafts (ws, app, files, file_count, bytes, updated_by, updated_at) VALUES ('shop', 'a', '[1234]', 1, 4, 'x', 0)`,
    sql`INSERT INTO draft_parts (ws, app, hash, content) VALUES ('shop', 'a', 'h', '12345')`,
    sql`INSERT INTO git_packs (ws, repository_id, name, bytes, begun_at)
      VALUES ('shop', 'r', 'one', 1000, 0), ('shop', 'r', 'two', 200, 0), ('bank', 'r', 'one', 1, 0)`,
  ])
  expect((await open().measure('shop')).bytes).toBe(6 + 5 + 1_200)
})

test('caches a number for half a minute, then measures again', async () => {
  const meter = open()
  expect((await meter.measure('shop')).bytes).toBe(0)
  await fill('shop', 1, 100)
  steady += 29_000
  expect((await meter.measure('shop')).bytes).toBe(0)
  steady += 2_000
  // the clock of the machine was set back meanwhile
  clock -= 900
  expect(await meter.measure('shop')).toEqual(
    expect.objectContaining({ bytes: 100, measuredAt: clock }),
  )
})

test('refuses new work of a workspace at its quota, and of no other', async () => {
  await fill('shop', 2, 600_000)
  const meter = open(1_048_576)
  await expect(meter.pass('shop')).rejects.toMatchObject({
    kind: 'rate_limited',
    code: 'storage_full',
    message: expect.stringContaining('stores 2 MiB of 1 MiB'),
  })
  await expect(meter.pass('bank')).resolves.toBeUndefined()
})

test('reads nothing without a quota', async () => {
  const unread = createStorageMeter({
    reads: {
      ...db,
      all: () => Promise.reject(new Error('read')),
    },
    now: () => clock,
    quotaBytes: 0,
  })
  await expect(unread.pass('shop')).resolves.toBeUndefined()
})
