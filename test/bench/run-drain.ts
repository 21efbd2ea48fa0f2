/**
 * Drains a backlog over a real sqld by workers in processes of their own: `run-drain.ts [rounds]`. 1, 2 and 4 workers take turns, so
 * that the load of the machine burdens them alike (target S11).
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { sql } from '#store/sql.ts'
import { startSqld } from '../support/sqld.ts'
import { type Engine, noopRunner, openDeps, openEngine, WS } from './engine.ts'
import { usageOf } from './process-usage.ts'
import { median } from './statistics.ts'

const COUNTS = [1, 2, 4]
const BACKLOG = 8_000
const CONCURRENCY = 25
const REPORT_EVERY_MS = 10

/** Jobs that ran, each time that some did. */
const work = async (url: string): Promise<void> => {
  const engine = await openEngine(url)
  const own = await openDeps(url)
  let ran = 0
  const worker = engine.work(
    CONCURRENCY,
    noopRunner(own, () => {
      ran += 1
    }),
    { deps: own },
  )
  setInterval(() => {
    if (ran > 0) process.send?.(ran)
    ran = 0
  }, REPORT_EVERY_MS)
  process.send?.('ready')
  await once(process, 'message')
  await worker.start()
  await once(process, 'message')
  // until the ends of all jobs are durable
  await worker.stop()
  process.send?.('stopped')
  await once(process, 'message')
  process.exit(0)
}

const startWorkers = (url: string, count: number): Promise<readonly ChildProcess[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const child = fork(import.meta.filename, ['worker', url])
      await once(child, 'message')
      return child
    }),
  )

const stop = (worker: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    worker.on('message', (message) => {
      if (message === 'stopped') resolve()
    })
    worker.send('stop')
  })

const fill = async (engine: Engine): Promise<void> => {
  for (let sent = 0; sent < BACKLOG; sent += 200) {
    await Promise.all(Array.from({ length: 200 }, (_, at) => engine.enqueue(`job-${sent + at}`)))
  }
}

const drain = async (engine: Engine, url: string, sqldPid: number, count: number) => {
  await fill(engine)
  const workers = await startWorkers(url, count)
  const cpu = () => usageOf(sqldPid).cpuS
  const [began, cpuS] = [performance.now(), cpu()]
  let ran = 0
  const done = new Promise<void>((resolve) => {
    for (const worker of workers) {
      worker.on('message', (more) => {
        if (typeof more === 'number') ran += more
        if (ran >= BACKLOG) resolve()
      })
      worker.send('go')
    }
  })
  await done
  await Promise.all(workers.map(stop))
  const seconds = (performance.now() - began) / 1_000
  const sqldMicros = ((cpu() - cpuS) / BACKLOG) * 1e6
  for (const worker of workers) worker.send('exit')
  const left = await engine.deps.db.one(
    sql`SELECT count(*) AS n FROM jobs WHERE ws = ${WS} AND status <> 'success'`,
  )
  if (ran !== BACKLOG || Number(left?.n) !== 0) {
    throw new Error(`${ran} of ${BACKLOG} ran, ${left?.n} have not succeeded.`)
  }
  return { perSecond: BACKLOG / seconds, sqldMicros }
}

const measure = async (rounds: number): Promise<void> => {
  const sqld = await startSqld()
  const engine = await openEngine(sqld.httpUrl)
  const rates = new Map<number, number[]>(COUNTS.map((count) => [count, []]))
  const micros = new Map<number, number[]>(COUNTS.map((count) => [count, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const count of COUNTS) {
      const { perSecond, sqldMicros } = await drain(engine, sqld.httpUrl, sqld.pid(), count)
      rates.get(count)?.push(perSecond)
      micros.get(count)?.push(sqldMicros)
    }
  }
  for (const count of COUNTS) {
    const all = rates.get(count) ?? []
    const line = `${count} workers: ${median(all).toFixed(0)} jobs/s, sqld ${median(micros.get(count) ?? []).toFixed(0)} µs a job`
    process.stdout.write(`${line} (${all.map((each) => each.toFixed(0)).join(', ')})\n`)
  }
  await engine.close()
  await sqld.close()
}

const [first, url = ''] = process.argv.slice(2)
if (first === 'worker') await work(url)
else {
  await measure(Number(first ?? 3))
  process.exit(0)
}
