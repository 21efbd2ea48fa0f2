/** One sample over a real sqld: `run-sqld.ts enqueue|drain|http`, with the CPU time that sqld itself used per job. */
import process from 'node:process'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { type Sqld, startSqld } from '../support/sqld.ts'
import { type Engine, noopRunner, openDeps, openEngine, WS } from './engine.ts'
import { openHttpLoad } from './http-load.ts'
import { createTally } from './peer.ts'
import { usageOf } from './process-usage.ts'
import { exactlyOnce } from './queue-scenarios.ts'
import { ownUsage, printSample, type Sample } from './sample.ts'
import { deployNoop, startSvcNode } from './svc-node.ts'

const AT_ONCE = 64
const ENQUEUE_MS = 4_000
const BACKLOG = 8_000
const WORKERS = 4
const CONCURRENCY = 25

const countJobs = async ({ deps }: Engine, status: string): Promise<number> => {
  const counted = sql`SELECT count(*) AS n FROM jobs WHERE ws = ${WS} AND status = ${status}`
  return Number((await deps.db.one(counted))?.n)
}

/** Microseconds that one job took in sqld and elsewhere between two readings. */
const perJob = (jobs: number, sqldS: number, ownS: number): Readonly<Record<string, number>> => ({
  sqldMicros: (sqldS / jobs) * 1e6,
  ownMicros: (ownS / jobs) * 1e6,
})

const enqueue = async (engine: Engine, sqld: Sqld): Promise<Sample> => {
  let sent = 0
  const sendUntil = async (end: number): Promise<void> => {
    while (performance.now() < end) {
      await engine.enqueue(`job-${sent}`)
      sent += 1
    }
  }
  const sendAll = async (ms: number): Promise<number> => {
    const [before, had] = [performance.now(), sent]
    await Promise.all(Array.from({ length: AT_ONCE }, () => sendUntil(before + ms)))
    return (sent - had) / ((performance.now() - before) / 1_000)
  }
  await sendAll(500)
  const { cpuS } = ownUsage()
  const [had, sqldS] = [sent, usageOf(sqld.pid()).cpuS]
  const value = await sendAll(ENQUEUE_MS)
  const usage = ownUsage()
  const more = perJob(sent - had, usageOf(sqld.pid()).cpuS - sqldS, usage.cpuS - cpuS)
  const completed = await countJobs(engine, 'queued')
  const check = exactlyOnce({ sent, completed, distinct: sent })
  return { value, cpuS: usage.cpuS - cpuS, rssMb: usage.rssMb, check, more }
}

/** Over HTTP, with a separate node that checks tokens. The jobs wait with a tag that no worker serves. */
const enqueueOverHttp = async (sqld: Sqld): Promise<Sample> => {
  const node = await startSvcNode({ databaseUrl: sqld.httpUrl })
  await deployNoop(node, 'bench')
  const load = openHttpLoad(node, AT_ONCE)
  let sent = 0
  const sendUntil = async (end: number): Promise<void> => {
    while (performance.now() < end) {
      const path = '/api/w/default/jobs/run/bench/noop?tag=unserved'
      const { status, text } = await load.post(path, '{"id":"x"}')
      if (status !== 201) throw new Error(`Run answered ${status}: ${text}`)
      sent += 1
    }
  }
  const sendAll = (ms: number) => {
    const end = performance.now() + ms
    return Promise.all(Array.from({ length: AT_ONCE }, () => sendUntil(end)))
  }
  await sendAll(1_000)
  const [had, began, own, server] = [
    sent,
    performance.now(),
    usageOf(node.pid).cpuS,
    usageOf(sqld.pid()).cpuS,
  ]
  await sendAll(ENQUEUE_MS)
  const seconds = (performance.now() - began) / 1_000
  const usage = usageOf(node.pid)
  const more = perJob(sent - had, usageOf(sqld.pid()).cpuS - server, usage.cpuS - own)
  load.close()
  await node.stop()
  const db = await openDatabase({ url: sqld.httpUrl })
  const completed = Number((await db.one(sql`SELECT count(*) AS n FROM jobs`))?.n)
  await db.close()
  node.remove()
  const check = exactlyOnce({ sent, completed, distinct: sent })
  return { value: (sent - had) / seconds, cpuS: usage.cpuS - own, rssMb: usage.peakMb, check, more }
}

/** Four workers, each with its own connection, like four processes. */
const drain = async (engine: Engine, sqld: Sqld): Promise<Sample> => {
  for (let sent = 0; sent < BACKLOG; sent += 200) {
    await Promise.all(Array.from({ length: 200 }, (_, at) => engine.enqueue(`job-${sent + at}`)))
  }
  const tally = createTally(BACKLOG)
  const deps = await Promise.all(Array.from({ length: WORKERS }, () => openDeps(sqld.httpUrl)))
  const workers = deps.map((own) =>
    engine.work(CONCURRENCY, noopRunner(own, tally.add), { deps: { ...engine.deps, db: own.db } }),
  )
  await Promise.all(workers.map(({ ready }) => ready))
  const { cpuS } = ownUsage()
  const sqldS = usageOf(sqld.pid()).cpuS
  const before = performance.now()
  await Promise.all(workers.map((worker) => worker.start()))
  await tally.done
  await Promise.all(workers.map((worker) => worker.stop()))
  const seconds = (performance.now() - before) / 1_000
  const usage = ownUsage()
  const more = perJob(BACKLOG, usageOf(sqld.pid()).cpuS - sqldS, usage.cpuS - cpuS)
  const { distinct } = tally.result(seconds)
  const completed = await countJobs(engine, 'success')
  const check = exactlyOnce({ sent: BACKLOG, completed, distinct })
  await Promise.all(deps.map(({ db }) => db.close()))
  return { value: BACKLOG / seconds, cpuS: usage.cpuS - cpuS, rssMb: usage.rssMb, check, more }
}

const inProcess =
  (measure: (engine: Engine, sqld: Sqld) => Promise<Sample>) =>
  async (sqld: Sqld): Promise<Sample> => {
    const engine = await openEngine(sqld.httpUrl)
    const sample = await measure(engine, sqld)
    await engine.close()
    return sample
  }

const SAMPLES: Readonly<Record<string, (sqld: Sqld) => Promise<Sample>>> = {
  enqueue: inProcess(enqueue),
  drain: inProcess(drain),
  http: enqueueOverHttp,
}
const take = SAMPLES[process.argv[2] ?? '']
if (take === undefined) throw new Error(`No such sample: ${process.argv[2]}`)
const sqld = await startSqld({ place: 'disk' })
printSample(await take(sqld))
await sqld.close()
process.exit(0)
