/**
 * sqld is killed, its disk is gone, and another sqld restores itself from S3, by
 * the steps of docs/operating.md: what is lost, and how nodes go on.
 */
import process from 'node:process'
import { setTimeout as pass } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { openDatabase } from '#store/open-database.ts'
import { raw, sql } from '#store/sql.ts'
import { startBottomless } from '../support/bottomless.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { openNamespacesOf } from '../support/namespaces.ts'
import { isLong } from '../support/runs.ts'
import { startSqld } from '../support/sqld.ts'
import { audit, makeTemplate, tryRun, untilAllEnded } from './durable-node.ts'

const INTERVAL_S = 1
/** An upload may be slow on a busy machine. */
const MOST_LOST_MS = 10_000

test.runIf(isLong)(
  'a copy in S3 takes over: nodes go on, and only the last moments are lost',
  {
    timeout: 300_000,
  },
  async () => {
    const s3 = await startBottomless(INTERVAL_S)
    const { env, more } = s3
    const first = await startSqld({ env, more })
    const address = await startFaultProxy(first.httpUrl)
    const folder = await makeTemplate({ SVC_DATABASE_URL: first.httpUrl })
    try {
      const node = await folder.start({ env: { SVC_DATABASE_URL: address.url } })
      /** Jobs by id, with the time of their response. */
      const acknowledged = new Map<string, number>()
      let isLoading = true
      const load = Promise.all(
        Array.from({ length: 4 }, async (_, caller) => {
          for (let id = 0; isLoading; id += 1) {
            const job = await tryRun(node, folder, 'quick', { id: caller * 100_000 + id })
            if (job !== null) acknowledged.set(job, performance.now())
            await pass(20)
          }
        }),
      )
      await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(300), 120_000)
      const killedAt = performance.now()
      // including its folder
      await first.close()
      const before = new Map(acknowledged)
      const second = await startSqld({ env, more })
      address.lead(second.httpUrl)
      address.cut()
      const restoredMs = performance.now() - killedAt
      await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(before.size + 50), 120_000)
      isLoading = false
      await load
      const database = { databaseUrl: second.httpUrl }
      await untilAllEnded(database, 60_000)
      const jobs = await audit(database)
      const lost = [...acknowledged].filter(([id]) => !jobs.has(id))
      const oldest = Math.max(0, ...lost.map(([, at]) => killedAt - at))
      process.stdout.write(
        `bottomless: ${before.size} jobs were acknowledged before the kill, ${lost.length} of them lost, the oldest ${oldest.toFixed(0)} ms before it; restored after ${restoredMs.toFixed(0)} ms\n`,
      )
      expect(lost.every(([id]) => before.has(id))).toBe(true)
      expect(oldest).toBeLessThan(MOST_LOST_MS)
      for (const job of jobs.values()) expect(job).toMatchObject({ status: 'success', bills: 1 })
      expect(await node.process.stop()).toBe(0)
      await second.close()
    } finally {
      folder.remove()
      await address.close()
      await first.close()
      s3.close()
    }
  },
)

const NAMESPACES = ['one', 'two']
const OUTAGE_MS = 20_000

test.runIf(isLong)(
  'each namespace of a sqld is restored, although the bucket did not answer for a while',
  { timeout: 300_000 },
  async () => {
    const { env, more, ...s3 } = await startBottomless(INTERVAL_S)
    const first = await openNamespacesOf(NAMESPACES, { env, more })
    /** Writes one row after the other. @returns the number of rows */
    const writeUntil = async (name: string, end: number): Promise<number> => {
      const db = await openDatabase({ url: first.urlOf(name) })
      await db.write([raw('CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL)')])
      let count = 0
      for (; performance.now() < end; count += 1) {
        await db.write([sql`INSERT INTO t (name) VALUES (${name})`])
        await pass(5)
      }
      await db.close()
      return count
    }
    const startedAt = performance.now()
    const writing = NAMESPACES.map((name) => writeUntil(name, startedAt + OUTAGE_MS + 10_000))
    await pass(5_000)
    s3.cut()
    await pass(OUTAGE_MS)
    s3.join()
    const counts = await Promise.all(writing)
    // the last upload begins after an interval, and sqld waits longer after each failed try
    await pass(20_000)
    await first.close()
    const second = await openNamespacesOf(NAMESPACES, { env, more })
    try {
      for (const [at, name] of NAMESPACES.entries()) {
        const db = await openDatabase({ url: second.urlOf(name) })
        const rows = await db.all(sql`SELECT name, count(*) AS n FROM t GROUP BY name`)
        expect(rows).toEqual([{ name, n: counts[at] }])
        await db.close()
      }
    } finally {
      await second.close()
      s3.close()
    }
  },
)
