/** One sample of svc in process: `run-engine.ts enqueue|drain|latency|store|sandbox|backlog [size] [backlog]`. */
import process from 'node:process'
import { loadConfig } from '#config/config.ts'
import { openSandbox } from '#node/open-sandbox.ts'
import { createJobRunner } from '#service/queue/run-job.ts'
import { insertJob } from '#store/jobs/insert.ts'
import { sql, TRUE } from '#store/sql.ts'
import { type Backlog, fillBacklog, toBacklog } from './backlogs.ts'
import {
  ACTION,
  APP,
  BY,
  claimOne,
  createSvcPeer,
  drainEngine,
  type Engine,
  openEngine,
  WS,
} from './engine.ts'
import { createTally } from './peer.ts'
import { usageOf } from './process-usage.ts'
import { exactlyOnce, runQueueScenario } from './queue-scenarios.ts'
import { ownUsage, printSample, type Sample } from './sample.ts'
import { median, quantile } from './statistics.ts'
import { sandboxSettings } from './svc-node.ts'

const countJobs = async ({ deps }: Engine, status: string): Promise<number> => {
  const counted = sql`SELECT count(*) AS n FROM jobs WHERE ws = ${WS} AND status = ${status}`
  return Number((await deps.db.one(counted))?.n)
}

const SANDBOXED = { reused: 4_000, fresh: 300 } as const
const WARMING = { reused: 400, fresh: 20 } as const

/** S3: the same drain, with each job in a process that runs only this app. */
const drainSandboxed = async (): Promise<Sample> => {
  const engine = await openEngine()
  const { config } = loadConfig({ env: sandboxSettings(), flags: {} })
  const isFresh = config.sandboxReuse === 'off'
  const sandbox = await openSandbox(config)
  const runner = createJobRunner({ ...engine.deps, sandbox, baseUrl: 'http://svc.test' })
  const drain = async (count: number) => {
    const tally = createTally(count)
    await Promise.all(Array.from({ length: count }, (_, at) => engine.enqueue(`job-${at}`)))
    let usage = usageOf(process.pid)
    const before = usage.cpuS
    let seen = 0
    const counting = {
      findAction: runner.findAction,
      run: async (request: Parameters<typeof runner.run>[0]) => {
        const outcome = await runner.run(request)
        if (outcome.kind !== 'success') throw new Error(JSON.stringify(outcome))
        seen += 1
        // reading the usage of every process costs as much as a job
        if (seen % 500 === 0) usage = usageOf(process.pid)
        tally.add(request.job.id)
        return outcome
      },
    }
    const { concurrency } = config
    const seconds = await drainEngine(engine, { runner: counting, concurrency }, count)
    return { ...tally.result(seconds), cpuS: usageOf(process.pid).cpuS - before, usage }
  }
  const [warming, count] = isFresh
    ? [WARMING.fresh, SANDBOXED.fresh]
    : [WARMING.reused, SANDBOXED.reused]
  await drain(warming)
  const { seconds, completed, distinct, cpuS, usage } = await drain(count)
  exactlyOnce({
    sent: count + warming,
    completed: await countJobs(engine, 'success'),
    distinct: distinct + warming,
  })
  await sandbox.close()
  await engine.close()
  const check = exactlyOnce({ sent: count, completed, distinct })
  return { value: count / seconds, cpuS, rssMb: usage.rssMb, check }
}

const STORE_MS = 3_000

/** S1 of the store only: the two statements of a job, one commit after the other. */
const enqueueByStore = async (): Promise<Sample> => {
  const engine = await openEngine()
  const { db, newId } = engine.deps
  const app = await db.one(sql`SELECT deployment_id FROM apps WHERE ws = ${WS}`)
  const job = {
    ws: WS,
    app: APP,
    action: ACTION,
    deploymentId: String(app?.deployment_id),
    inputJson: '{"id":"x"}',
    triggerJson: null,
    replayOf: null,
    isPinned: false,
    tag: null,
    manifestTag: null,
    priority: 0,
    due: { inMs: 0 },
    requestedAt: null,
    startTimeoutMs: null,
    control: { concurrency: null, rate: null, debounce: null, fair: null },
    labels: [],
    maxAttempts: 1,
    crashLimit: 3,
    minLevel: 0,
    triggerKind: 'api' as const,
    createdBy: BY,
    permissionedAs: BY,
    customerId: null,
    chainDepth: 0,
    holdsAppsWrite: false,
    calledBy: null,
    flow: null,
  }
  const { cpuS } = ownUsage()
  const before = performance.now()
  let sent = 0
  while (performance.now() - before < STORE_MS) {
    await db.write(insertJob({ ...job, id: newId() }, TRUE))
    sent += 1
  }
  const value = sent / ((performance.now() - before) / 1_000)
  const usage = ownUsage()
  const completed = await countJobs(engine, 'queued')
  await engine.close()
  if (sent !== completed) throw new Error(`Of ${sent} jobs ${completed} were stored.`)
  const check = `${sent} sent, ${completed} stored, each once`
  return { value, cpuS: usage.cpuS - cpuS, rssMb: usage.rssMb, check }
}

const CLAIMS = 300
/** Unmeasured claims at first, which prepare statements and compile. */
const WARMING_CLAIMS = 100

/** S8: the cost of claiming one job while many others wait. */
const claimFromBacklog = async (size: number, backlog: Backlog): Promise<Sample> => {
  const engine = await openEngine()
  await fillBacklog(engine.deps, () => engine.enqueue('model'), { backlog, size })
  const times: number[] = []
  const ids = new Set<string>()
  let afterWs = ''
  let { cpuS } = ownUsage()
  for (let at = -WARMING_CLAIMS; at < CLAIMS; at += 1) {
    if (at === 0) cpuS = ownUsage().cpuS
    const before = performance.now()
    const job = await claimOne(engine, afterWs)
    if (at >= 0) times.push(performance.now() - before)
    afterWs = job.ws
    ids.add(job.id)
  }
  const usage = ownUsage()
  const check = exactlyOnce({
    sent: CLAIMS + WARMING_CLAIMS,
    completed: times.length + WARMING_CLAIMS,
    distinct: ids.size,
  })
  await engine.close()
  const spentS = usage.cpuS - cpuS
  const more = { p99: quantile(times, 0.99), cpuMs: (spentS * 1_000) / CLAIMS }
  return { value: median(times), cpuS: spentS, rssMb: usage.rssMb, check, more }
}

const scenario = process.argv[2]
const noServer = { serverUsage: () => ({ cpuS: 0, rssMb: 0 }) }
if (scenario === 'enqueue' || scenario === 'drain' || scenario === 'latency') {
  printSample(await runQueueScenario(createSvcPeer(), scenario, noServer))
} else if (scenario === 'store') printSample(await enqueueByStore())
else if (scenario === 'sandbox') printSample(await drainSandboxed())
else if (scenario === 'backlog') {
  const backlog = toBacklog(process.argv[4] ?? 'plain')
  printSample(await claimFromBacklog(Number(process.argv[3]), backlog))
} else throw new Error(`No such sample: ${scenario}`)
process.exit(0)
