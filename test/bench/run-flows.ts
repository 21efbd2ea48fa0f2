/** One sample of flows in process, with the sandbox: `run-flows.ts latency|rate|loop [items]`. */
import process from 'node:process'
import { loadConfig } from '#config/config.ts'
import { openSandbox } from '#node/open-sandbox.ts'
import { createJobRunner } from '#service/queue/run-job.ts'
import { sql } from '#store/sql.ts'
import { type Engine, FLOW, LOOP, openEngine } from './engine.ts'
import { usageOf } from './process-usage.ts'
import { exactlyOnce } from './queue-scenarios.ts'
import { printSample, type Sample } from './sample.ts'
import { median, quantile } from './statistics.ts'

const LATENCIES = 200
const WARMING = 40
const RATED = 1_500
const AT_ONCE = 64
const STEPS = 3

type Flows = Readonly<{
  engine: Engine
  /** Starts a run and waits until its end is durable. */
  run: (flow: string, input?: { items: readonly number[] }) => Promise<void>
  close: () => Promise<void>
}>

const openFlows = async (): Promise<Flows> => {
  const engine = await openEngine()
  const { config } = loadConfig({ env: {}, flags: {} })
  const sandbox = await openSandbox(config)
  const runner = createJobRunner({ ...engine.deps, sandbox, baseUrl: 'http://svc.test' })
  const worker = engine.work(config.concurrency, runner)
  await worker.start()
  const { db, hints } = engine.deps
  const isOver = async (id: string): Promise<boolean> =>
    (await db.one(
      sql`SELECT 1 FROM flow_runs WHERE ws = 'default' AND id = ${id} AND status = 'completed'`,
    )) !== null
  return {
    engine,
    run: async (flow, input = { items: [] }) => {
      const id = await engine.startFlow(flow, { items: [...input.items] })
      await new Promise<void>((resolve, reject) => {
        const look = (): void =>
          void isOver(id).then((over) => {
            if (!over) return
            unsubscribe()
            resolve()
          }, reject)
        const unsubscribe = hints.flowChanged.subscribe(id, look)
        look()
      })
    },
    close: async () => {
      await worker.stop()
      await sandbox.close()
      await engine.close()
    },
  }
}

const checkCounts = async ({ engine }: Flows, runs: number, jobs: number): Promise<string> => {
  const row = await engine.deps.db.one(
    sql`SELECT (SELECT count(*) FROM flow_runs WHERE status = 'completed') AS runs,
         (SELECT count(*) FROM jobs WHERE status = 'success') AS jobs`,
  )
  exactlyOnce({ sent: jobs, completed: Number(row?.jobs), distinct: jobs })
  return exactlyOnce({ sent: runs, completed: Number(row?.runs), distinct: runs })
}

const warm = async ({ run }: Flows): Promise<void> => {
  await Promise.all(Array.from({ length: WARMING }, () => run(FLOW)))
}

const measure = async (
  flows: Flows,
  act: () => Promise<Pick<Sample, 'value' | 'more'>>,
  { runs, jobs }: Readonly<{ runs: number; jobs: number }>,
): Promise<Sample> => {
  const before = usageOf(process.pid).cpuS
  const made = await act()
  const { cpuS, rssMb } = usageOf(process.pid)
  const check = await checkCounts(flows, runs + WARMING, jobs + WARMING * STEPS)
  await flows.close()
  return { ...made, cpuS: cpuS - before, rssMb, check }
}

const latency = async (flows: Flows) => {
  const times: number[] = []
  for (let at = 0; at < LATENCIES; at += 1) {
    const before = performance.now()
    await flows.run(FLOW)
    times.push(performance.now() - before)
  }
  return { value: median(times), more: { p99: quantile(times, 0.99) } }
}

/** From the first start, with 64 at once, to the last end. */
const rate = async ({ engine }: Flows) => {
  const before = performance.now()
  let left = RATED
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await engine.startFlow(FLOW, { items: [] })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  while (await hasOpen(engine)) await new Promise((resolve) => setTimeout(resolve, 5))
  return { value: RATED / ((performance.now() - before) / 1_000) }
}

const hasOpen = async ({ deps }: Engine): Promise<boolean> =>
  (await deps.db.one(
    sql`SELECT 1 FROM flow_runs INDEXED BY flow_runs_open WHERE ws = 'default'
      AND completed_at IS NULL LIMIT 1`,
  )) !== null

const loop = async ({ run }: Flows, size: number) => {
  const before = performance.now()
  await run(LOOP, { items: Array.from({ length: size }, (_, at) => at) })
  return { value: performance.now() - before }
}

const [scenario, size] = process.argv.slice(2)
const flows = await openFlows()
await warm(flows)
if (scenario === 'latency') {
  const counts = { runs: LATENCIES, jobs: LATENCIES * STEPS }
  printSample(await measure(flows, () => latency(flows), counts))
} else if (scenario === 'rate') {
  printSample(await measure(flows, () => rate(flows), { runs: RATED, jobs: RATED * STEPS }))
} else if (scenario === 'loop') {
  const items = Number(size)
  printSample(await measure(flows, () => loop(flows, items), { runs: 1, jobs: items }))
} else throw new Error(`No such sample: ${scenario}`)
process.exit(0)
