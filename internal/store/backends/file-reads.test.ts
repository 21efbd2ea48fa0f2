import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leastLongestTurnMs } from '../../../test/support/longest-turn.ts'
import type { Database } from '../database.ts'
import { readAs } from '../read-owner.ts'
import { sql } from '../sql.ts'
import { openFileDatabase } from './file-database.ts'

/** It takes a few milliseconds. */
const SLOW = sql`WITH RECURSIVE list(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM list WHERE n < 30000)
  SELECT count(*) AS count FROM list`

let folder = ''
let db: Database
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-reads-'))
  db = await openFileDatabase({ path: join(folder, 'svc.db') })
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true })
})

const flood = () => readAs('flood', () => Array.from({ length: 60 }, () => db.all(SLOW)))

test('slow reads that begin at once leave turns to other work', async () => {
  expect(await leastLongestTurnMs(() => Promise.all(flood()))).toBeLessThan(50)
})

test('slow reads that come during a transaction leave turns to other work after it', async () => {
  await db.write([sql`CREATE TABLE IF NOT EXISTS large (value TEXT)`])
  const values = Array.from({ length: 60 }, () => 'x'.repeat(100_000))
  const longest = await leastLongestTurnMs(async () => {
    let isWriting = true
    const written = db
      .write(values.map((value) => sql`INSERT INTO large (value) VALUES (${value})`))
      .finally(() => (isWriting = false))
    const reads: Promise<unknown>[] = []
    while (isWriting) {
      if (reads.length < 60) reads.push(readAs('flood', () => db.all(SLOW)))
      await nextTurn()
    }
    await Promise.all([written, ...reads])
  })
  expect(longest).toBeLessThan(50)
})

test('a read of another workspace comes before most reads of a flood', async () => {
  let ended = 0
  const all = flood().map((read) => read.then(() => (ended += 1)))
  await readAs('other', () => db.all(sql`SELECT 1`))
  const before = ended
  await Promise.all(all)
  expect(before).toBeLessThan(30)
})
