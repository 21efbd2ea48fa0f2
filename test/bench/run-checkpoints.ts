/**
 * What checkpoints at the end of commits cost: `run-checkpoints.ts [seconds] [nodes]`. Several writers share an sqld, once as it
 * comes and once with `--checkpoint-interval-s 10`, in turns. A part ends early if no write was answered for 12 s.
 */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { openRemoteDatabase } from '#store/backends/remote-database.ts'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { startSqld } from '../support/sqld.ts'

const [seconds = 60, nodes = 8] = process.argv.slice(2).map(Number)
const ROUNDS = 3
const WRITERS_OF_NODE = 2
const STUCK_MS = 12_000
const READ_EVERY_MS = 5

const INSERT = [
  sql`INSERT INTO rows (a, b) VALUES (hex(randomblob(16)), hex(randomblob(2000)))`,
  sql`INSERT INTO rows (a, b) VALUES (hex(randomblob(16)), hex(randomblob(3000)))`,
]

const measure = async (checkpointIntervalS: number | null) => {
  const sqld = await startSqld({ checkpointIntervalS, place: 'disk' })
  const dbs = Array.from({ length: nodes }, () => openRemoteDatabase({ url: sqld.wsUrl }))
  await dbs[0]?.write([
    sql`CREATE TABLE rows (id INTEGER PRIMARY KEY, a, b)`,
    sql`CREATE INDEX rows_a ON rows (a)`,
  ])
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1_000
  let [writes, failures, longestMs, lastAt] = [0, 0, 0, startedAt]
  const isOver = (): boolean => performance.now() > endsAt || performance.now() - lastAt > STUCK_MS

  const write = async (db: Database): Promise<void> => {
    while (!isOver()) {
      const sentAt = performance.now()
      try {
        await db.write(INSERT, { retry: true })
        writes += 1
        lastAt = performance.now()
      } catch {
        failures += 1
      }
      longestMs = Math.max(longestMs, performance.now() - sentAt)
    }
  }
  const read = async (db: Database): Promise<void> => {
    while (!isOver()) {
      await db.all(sql`SELECT count(*) FROM rows WHERE a < 'A'`).catch(() => [])
      await sleep(READ_EVERY_MS)
    }
  }
  await Promise.all(
    dbs.flatMap((db) => [
      read(db),
      ...Array.from({ length: WRITERS_OF_NODE }, async () => await write(db)),
    ]),
  )
  const ranS = (performance.now() - startedAt) / 1_000
  await sqld.close()
  return {
    checkpoints: checkpointIntervalS === null ? 'in commits' : `every ${checkpointIntervalS} s`,
    writesPerSecond: Math.round(writes / ranS),
    failures,
    longestMs: Math.round(longestMs),
    stuckAfterS: performance.now() < endsAt ? Math.round((lastAt - startedAt) / 1_000) : null,
  }
}

for (let round = 0; round < ROUNDS; round += 1) {
  for (const interval of [null, 10]) {
    process.stdout.write(`${JSON.stringify(await measure(interval))}\n`)
  }
}
process.exit(0)
