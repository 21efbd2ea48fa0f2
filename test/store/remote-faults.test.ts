/** Kills, stops, pauses and restarts sqld under the remote backend, over HTTP and over WebSocket. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { type Sqld, startSqld } from '../support/sqld.ts'

const insertOnce = (id: string) => [
  sql`INSERT INTO items (id) VALUES (${id}) ON CONFLICT DO NOTHING`,
]

describe.each(['httpUrl', 'wsUrl'] as const)('the database behind %s of sqld', (scheme) => {
  let sqld: Sqld
  const opened: Database[] = []
  const open = async (options = {}): Promise<Database> => {
    const db = await openDatabase({ url: sqld[scheme], ...options })
    opened.push(db)
    return db
  }

  beforeEach(async () => {
    sqld = await startSqld()
    const db = await open()
    await db.write([sql`CREATE TABLE items (id TEXT PRIMARY KEY, n INTEGER) STRICT`])
  })
  afterEach(async () => {
    for (const db of opened.splice(0)) await db.close()
    await sqld.close()
  })

  it('keeps every acknowledged row, and exactly one of each, while sqld is killed and restarted', async () => {
    const db = await open({ retryForMs: 15_000 })
    const acknowledged: string[] = []
    let isOver = false
    const write = async (writer: number): Promise<void> => {
      for (let index = 0; !isOver; index += 1) {
        const id = `${writer}-${index}`
        await db.write([...insertOnce(id), sql`SELECT 1`], { retry: true })
        acknowledged.push(id)
      }
    }
    const writers = Array.from({ length: 8 }, (_, writer) => write(writer))
    const waitFor = async (count: number): Promise<void> => {
      while (acknowledged.length < count) await new Promise((next) => setTimeout(next, 2))
    }
    for (let kill = 0; kill < 4; kill += 1) {
      await waitFor(acknowledged.length + 60)
      await sqld.kill()
      await sqld.restart()
    }
    await waitFor(acknowledged.length + 60)
    isOver = true
    await Promise.all(writers)

    const rows = await db.all(sql`SELECT id FROM items`)
    expect(new Set(rows.map((row) => row.id))).toEqual(new Set(acknowledged))
    expect(rows).toHaveLength(acknowledged.length)
  })

  it('does not repeat a write of unknown outcome that did not ask for it', async () => {
    const db = await open()
    await db.write([sql`INSERT INTO items (id, n) VALUES ('counter', 0)`])
    let acknowledged = 0
    let unknown = 0
    let isOver = false
    const count = async (): Promise<void> => {
      while (!isOver) {
        try {
          await db.write([sql`UPDATE items SET n = n + 1 WHERE id = 'counter'`])
          acknowledged += 1
        } catch (error) {
          expect(error).toMatchObject({ kind: 'unavailable', outcome: 'unknown' })
          unknown += 1
        }
      }
    }
    const counters = Array.from({ length: 4 }, count)
    for (let kill = 0; kill < 3; kill += 1) {
      const goal = acknowledged + 20
      while (acknowledged < goal) await new Promise((next) => setTimeout(next, 2))
      await sqld.kill()
      await sqld.restart()
    }
    isOver = true
    await Promise.all(counters)
    const n = Number((await db.one(sql`SELECT n FROM items WHERE id = 'counter'`))?.n)
    expect(n).toBeGreaterThanOrEqual(acknowledged)
    expect(n).toBeLessThanOrEqual(acknowledged + unknown)
  })

  it('gives a silent server up after its time, and finds it again when it wakes', async () => {
    const db = await open({ timeoutMs: 250, retryForMs: 0 })
    await db.one(sql`SELECT 1`)
    await db.write(insertOnce('early'))
    await sqld.pause()
    const began = performance.now()
    const [read, write] = await Promise.allSettled([
      db.one(sql`SELECT 1`),
      db.write(insertOnce('silent')),
    ])
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(read).toMatchObject({ reason: { kind: 'unavailable', outcome: 'none' } })
    expect(write).toMatchObject({ reason: { kind: 'unavailable', outcome: 'unknown' } })
    sqld.resume()
    const patient = await open({ timeoutMs: 10_000 })
    await patient.write(insertOnce('awake'), { retry: true })
    await db.write(insertOnce('awake'), { retry: true })
    expect(await db.one(sql`SELECT count(*) AS n FROM items WHERE id = 'awake'`)).toEqual({
      n: 1,
    })
  })

  it('reports that nothing was written when it never got a connection', async () => {
    await sqld.kill()
    const db = await open({ retryForMs: 100 })
    await expect(db.write(insertOnce('never'))).rejects.toMatchObject({
      kind: 'unavailable',
      outcome: 'none',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('waits for a server that starts later, with writes that never reached it', async () => {
    await sqld.kill()
    const db = await open()
    const writing = db.write(insertOnce('patient'))
    const reading = db.one(sql`SELECT 1 AS one`)
    await sqld.restart()
    await writing
    expect(await reading).toEqual({ one: 1 })
  })

  it('lets a slow read end while another one is given up', async () => {
    const db = await open({ timeoutMs: 4_000, retryForMs: 0 })
    const slow = db.one(
      sql`WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 400000)
        SELECT count(*) AS n FROM c`,
    )
    await expect(db.one(sql`SELECT nothing`)).rejects.toMatchObject({ kind: 'other' })
    expect(await slow).toEqual({ n: 400_000 })
  })
})
