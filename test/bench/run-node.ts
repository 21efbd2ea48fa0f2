/** One sample of a real node over HTTP: `run-node.ts enqueue|wait|cold|idle|ready [ended jobs]|crash|function|functions`. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 } from 'uuid'
import { z } from 'zod'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { fillHistory } from './fill.ts'
import { openHttpLoad } from './http-load.ts'
import { ownUsageOf, usageOf, writtenBytes } from './process-usage.ts'
import { exactlyOnce } from './queue-scenarios.ts'
import { printSample, type Sample } from './sample.ts'
import { median, quantile } from './statistics.ts'
import { deployNoop, deploySlow, type SvcNode, startSvcNode } from './svc-node.ts'

const RUN = '/api/w/default/jobs/run'
const ENQUEUE_MS = 4_000
const AT_ONCE = 64

/** Counts the jobs in the database after the node has stopped. Every acknowledged job must be there once. */
const countJobs = async (node: SvcNode): Promise<number> => {
  const db = await openDatabase({ url: `file:${join(node.dataDir, 'svc.db')}` })
  const row = await db.one(sql`SELECT count(*) AS n FROM jobs`)
  await db.close()
  return Number(row?.n)
}

/** S1 over HTTP: the jobs wait with a tag that no worker serves, so that only enqueueing is measured. */
const enqueue = async (): Promise<Sample> => {
  const node = await startSvcNode()
  await deployNoop(node, 'bench')
  const load = openHttpLoad(node, AT_ONCE)
  const path = `${RUN}/bench/noop?tag=nobody`
  const ids = new Set<string>()
  const send = async (until: number): Promise<void> => {
    while (performance.now() < until) {
      const { status, text } = await load.post(path, '{"id":"x"}')
      if (status !== 201) throw new Error(`Run answered ${status}: ${text}`)
      ids.add(text)
    }
  }
  const sendAll = async (ms: number): Promise<number> => {
    const before = performance.now()
    const had = ids.size
    await Promise.all(Array.from({ length: AT_ONCE }, () => send(before + ms)))
    return (ids.size - had) / ((performance.now() - before) / 1_000)
  }
  await sendAll(1_000)
  const before = usageOf(node.pid)
  const value = await sendAll(ENQUEUE_MS)
  const after = usageOf(node.pid)
  load.close()
  await node.stop()
  const completed = await countJobs(node)
  const check = exactlyOnce({ sent: ids.size, completed, distinct: ids.size })
  node.remove()
  return { value, cpuS: after.cpuS - before.cpuS, rssMb: after.peakMb, check }
}

const CALLS = 400
const WARMING = 50

/** S5: one call after the other, in a process that has run this app before. */
const wait = async (): Promise<Sample> => {
  const node = await startSvcNode()
  await deployNoop(node, 'bench')
  const load = openHttpLoad(node, 1)
  const call = async (): Promise<number> => {
    const before = performance.now()
    const { status, text } = await load.post(`${RUN}/bench/noop/wait`, '{}')
    if (status !== 200 || !text.includes('"success"')) throw new Error(`${status} ${text}`)
    return performance.now() - before
  }
  for (let at = 0; at < WARMING; at += 1) await call()
  const before = usageOf(node.pid)
  const times: number[] = []
  for (let at = 0; at < CALLS; at += 1) times.push(await call())
  const after = usageOf(node.pid)
  load.close()
  await node.stop()
  node.remove()
  return {
    value: median(times),
    cpuS: after.cpuS - before.cpuS,
    rssMb: after.peakMb,
    check: `${CALLS} calls, each 200 and success`,
    more: { p99: quantile(times, 0.99) },
  }
}

const COLD_CALLS = 30
const PAUSE_MS = 60

/** S6: the first call of a bundle; each app has never run before. */
const cold = async (): Promise<Sample> => {
  const node = await startSvcNode()
  for (let at = 0; at < COLD_CALLS; at += 1) await deployNoop(node, `app-${at}`, `${at}`)
  const load = openHttpLoad(node, 1)
  const before = usageOf(node.pid)
  const times: number[] = []
  for (let at = 0; at < COLD_CALLS; at += 1) {
    const from = performance.now()
    const { status, text } = await load.post(`${RUN}/app-${at}/noop/wait`, '{}')
    times.push(performance.now() - from)
    if (status !== 200 || !text.includes('"success"')) throw new Error(`${status} ${text}`)
    // pauses between calls as in practice; without them this would measure how fast processes start
    await sleep(PAUSE_MS)
  }
  const after = usageOf(node.pid)
  load.close()
  await node.stop()
  node.remove()
  return {
    value: median(times),
    cpuS: after.cpuS - before.cpuS,
    rssMb: after.peakMb,
    check: `${COLD_CALLS} first calls, each 200 and success`,
    more: { p99: quantile(times, 0.99) },
  }
}

/** Each half of the observed time. In the first half, the runtime's compiler still works on the code of the start. */
const HALF_S = 30
const SETTLE_MS = 3_000

const idle = async (): Promise<Sample> => {
  const node = await startSvcNode()
  await sleep(SETTLE_MS)
  const log = join(node.dataDir, 'svc.db-wal')
  const look = () => {
    const { size, mtimeMs } = statSync(log)
    return { ...usageOf(node.pid), size, mtimeMs, bytes: writtenBytes(node.pid) }
  }
  const before = look()
  await sleep(HALF_S * 1_000)
  const between = look()
  await sleep(HALF_S * 1_000)
  const after = look()
  const own = ownUsageOf(node.pid)
  await node.stop()
  node.remove()
  const isUntouched = after.size === before.size && after.mtimeMs === before.mtimeMs
  return {
    value: (after.bytes - before.bytes) / (2 * HALF_S),
    cpuS: after.cpuS - before.cpuS,
    rssMb: after.rssMb,
    check: `${2 * HALF_S} s watched; the log of the database was ${isUntouched ? 'not touched' : 'written to'}`,
    more: {
      cpuPercent: (100 * (after.cpuS - between.cpuS)) / HALF_S,
      firstHalfCpuPercent: (100 * (between.cpuS - before.cpuS)) / HALF_S,
      ownRssMb: own.rssMb,
      processes: after.processes,
    },
  }
}

/** Adds ended jobs to one that really ran. */
const fill = async (node: SvcNode, size: number): Promise<void> => {
  await deployNoop(node, 'bench')
  const load = openHttpLoad(node, 1)
  const { text } = await load.post(`${RUN}/bench/noop/wait`, '{}')
  load.close()
  await node.stop()
  const db = await openDatabase({ url: `file:${join(node.dataDir, 'svc.db')}` })
  const answer: unknown = JSON.parse(text)
  const modelId = z.object({ job_id: z.string() }).parse(answer).job_id
  await fillHistory({ db, newId: () => v7() }, modelId, size)
  await db.close()
}

/** S10: from the start of the process to the first 200 on /healthz, with an existing database. */
const ready = async (): Promise<Sample> => {
  const size = Number(process.argv[3] ?? 0)
  const first = await startSvcNode()
  if (size > 0) await fill(first, size)
  else await first.stop()
  const second = await startSvcNode({ dataDir: first.dataDir })
  const usage = usageOf(second.pid)
  await second.stop()
  second.remove()
  return {
    value: second.readyMs,
    cpuS: usage.cpuS,
    rssMb: usage.rssMb,
    check: 'healthz answered 200',
    more: { firstStartMs: first.readyMs },
  }
}

/** S14: from the death of the only node, in the middle of a job, to the job's next run, after an immediate restart. */
const crash = async (): Promise<Sample> => {
  const first = await startSvcNode()
  await deploySlow(first, 'bench')
  const load = openHttpLoad(first, 1)
  const { text } = await load.post(`${RUN}/bench/slow`, '{}')
  const { job_id } = z.object({ job_id: z.string() }).parse(JSON.parse(text))
  await untilStarted(first, job_id, 1)
  load.close()
  const killedAt = performance.now()
  await first.kill()
  const second = await startSvcNode({ dataDir: first.dataDir })
  await untilStarted(second, job_id, 2)
  const value = (performance.now() - killedAt) / 1_000
  const usage = usageOf(second.pid)
  await second.kill()
  second.remove()
  return { value, cpuS: usage.cpuS, rssMb: usage.rssMb, check: 'attempt 2 of the same job runs' }
}

const untilStarted = async (node: SvcNode, id: string, attempt: number): Promise<void> => {
  for (;;) {
    const answer = await fetch(`${node.url}/api/w/default/jobs/${id}`, {
      headers: { authorization: `Bearer ${node.token}` },
    })
    const job = z.object({ status: z.string(), attempt: z.number() }).parse(await answer.json())
    if (job.status === 'running' && job.attempt === attempt) return
    await sleep(20)
  }
}

const FUNCTION_CALLS = 500
const FUNCTION_MS = 4_000

const deployFunction = async (node: SvcNode): Promise<void> => {
  const post = async (path: string, init: RequestInit): Promise<void> => {
    const answer = await fetch(`${node.url}/api/w/default${path}`, {
      method: 'POST',
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${node.token}` },
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const form = new FormData()
  const code = 'export default (ctx) => ({ hello: ctx.body.name })\n'
  form.set('functions/hello/index.ts', new Blob([code]), 'index.ts')
  const headers = { 'content-type': 'application/json' }
  await post('/apps', { body: '{"key":"bench","name":"Bench"}', headers })
  await post('/apps/bench/functions/deploy', { body: form })
}

/** S12: calls a warm function by its path, one call after the other or 32 at once. */
const functionCalls = async (atOnce: number): Promise<Sample> => {
  const node = await startSvcNode()
  await deployFunction(node)
  const load = openHttpLoad(node, atOnce)
  const call = async (): Promise<number> => {
    const before = performance.now()
    const { status, text } = await load.post('/fn/default/bench/hello', '{"name":"Ada"}')
    if (status !== 200 || text !== '{"hello":"Ada"}') throw new Error(`${status} ${text}`)
    return performance.now() - before
  }
  const many = async (count: number): Promise<readonly number[]> => {
    const times: number[] = []
    for (let at = 0; at < count; at += 1) times.push(await call())
    return times
  }
  await Promise.all(Array.from({ length: atOnce }, () => many(WARMING)))
  const before = usageOf(node.pid)
  let times: readonly number[] = []
  let value = 0
  if (atOnce === 1) {
    times = await many(FUNCTION_CALLS)
    value = median(times)
  } else {
    const until = performance.now() + FUNCTION_MS
    const counts = Array.from({ length: atOnce }, async () => {
      let count = 0
      for (; performance.now() < until; count += 1) await call()
      return count
    })
    const count = (await Promise.all(counts)).reduce((sum, each) => sum + each, 0)
    value = count / (FUNCTION_MS / 1_000)
    times = Array.from({ length: count }, () => 0)
  }
  const after = usageOf(node.pid)
  load.close()
  await node.stop()
  node.remove()
  const check = `${times.length} calls, each 200 with its own answer`
  const more = atOnce === 1 ? { more: { p99: quantile(times, 0.99) } } : {}
  return { value, cpuS: after.cpuS - before.cpuS, rssMb: after.peakMb, check, ...more }
}

const SAMPLES: Readonly<Record<string, () => Promise<Sample>>> = {
  enqueue,
  wait,
  cold,
  idle,
  ready,
  crash,
  function: () => functionCalls(1),
  functions: () => functionCalls(32),
}
const run = SAMPLES[process.argv[2] ?? '']
if (run === undefined) throw new Error(`No such sample: ${process.argv[2]}`)
printSample(await run())
process.exit(0)
