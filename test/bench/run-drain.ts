/**
 * Drains a backlog over a real sqld by workers in separate processes: `run-drain.ts [rounds]`. 1, 2 and 4 workers
 * alternate, so that the load of the machine affects them equally. The backlog lasts for seconds, because a
 * process that has just started runs nothing for its first third of a second.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { z } from 'zod'
import { sql } from '#store/sql.ts'
import { startSqld } from '../support/sqld.ts'
import { countRequests } from './count-requests.ts'
import { type Engine, noopRunner, openDeps, openEngine, WS } from './engine.ts'
import { usageOf } from './process-usage.ts'
import { median } from './statistics.ts'

const COUNTS = [1, 2, 4]
const BACKLOG = 40_000
const CONCURRENCY = 25
const REPORT_EVERY_MS = 10

const spent = z.object({ requests: z.number(), statements: z.number(), micros: z.number() })
/** What a worker used for its jobs. */
type Spent = z.infer<typeof spent>

/** Runs a worker that reports the number of jobs each time some have run. */
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
  const takeRequests = countRequests()
  const before = process.cpuUsage()
  await worker.start()
  await once(process, 'message')
  // this waits until the ends of all jobs are durable
  await worker.stop()
  const { user, system } = process.cpuUsage(before)
  process.send?.({ ...takeRequests(), micros: user + system } satisfies Spent)
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
  const all: Spent[] = []
  const done = new Promise<void>((resolve) => {
    for (const worker of workers) {
      worker.on('message', (more) => {
        if (typeof more === 'number') ran += more
        const own = spent.safeParse(more)
        if (own.success) all.push(own.data)
        if (ran >= BACKLOG) resolve()
      })
      worker.send('go')
    }
  })
  await done
  await Promise.all(workers.map(stop))
  const seconds = (performance.now() - began) / 1_000
  const sqldMicros = ((cpu() - cpuS) / BACKLOG) * 1e6
  const ofJob = (name: keyof Spent): number =>
    all.reduce((sum, each) => sum + each[name], 0) / BACKLOG
  for (const worker of workers) worker.send('exit')
  const left = await engine.deps.db.one(
    sql`SELECT count(*) AS n FROM jobs WHERE ws = ${WS} AND status <> 'success'`,
  )
  if (ran !== BACKLOG || Number(left?.n) !== 0) {
    throw new Error(`${ran} of ${BACKLOG} ran, ${left?.n} have not succeeded.`)
  }
  return {
    perSecond: BACKLOG / seconds,
    sqldMicros,
    workerMicros: ofJob('micros'),
    requests: ofJob('requests') * 1_000,
    statements: ofJob('statements') * 1_000,
  }
}

const measure = async (rounds: number): Promise<void> => {
  const sqld = await startSqld({ place: 'disk' })
  const engine = await openEngine(sqld.httpUrl)
  const drained = new Map<number, Awaited<ReturnType<typeof drain>>[]>()
  for (let round = 0; round < rounds; round += 1) {
    for (const count of COUNTS) {
      const one = await drain(engine, sqld.httpUrl, sqld.pid(), count)
      drained.set(count, [...(drained.get(count) ?? []), one])
    }
  }
  for (const [count, all] of drained) {
    const middle = (name: keyof (typeof all)[number]): number =>
      median(all.map((each) => each[name]))
    const rates = all.map(({ perSecond }) => perSecond.toFixed(0)).join(', ')
    process.stdout.write(
      `${count} workers: ${middle('perSecond').toFixed(0)} jobs/s (${rates}); for a job sqld ${middle('sqldMicros').toFixed(0)} µs and the workers ${middle('workerMicros').toFixed(0)} µs; for 1,000 jobs ${middle('requests').toFixed(1)} requests and ${middle('statements').toFixed(1)} statements\n`,
    )
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
