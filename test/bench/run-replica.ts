/**
 * Measures how much an embedded replica relieves the primary: pages of 50 jobs from
 * each in turn, while a caller enqueues. `run-replica.ts [rounds]`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { startReplicaThread } from '#node/database/replica-thread.ts'
import { summarizeWorkspaceJobs } from '#service/queue/summarize-jobs.ts'
import { openReplica } from '#store/backends/replica.ts'
import type { Reader } from '#store/database.ts'
import { listJobs } from '#store/jobs/list.ts'
import { startSqld } from '../support/sqld.ts'
import { openEngine, WS } from './engine.ts'
import { usageOf } from './process-usage.ts'
import { median } from './statistics.ts'

const JOBS = 20_000
const SLICE_MS = 3_000
const CALLERS = 4
const ENQUEUE_EVERY_MS = 50
const MAX_AGE_MS = 1_000

const FILTER = {
  beforeId: null,
  limit: 50,
  statuses: [],
  app: null,
  action: null,
  triggerKind: null,
  since: null,
  until: null,
}

const rounds = Number(process.argv[2] ?? 3)
const folder = mkdtempSync(join(tmpdir(), 'bench-replica-'))
const sqld = await startSqld({ place: 'disk' })
const engine = await openEngine(sqld.httpUrl)
for (let sent = 0; sent < JOBS; sent += 200) {
  await Promise.all(Array.from({ length: 200 }, (_, at) => engine.enqueue(`job-${sent + at}`)))
}
const replica = openReplica(engine.deps.db, {
  thread: startReplicaThread({
    path: join(folder, 'replica.db'),
    url: sqld.httpUrl,
    maxAgeMs: MAX_AGE_MS,
  }),
  timeoutMs: 60_000,
  onTrouble: (error) => {
    throw error
  },
})
await listJobs(replica, WS, FILTER)

const READS = {
  'a page of 50 jobs': (reads: Reader) => listJobs(reads, WS, FILTER),
  'a summary': (reads: Reader) => summarizeWorkspaceJobs({ reads }, WS, 86_400),
}
const SOURCES = { primary: engine.deps.db, replica }

/** Microseconds of sqld per read, without its share for the enqueues, and reads per second. */
const measure = async (read: (reads: Reader) => Promise<unknown>, reads: Reader | null) => {
  const [began, cpuS] = [performance.now(), usageOf(sqld.pid()).cpuS]
  let count = 0
  const end = began + SLICE_MS
  const writer = setInterval(() => void engine.enqueue('more'), ENQUEUE_EVERY_MS)
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (performance.now() < end) {
        if (reads === null) await new Promise((resolve) => setTimeout(resolve, 50))
        else {
          await read(reads)
          count += 1
        }
      }
    }),
  )
  clearInterval(writer)
  return { cpuS: usageOf(sqld.pid()).cpuS - cpuS, count, perSecond: count / (SLICE_MS / 1_000) }
}

type Series = Readonly<{ micros: number[]; rates: number[] }>
const emptySeries = (): Series => ({ micros: [], rates: [] })

for (const [what, read] of Object.entries(READS)) {
  const taken = Object.entries(SOURCES).map(([name, source]) => ({
    name,
    source,
    ...emptySeries(),
  }))
  for (let round = 0; round < rounds; round += 1) {
    const idle = await measure(read, null)
    for (const { source, micros, rates } of taken) {
      const { cpuS, count, perSecond } = await measure(read, source)
      micros.push(((cpuS - idle.cpuS) / count) * 1e6)
      rates.push(perSecond)
    }
  }
  for (const { name, micros, rates } of taken) {
    const line = `${what}, ${name}: ${median(micros).toFixed(0)} µs of sqld, ${median(rates).toFixed(0)}/s`
    process.stdout.write(`${line} (${micros.map((each) => each.toFixed(0)).join(', ')})\n`)
  }
}
await replica.stop()
await engine.close()
await sqld.close()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
