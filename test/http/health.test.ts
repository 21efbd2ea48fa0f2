/** GET /healthz after a write that failed [wire 9.1, 9.3]: 503 until one succeeds, on real errors of SQLite. */
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Database, DatabaseError, type DatabaseErrorKind } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

let app: TestApp
let token = ''
let writes = 0
let failure: DatabaseErrorKind | null = null

const failing = (db: Database): Database => ({
  ...db,
  write: async (statements, options) => {
    writes += 1
    if (failure !== null) throw new DatabaseError('detail', { kind: failure, outcome: 'none' })
    return await db.write(statements, options)
  },
})

beforeEach(async () => {
  failure = null
  app = await createTestApp({ wrapDatabase: failing })
  token = await app.token(['*'])
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(async () => {
  vi.useRealTimers()
  failure = null
  await app.close()
})

const health = () => app.call('GET', '/healthz')
const setVariable = (value: string) =>
  app.call('PUT', `/api/w/${WS}/variables/GREETING`, { token, json: { value, secret: false } })

test('a database that answers is 200, with what a commit survives', async () => {
  expect(await health()).toMatchObject({
    status: 200,
    json: { status: 'ok', database: 'ok', durability: 'durable' },
  })
})

test.each(['full', 'read_only', 'io', 'busy', 'unavailable', 'missing_table'] as const)(
  'a write that failed (%s) is 503 with a sentence, and healthz is 503 until one succeeds',
  async (kind) => {
    failure = kind
    const refused = await setVariable('one')
    expect(refused).toMatchObject({ status: 503, json: { code: 'unavailable' } })
    expect(refused.text).not.toContain('detail')
    const { error } = JSON.parse(refused.text)
    const ill = {
      status: 503,
      json: {
        status: 'unavailable',
        database: 'unavailable',
        durability: 'durable',
        reason: error,
      },
    }
    expect(await health()).toMatchObject(ill)
    failure = null
    // the one attempt of this second has failed already
    expect(await health()).toMatchObject(ill)
    vi.advanceTimersByTime(1_000)
    expect(await health()).toMatchObject({ status: 200, json: { database: 'ok' } })
    expect(await app.deps.db.all(sql`SELECT * FROM meta WHERE key = 'write_check'`)).toEqual([])
  },
)

test('damage stays reported until the node restarts, since another page may be intact', async () => {
  failure = 'corrupt'
  expect((await setVariable('one')).status).toBe(503)
  failure = null
  expect((await setVariable('two')).status).toBeLessThan(300)
  vi.advanceTimersByTime(60_000)
  expect(await health()).toMatchObject({
    status: 503,
    json: { reason: expect.stringContaining('restore a backup') },
  })
})

test('it tries a write at most once a second, and none while writes succeed', async () => {
  failure = 'full'
  await setVariable('one')
  writes = 0
  for (let asked = 0; asked < 5; asked += 1) await health()
  expect(writes).toBe(1)
  vi.advanceTimersByTime(1_000)
  await health()
  expect(writes).toBe(2)
  failure = null
  vi.advanceTimersByTime(1_000)
  await health()
  writes = 0
  for (let asked = 0; asked < 5; asked += 1) await health()
  expect(writes).toBe(0)
})

test('a caller whose write succeeds ends it at once', async () => {
  failure = 'full'
  await setVariable('one')
  expect((await health()).status).toBe(503)
  failure = null
  expect((await setVariable('one')).status).toBeLessThan(300)
  expect((await health()).status).toBe(200)
})

test('a database that SQLite may not write to is read-only, not a fault of svc', async () => {
  await app.deps.db.all(sql`PRAGMA query_only = 1`)
  const refused = await setVariable('one')
  expect(refused).toMatchObject({
    status: 503,
    json: { error: expect.stringContaining('read-only') },
  })
  // the connection was replaced by one that may write
  expect((await health()).status).toBe(200)
})

test('a missing table is 503 with what to do, and over when the table is back', async () => {
  const other = await openDatabase({ url: `file:${join(app.folder, 'svc.db')}` })
  await other.write([sql`ALTER TABLE variables RENAME TO gone`])
  const refused = await app.call('GET', `/api/w/${WS}/variables`, { token })
  expect(refused).toMatchObject({
    status: 503,
    json: { error: expect.stringContaining('lacks a table') },
  })
  expect((await health()).status).toBe(503)
  await other.write([sql`ALTER TABLE gone RENAME TO variables`])
  await other.close()
  vi.advanceTimersByTime(1_000)
  expect((await health()).status).toBe(200)
})

test('a damaged page is 503 with what to do, for readers too', async () => {
  await setVariable('x'.repeat(2_000))
  await app.deps.db.all(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
  const [page] = await app.deps.db.all(
    sql`SELECT rootpage FROM sqlite_schema WHERE name = 'variables'`,
  )
  const path = join(app.folder, 'svc.db')
  const before = Buffer.alloc(4_096)
  const file = openSync(path, 'r+')
  const at = (Number(page?.rootpage) - 1) * 4_096
  expect(statSync(path).size).toBeGreaterThan(at)
  readSync(file, before, 0, 4_096, at)
  writeSync(file, Buffer.alloc(4_096, 0xff), 0, 4_096, at)
  try {
    // another process writes, so that this one reads the page again
    const other = await openDatabase({ url: `file:${path}` })
    await other.write([sql`INSERT INTO meta (key, value) VALUES ('other', '1')`])
    await other.close()
    const refused = await app.call('GET', `/api/w/${WS}/variables`, { token })
    expect(refused).toMatchObject({
      status: 503,
      json: { error: expect.stringContaining('damaged') },
    })
    expect((await health()).status).toBe(503)
  } finally {
    writeSync(file, before, 0, 4_096, at)
    closeSync(file)
  }
})
