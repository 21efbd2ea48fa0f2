/** One sample over a real sqld: `run-sqld.ts enqueue|drain` (target S11). */
import process from 'node:process'
import { sql } from '#store/sql.ts'
import { startSqld } from '../support/sqld.ts'
import { type Engine, noopRunner, openDeps, openEngine, WS } from './engine.ts'
import { createTally } from './peer.ts'
import { exactlyOnce } from './queue-scenarios.ts'
import { ownUsage, printSample, type Sample } from './sample.ts'

const AT_ONCE = 64
const ENQUEUE_MS = 4_000
const BACKLOG = 8_000
const WORKERS = 4
const CONCURRENCY = 25

const countJobs = async ({ deps }: Engine, status: string): Promise<number> => {
  const counted = sql`SELECT count(*) AS n FROM jobs WHERE ws = ${WS} AND status = ${status}`
  return Number((await deps.db.one(counted))?.n)
}

const enqueue = async (engine: Engine): Promise<Sample> => {
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
  const value = await sendAll(ENQUEUE_MS)
  const usage = ownUsage()
  const completed = await countJobs(engine, 'queued')
  const check = exactlyOnce({ sent, completed, distinct: sent })
  return { value, cpuS: usage.cpuS - cpuS, rssMb: usage.rssMb, check }
}

/** Four workers, each with a connection of its own, as four processes would have. */
const drain = async (engine: Engine, url: string): Promise<Sample> => {
  for (let sent = 0; sent < BACKLOG; sent += 200) {
    await Promise.all(Array.from({ length: 200 }, (_, at) => engine.enqueue(`job-${sent + at}`)))
  }
  const tally = createTally(BACKLOG)
  const deps = await Promise.all(Array.from({ length: WORKERS }, () => openDeps(url)))
  const workers = deps.map((own) =>
    engine.work(CONCURRENCY, noopRunner(own, tally.add), { ...engine.deps, db: own.db }),
  )
  const { cpuS } = ownUsage()
  const before = performance.now()
  await Promise.all(workers.map((worker) => worker.start()))
  await tally.done
  await Promise.all(workers.map((worker) => worker.stop()))
  const seconds = (performance.now() - before) / 1_000
  const usage = ownUsage()
  const { distinct } = tally.result(seconds)
  const completed = await countJobs(engine, 'success')
  const check = exactlyOnce({ sent: BACKLOG, completed, distinct })
  await Promise.all(deps.map(({ db }) => db.close()))
  return { value: BACKLOG / seconds, cpuS: usage.cpuS - cpuS, rssMb: usage.rssMb, check }
}

const sqld = await startSqld()
const engine = await openEngine(sqld.httpUrl)
const scenario = process.argv[2]
if (scenario === 'enqueue') printSample(await enqueue(engine))
else if (scenario === 'drain') printSample(await drain(engine, sqld.httpUrl))
else throw new Error(`No such sample: ${scenario}`)
await engine.close()
await sqld.close()
process.exit(0)
