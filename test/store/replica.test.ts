/** The embedded replica of a real sqld: what it shows, how old it may be, and what happens when sqld is unavailable. */
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startReplicaThread } from '#node/database/replica-thread.ts'
import { openReplica, type Replica } from '#store/backends/replica.ts'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { type Sqld, startSqld } from '../support/sqld.ts'

let folder = ''
let sqld: Sqld
let db: Database
let replica: Replica
let trouble: Error[]
let asked: number
beforeEach(async () => {
  folder = makeMemoryFolder('svc-replica-')
  sqld = await startSqld()
  db = await openDatabase({ url: sqld.httpUrl, retryForMs: 100, timeoutMs: 1_000 })
  await db.write([
    sql`CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, body BLOB)`,
    sql`INSERT INTO t VALUES (1, ${'ü'}, ${new Uint8Array([0, 255])}), (2, NULL, NULL)`,
  ])
  trouble = []
  asked = 0
  const counted: Database = {
    ...db,
    all: (statement) => {
      asked += 1
      return db.all(statement)
    },
  }
  replica = openReplica(counted, {
    thread: startReplicaThread({
      path: join(folder, 'replica.db'),
      url: sqld.wsUrl,
      maxAgeMs: 200,
    }),
    timeoutMs: 1_000,
    onTrouble: (error) => trouble.push(error),
  })
  // on a busy machine the thread may take longer to start than a reader waits
  await expect
    .poll(
      async () => {
        asked = 0
        await ids()
        return asked
      },
      { timeout: 10_000 },
    )
    .toBe(0)
  trouble = []
})
afterEach(async () => {
  await replica.stop()
  await db.close()
  await sqld.close()
  rmSync(folder, { recursive: true, force: true })
})

const ids = async () => (await replica.all(sql`SELECT id FROM t ORDER BY id`)).map(({ id }) => id)

test('it answers as the server does, without asking it', async () => {
  const text = sql`SELECT * FROM t WHERE id < ${9} ORDER BY id`
  expect(await replica.all(text)).toEqual(await db.all(text))
  expect(await replica.one(sql`SELECT name FROM t WHERE id = ${1}`)).toEqual({ name: 'ü' })
  expect(await replica.one(sql`SELECT name FROM t WHERE id = ${99}`)).toBeNull()
  expect(asked).toBe(0)
  for (const name of ['replica.db', 'replica.db-wal']) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  }
})

test('it is as old as it may be, and no older', async () => {
  expect(await ids()).toEqual([1, 2])
  await db.write([sql`INSERT INTO t (id) VALUES (3)`])
  await expect.poll(ids, { timeout: 2_000, interval: 50 }).toEqual([1, 2, 3])
  expect(asked).toBe(0)
})

test('many who ask at once cause one update', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, ids))
  for (const answer of answers) expect(answer).toEqual([1, 2])
})

test('while the server is away it does not answer in its place, and it comes back by itself', async () => {
  await ids()
  await sqld.kill()
  await new Promise((resolve) => setTimeout(resolve, 250))
  await expect(ids()).rejects.toThrow()
  await expect(ids()).rejects.toThrow()
  expect(trouble).toHaveLength(1)
  await sqld.restart()
  await db.write([sql`INSERT INTO t (id) VALUES (4)`], { retry: true })
  await expect.poll(ids, { timeout: 5_000 }).toEqual([1, 2, 4])
})

test('a server that has fallen silent is not waited for, and delays no reader', async () => {
  await ids()
  await sqld.pause()
  await new Promise((resolve) => setTimeout(resolve, 250))
  const before = performance.now()
  let ticks = 0
  const clock = setInterval(() => {
    ticks += 1
  }, 20)
  await expect(ids()).rejects.toThrow()
  clearInterval(clock)
  expect(performance.now() - before).toBeLessThan(4_000)
  expect(ticks).toBeGreaterThan(20)
  sqld.resume()
  await db.write([sql`INSERT INTO t (id) VALUES (5)`], { retry: true })
  await expect.poll(ids, { timeout: 10_000 }).toEqual([1, 2, 5])
})
