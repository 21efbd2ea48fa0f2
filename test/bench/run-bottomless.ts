/**
 * `node test/bench/run-bottomless.ts [rounds]`: measures what a sqld with bottomless replication loses when it is killed
 * and its disk is gone, by the interval of its uploads. Each round writes rows one by one, kills sqld, deletes its folder
 * and lets another sqld restore itself from the S3 server, which is s3rver in this process.
 */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#store/open-database.ts'
import { raw, sql } from '#store/sql.ts'
import { startBottomless } from '../support/bottomless.ts'
import { startSqld } from '../support/sqld.ts'

const ROUNDS = Number(process.argv[2] ?? 3)
const INTERVALS_S = [1, 5, 15]
const LOAD_MS = 40_000

type Loss = Readonly<{
  written: number
  lost: number
  oldestMs: number
  restoredMs: number
  requests: number
}>

const measure = async (intervalS: number): Promise<Loss> => {
  const { env, more, ...s3 } = await startBottomless(intervalS)
  const sqld = await startSqld({ env, more, place: 'disk' })
  const db = await openDatabase({ url: sqld.httpUrl })
  await db.write([raw('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT NOT NULL)')])
  const acknowledged: number[] = []
  const until = performance.now() + LOAD_MS
  for (let id = 1; performance.now() < until; id += 1) {
    await db.write([sql`INSERT INTO t (id, text) VALUES (${id}, ${'x'.repeat(200)})`])
    acknowledged[id] = performance.now()
    await sleep(5)
  }
  const killedAt = performance.now()
  await sqld.close()
  await db.close()
  const requests = s3.requests()
  const restored = await startSqld({ env, more, place: 'disk' })
  const after = await openDatabase({ url: restored.httpUrl })
  const row = await after.one(sql`SELECT max(id) AS last, count(*) AS n FROM t`)
  const restoredMs = performance.now() - killedAt
  await after.close()
  await restored.close()
  s3.close()
  const last = Number(row?.last)
  if (Number(row?.n) !== last) throw new Error(`Rows are missing before ${last}.`)
  const written = acknowledged.length - 1
  const oldestMs = last === written ? 0 : killedAt - (acknowledged[last + 1] ?? killedAt)
  return { written, lost: written - last, oldestMs, restoredMs, requests }
}

for (const intervalS of INTERVALS_S) {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { written, lost, oldestMs, restoredMs, requests } = await measure(intervalS)
    process.stdout.write(
      `every ${intervalS} s: ${lost} of ${written} lost, the oldest ${Math.round(oldestMs)} ms before the kill; restored in ${Math.round(restoredMs)} ms; ${requests} requests\n`,
    )
  }
}
