/** One sample of durable jobs in process, with the sandbox: `run-durable.ts steps | wake <asleep> | due <sleepers>`. */
import process from 'node:process'
import { loadConfig } from '#config/config.ts'
import { STRETCH } from '#core/job/attempt.ts'
import { openSandbox } from '#node/open-sandbox.ts'
import { createJobRunner } from '#service/queue/run-job.ts'
import { sql } from '#store/sql.ts'
import { type Engine, openEngine, SLEEP_ACTION, STEPS_ACTION, WAIT_ACTION, WS } from './engine.ts'
import { fillSuspended } from './fill.ts'
import { usageOf } from './process-usage.ts'
import { exactlyOnce } from './queue-scenarios.ts'
import { printSample, type Sample } from './sample.ts'
import { median, quantile } from './statistics.ts'

const WARMING = 40
const LATENCIES = 200
const STEPS = 3
/** Sleepers are due within this time. */
const DUE_WITHIN_MS = 1_000

type Durable = Readonly<{
  engine: Engine
  startWorker: () => Promise<void>
  close: () => Promise<void>
}>

const openDurable = async (): Promise<Durable> => {
  const engine = await openEngine()
  const { config } = loadConfig({ env: {}, flags: {} })
  const sandbox = await openSandbox(config)
  const runner = createJobRunner({ ...engine.deps, sandbox, baseUrl: 'http://svc.test' })
  const worker = engine.work(config.concurrency, runner)
  return {
    engine,
    startWorker: () => worker.start(),
    close: async () => {
      await worker.stop()
      await sandbox.close()
      await engine.close()
    },
  }
}

/** Resolves with the row of a job when it meets a condition. */
const untilJob = ({ deps: { db, hints } }: Engine, id: string, condition: 'ended' | 'suspended') =>
  new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
    const look = (): void =>
      void db
        .one(
          sql`SELECT status, result, ready, suspended_kind FROM jobs WHERE ws = ${WS} AND id = ${id}`,
        )
        .then((row) => {
          const isSo =
            condition === 'ended'
              ? row?.status === 'success'
              : row?.status === 'queued' && row.ready === 0 && row.suspended_kind !== null
          if (row === null || !isSo) return
          unsubscribe()
          resolve(row)
        }, reject)
    const unsubscribe = hints.jobChanged.subscribe(id, look)
    look()
  })

const runSteps = async ({ engine }: Durable): Promise<void> => {
  await untilJob(engine, await engine.enqueue('x', STEPS_ACTION), 'ended')
}

/** S16: from the request to the durable end of three steps. */
const steps = async (durable: Durable) => {
  await durable.startWorker()
  await Promise.all(Array.from({ length: WARMING }, () => runSteps(durable)))
  const times: number[] = []
  for (let at = 0; at < LATENCIES; at += 1) {
    const before = performance.now()
    await runSteps(durable)
    times.push(performance.now() - before)
  }
  const row = await durable.engine.deps.db.one(
    sql`SELECT (SELECT count(*) FROM jobs WHERE status = 'success') AS jobs,
      (SELECT count(*) FROM job_steps WHERE status = 'success' AND attempts = 1) AS steps`,
  )
  const check = exactlyOnce({
    sent: LATENCIES + WARMING,
    completed: Number(row?.jobs),
    distinct: Number(row?.steps) / STEPS,
  })
  return { value: median(times), check, more: { p99: quantile(times, 0.99) } }
}

const now = (): number => performance.timeOrigin + performance.now()

/** From the call that sends an event to the line after the wait, and to the durable end of the job. */
const wakeOne = async (engine: Engine, key: string): Promise<readonly [number, number]> => {
  const id = await engine.enqueue(key, WAIT_ACTION)
  await untilJob(engine, id, 'suspended')
  const before = now()
  const ended = untilJob(engine, id, 'ended')
  const woken = await engine.wake(key)
  if (woken !== 1) throw new Error(`The event woke ${woken} jobs.`)
  const { result } = await ended
  return [Number(result) - before, now() - before]
}

/** S17: an event wakes one of many sleeping jobs. */
const wake = async (durable: Durable, asleep: number) => {
  const { engine } = durable
  await durable.startWorker()
  const model = await engine.enqueue('model', WAIT_ACTION)
  await untilJob(engine, model, 'suspended')
  const ids = await fillSuspended(engine.deps, model, asleep - 1)
  const lines: number[] = []
  const ends: number[] = []
  for (let at = 0; at < WARMING + LATENCIES; at += 1) {
    const [line, end] = await wakeOne(engine, `wake-${at}`)
    if (at < WARMING) continue
    lines.push(line)
    ends.push(end)
  }
  const row = await engine.deps.db.one(
    sql`SELECT (SELECT count(*) FROM jobs WHERE status = 'success') AS woken,
      (SELECT count(*) FROM jobs WHERE status = 'queued' AND suspended_kind = 'event' AND ready = 0) AS asleep`,
  )
  const sent = WARMING + LATENCIES
  if (Number(row?.asleep) !== ids.length + 1) throw new Error(`${row?.asleep} are still asleep.`)
  const check = `${exactlyOnce({ sent, completed: Number(row?.woken), distinct: sent })}; ${row?.asleep} still sleep`
  const more = { p99: quantile(lines, 0.99), toEndMs: median(ends) }
  return { value: median(lines), check, more }
}

/** S18: from the time at which the first job is due to the start of the last one. */
const due = async (durable: Durable, sleepers: number) => {
  const { engine } = durable
  const { db } = engine.deps
  await durable.startWorker()
  const model = await engine.enqueue('model', SLEEP_ACTION)
  await untilJob(engine, model, 'suspended')
  await fillSuspended(engine.deps, model, sleepers - 1)
  const from = (await db.now()) + 2_000
  await db.write([
    sql`UPDATE job_steps SET due_at = ${from} + abs(random()) % ${DUE_WITHIN_MS}`,
    sql`UPDATE jobs SET run_at = s.due_at, suspended_until = s.due_at FROM job_steps s WHERE s.job_id = jobs.id`,
  ])
  const isOver = async (): Promise<boolean> =>
    (await db.one(sql`SELECT 1 FROM jobs WHERE completed_at IS NULL LIMIT 1`)) === null
  while (!(await isOver())) await new Promise((resolve) => setTimeout(resolve, 50))
  // one claim before the sleep and one after it
  const row = await db.one(
    sql`SELECT count(*) AS ended, sum(attempt = ${1 + STRETCH}) AS once, max(started_at) AS last, max(completed_at) AS done
    FROM jobs WHERE status = 'success'`,
  )
  const [ended, once] = [Number(row?.ended), Number(row?.once)]
  const check = exactlyOnce({ sent: sleepers, completed: ended, distinct: once })
  const value = (Number(row?.last) - from) / 1_000
  return { value, check, more: { allEndedS: (Number(row?.done) - from) / 1_000 } }
}

const measure = async (
  durable: Durable,
  act: () => Promise<Pick<Sample, 'value' | 'more' | 'check'>>,
): Promise<Sample> => {
  const before = usageOf(process.pid).cpuS
  const made = await act()
  const { cpuS, rssMb } = usageOf(process.pid)
  await durable.close()
  return { ...made, cpuS: cpuS - before, rssMb }
}

const [scenario, size = '0'] = process.argv.slice(2)
const durable = await openDurable()
if (scenario === 'steps') printSample(await measure(durable, () => steps(durable)))
else if (scenario === 'wake') printSample(await measure(durable, () => wake(durable, Number(size))))
else if (scenario === 'due') printSample(await measure(durable, () => due(durable, Number(size))))
else throw new Error(`No such sample: ${scenario}`)
process.exit(0)
