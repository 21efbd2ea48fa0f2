/** Writes to a real sqld over a slow network: several groups are in flight, and order and outcomes stay the same. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { type Sqld, startSqld } from '../support/sqld.ts'

const ROUND_TRIP_MS = 40

let sqld: Sqld
let direct: Database
beforeAll(async () => {
  sqld = await startSqld()
  direct = await openDatabase({ url: sqld.httpUrl })
  await direct.write([
    sql`CREATE TABLE items (id TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT`,
    sql`CREATE TABLE places (place INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER NOT NULL, body TEXT) STRICT`,
  ])
})
afterAll(async () => {
  await direct.close()
  await sqld.close()
})

let proxy: FaultProxy
let db: Database
beforeEach(async () => {
  proxy = await startFaultProxy(sqld.httpUrl, { roundTripMs: ROUND_TRIP_MS })
  db = await openDatabase({ url: proxy.url, timeoutMs: 30_000 })
  // from here on, the durations of a round trip and of a commit are known
  for (let n = 0; n < 3; n += 1) {
    await db.one(sql`SELECT 1`)
    await db.write([sql`INSERT INTO items (id, n) VALUES (${crypto.randomUUID()}, 0)`])
  }
})
afterEach(async () => {
  await db.close()
  await proxy.close()
})

const isThere = async (id: string): Promise<boolean> =>
  (await direct.one(sql`SELECT 1 FROM items WHERE id = ${id}`)) !== null

it('sends what comes later before the answer to what came first', async () => {
  proxy.set('hold')
  const answered: string[] = []
  const ids = ['first', 'second', 'third']
  const writing: Promise<unknown>[] = []
  for (const id of ids) {
    const written = db.write([sql`INSERT INTO items (id, n) VALUES (${id}, 1)`])
    writing.push(written.then(() => answered.push(id)))
    // the write is done although no response has arrived, neither its own nor that of an earlier one
    await expect.poll(() => isThere(id), { timeout: 3_000 }).toBe(true)
  }
  expect(answered).toEqual([])
  proxy.set('none')
  await Promise.all(writing)
  expect(answered).toEqual(ids)
})

it('runs all writes in the order in which they were made, also those that go another way', async () => {
  const count = 400
  const large = 'x'.repeat(3 * 1_024 * 1_024)
  const before = proxy.connections()
  await Promise.all(
    Array.from({ length: count }, async (_, id) => {
      if (id % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 0))
      return db.write([
        sql`INSERT INTO places (id, body) VALUES (${id}, ${id % 150 === 149 ? large : null})`,
      ])
    }),
  )
  expect(proxy.connections()).toBeGreaterThanOrEqual(before)
  const ids = (await direct.all(sql`SELECT id FROM places ORDER BY place`)).map(({ id }) => id)
  expect(ids).toHaveLength(count)
  const inOrder = ids.filter((id) => Number(id) % 10 !== 0)
  expect(inOrder).toEqual([...inOrder].sort((a, b) => Number(a) - Number(b)))
})

it('gives each writer its own outcome when the connection is cut with several groups under way', async () => {
  const ids = Array.from({ length: 120 }, (_, n) => `cut-${n}`)
  const outcomes = new Map<string, string>()
  const writing = ids.map(async (id, n) => {
    await new Promise((resolve) => setTimeout(resolve, n))
    try {
      await db.write([sql`INSERT INTO items (id, n) VALUES (${id}, 1)`])
      outcomes.set(id, 'written')
    } catch (error) {
      outcomes.set(id, error instanceof Error && 'outcome' in error ? String(error.outcome) : '?')
    }
  })
  await new Promise((resolve) => setTimeout(resolve, 60))
  proxy.cut()
  await Promise.all(writing)
  const found = new Set((await direct.all(sql`SELECT id FROM items`)).map(({ id }) => id))
  for (const [id, outcome] of outcomes) {
    if (outcome === 'written') expect(found.has(id), id).toBe(true)
    else if (outcome === 'none') expect(found.has(id), id).toBe(false)
    else expect(outcome).toBe('unknown')
  }
  expect([...outcomes.values()].filter((outcome) => outcome === 'written').length).toBeGreaterThan(
    40,
  )
})

it('fails none but the writer whose statement is at fault, with groups before and behind it', async () => {
  const ids = Array.from({ length: 60 }, (_, n) => `fault-${n}`)
  const results = await Promise.allSettled(
    ids.map(async (id, n) => {
      await new Promise((resolve) => setTimeout(resolve, n))
      return db.write([sql`INSERT INTO items (id, n) VALUES (${id}, ${n === 30 ? null : n})`])
    }),
  )
  const failed = results.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))
  expect(failed).toEqual([30])
  const found = await direct.all(sql`SELECT id FROM items WHERE id LIKE 'fault-%'`)
  expect(found).toHaveLength(59)
})
