import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { CLI_ACTOR } from '#core/access/actor.ts'
import type { JsonObject } from '#core/json/value.ts'
import { createAesKeyring, KEY_BYTES } from '#crypto/aes-keyring.ts'
import { startLeaseThread } from '#node/lease-thread.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { bootstrap } from '#service/bootstrap.ts'
import { deployApp } from '#service/deploy/deploy-app.ts'
import { sendEvent } from '#service/events/send-event.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { startRun } from '#service/flows/start-run.ts'
import { enqueueDepsOf, enqueueJob } from '#service/queue/enqueue-job.ts'
import { createJobRunner, type JobRunner } from '#service/queue/run-job.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { migrate } from '#store/migrate.ts'
import { openDatabase } from '#store/open-database.ts'
import { createLeaseKeeper } from '#worker/lease-keeper.ts'
import { createWorker, type Worker } from '#worker/loop.ts'
import { monotonicNow } from '#worker/monotonic-clock.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { createTestDeps } from '../support/test-deps.ts'
import { createTally, measureLatencies, type Peer } from './peer.ts'

export const WS = 'default'
export const APP = 'bench'
export const ACTION = 'noop'
const LEASE_MS = 10_000
export const BY = 'bench@localhost'

const toStderr = (message: string, fields: unknown): void => {
  process.stderr.write(`${message} ${JSON.stringify(fields)}\n`)
}

const log = {
  debug: () => undefined,
  info: () => undefined,
  warn: toStderr,
  error: toStderr,
}

/** The same in every process, because workers of several processes share a database (run-drain.ts). */
const KEYRING = createAesKeyring(new Uint8Array(KEY_BYTES).fill(7))

export const openDeps = async (url: string): Promise<AllDeps> => {
  const db = await openDatabase({ url })
  await migrate(db)
  return createTestDeps(db, { jobLeaseMs: LEASE_MS, queueMax: 1_000_000 }, undefined, KEYRING)
}

export const FLOW = 'three'
export const LOOP = 'loop'
const FLOWS = `flows:
  - key: ${FLOW}
    steps:
      - { key: a, action: ${ACTION} }
      - { key: b, action: ${ACTION} }
      - { key: c, action: ${ACTION} }
  - key: ${LOOP}
    steps:
      - { key: each, kind: forloop_parallel, action: ${ACTION}, items: "\${input.items}" }
`

/** The action that records three steps. */
export const STEPS_ACTION = 'steps'
/** The action that waits for an event whose key is its id. */
export const WAIT_ACTION = 'waits'
const WAKING_EVENT = 'bench.wake'
export const SLEEP_ACTION = 'sleeps'

const MANIFEST = `key: ${APP}
name: Bench
actions:
  - key: ${ACTION}
    entrypoint: ${ACTION}.ts
  - key: ${STEPS_ACTION}
    entrypoint: ${STEPS_ACTION}.ts
  - key: ${WAIT_ACTION}
    entrypoint: ${WAIT_ACTION}.ts
  - key: ${SLEEP_ACTION}
    entrypoint: ${SLEEP_ACTION}.ts
${FLOWS}`
const CODES: Readonly<Record<string, string>> = {
  [ACTION]: 'export const main = async () => null\n',
  [STEPS_ACTION]: `export const main = async (ctx) => {
  const a = await ctx.step('a', () => 1)
  const b = await ctx.step('b', () => a + 1)
  return await ctx.step('c', () => b + 1)
}
`,
  // returns the time of the line after the wait, in milliseconds since 1970
  [WAIT_ACTION]: `export const main = async (ctx) => {
  await ctx.waitForEvent('woken', { name: '${WAKING_EVENT}', match: ctx.input.id })
  return performance.timeOrigin + performance.now()
}
`,
  [SLEEP_ACTION]: `export const main = async (ctx) => {
  await ctx.sleep('nap', { days: 1 })
  return null
}
`,
}

export type WorkOptions = Readonly<{
  /** @default the engine's own */
  deps?: AllDeps
  /** Called for each attempt when its end is durable. */
  onEnded?: () => void
}>

export type BenchWorker = Worker &
  Readonly<{
    /** Resolves when its thread renews leases, like that of a running node. It claims nothing before. */
    ready: Promise<void>
  }>

export type Engine = Readonly<{
  deps: AllDeps
  folder: string
  /** @param action @default ACTION */
  enqueue: (id: string, action?: string) => Promise<string>
  startFlow: (flow: string, input: JsonObject) => Promise<string>
  /** @returns the number of jobs that it woke */
  wake: (key: string) => Promise<number>
  work: (concurrency: number, runner: JobRunner, options?: WorkOptions) => BenchWorker
  close: () => Promise<void>
}>

/** @param server the URL of a database on the network. @default a file */
export const openEngine = async (server?: string): Promise<Engine> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-svc-'))
  const url = server ?? `file:${join(folder, 'svc.db')}`
  const deps = await openDeps(url)
  await bootstrap(deps, { email: BY, password: 'only for benchmarks' })
  await deployApp(deps, {
    ws: WS,
    files: new Map([
      ['app.yaml', Buffer.from(MANIFEST)],
      ...Object.entries(CODES).map(([key, code]) => [`${key}.ts`, Buffer.from(code)] as const),
    ]),
    source: 'upload',
    commit: null,
    gitSourceId: null,
    message: null,
    actor: CLI_ACTOR,
  })
  const enqueueDeps = enqueueDepsOf(deps)
  const flowDeps = { ...deps, gate: enqueueDeps.gate }
  return {
    deps,
    folder,
    enqueue: async (id, action = ACTION) => {
      const { jobId } = await enqueueJob(enqueueDeps, {
        ws: WS,
        app: APP,
        action,
        inputJson: JSON.stringify({ id }),
        input: { id },
        triggerKind: 'api',
        createdBy: BY,
        permissionedAs: BY,
      })
      return jobId
    },
    startFlow: async (flow, input) => {
      const started = await startRun(flowDeps, {
        ws: WS,
        app: APP,
        flow,
        input,
        triggerKind: 'api',
        createdBy: BY,
        permissionedAs: BY,
      })
      if (started === null) throw new Error('The flow was not started.')
      return started.runId
    },
    wake: async (key) => {
      const event = { ws: WS, name: WAKING_EVENT, key, data: null, id: null, sentBy: BY }
      const sent = await sendEvent({ ...flowDeps, ...enqueueDeps }, event)
      return sent?.delivered ?? 0
    },
    work: (concurrency, runner, { deps: own = deps, onEnded = () => undefined } = {}) => {
      const ready = Promise.withResolvers<void>()
      const worker = createWorker(
        {
          ...own,
          runner,
          log,
          onEnded,
          isLinked: () => false,
          createLeaseKeeper: (listeners) =>
            createLeaseKeeper({
              ...listeners,
              onState: (state) => {
                if (state.isRenewing) ready.resolve()
                listeners.onState(state)
              },
              leaseMs: LEASE_MS,
              monotonicNow,
              thread: startLeaseThread({ url, leaseMs: LEASE_MS }),
            }),
        },
        {
          name: 'bench',
          tags: ['default'],
          level: 'runtime',
          workspaces: [],
          concurrency,
          graceMs: 1_000,
        },
      )
      return Object.assign(worker, { ready: ready.promise })
    },
    close: async () => {
      await deps.db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const idOf = (inputJson: string): string => {
  const input: unknown = JSON.parse(inputJson)
  return typeof input === 'object' && input !== null && 'id' in input ? String(input.id) : ''
}

/** Never called, because the runner below uses the product's look-ups and leaves the sandbox out. */
const noSandbox: Sandbox = {
  name: 'none',
  level: 'none',
  run: () => Promise.reject(new Error('No sandbox takes part in this sample.')),
  close: async () => undefined,
}

/** Runs nothing. What remains is the queue, with actions looked up as in `svc start`. */
export const noopRunner = (deps: AllDeps, onJob: (id: string) => void): JobRunner => ({
  findAction: createJobRunner({ ...deps, sandbox: noSandbox, baseUrl: 'http://svc.test' })
    .findAction,
  run: async ({ job }) => {
    onJob(idOf(job.inputJson))
    return { kind: 'success', resultJson: 'null' }
  },
})

const CONCURRENCY = 100

/**
 * Drains `count` jobs by any runner, on a worker that is up. Returns the seconds until the last job's end is durable.
 * Starting and stopping the worker is not included, like the server of a peer.
 */
export const drainEngine = async (
  engine: Engine,
  { runner, concurrency }: Readonly<{ runner: JobRunner; concurrency: number }>,
  count: number,
): Promise<number> => {
  const drained = Promise.withResolvers<void>()
  let ended = 0
  const onEnded = (): void => {
    ended += 1
    if (ended === count) drained.resolve()
  }
  const worker = engine.work(concurrency, runner, { onEnded })
  await worker.ready
  const before = performance.now()
  await worker.start()
  await drained.promise
  const seconds = (performance.now() - before) / 1_000
  await worker.stop()
  return seconds
}

/** @param afterWs the workspace that was served last @throws {Error} it claimed no job, or several */
export const claimOne = async (engine: Engine, afterWs: string): Promise<ClaimedJob> => {
  const options = { worker: 'bench', tags: ['default'], limit: 1, leaseMs: 60_000, afterWs }
  const jobs = await claimJobs(engine.deps, options)
  const [job] = jobs
  if (job === undefined || jobs.length > 1) throw new Error(`A claim took ${jobs.length} jobs.`)
  return job
}

export const createSvcPeer = (): Peer => {
  let engine: Engine
  return {
    name: 'svc',
    durability: 'libSQL file, WAL, synced before the answer',
    backlog: 20_000,
    start: async () => {
      engine = await openEngine()
    },
    enqueueOne: async (id) => void (await engine.enqueue(id)),
    enqueueMany: async (ids) => {
      await Promise.all(ids.map((id) => engine.enqueue(id)))
    },
    drain: async (count) => {
      const tally = createTally(count)
      const runner = noopRunner(engine.deps, tally.add)
      const seconds = await drainEngine(engine, { runner, concurrency: CONCURRENCY }, count)
      return tally.result(seconds)
    },
    latencies: async (count) => {
      let listener: (id: string) => void = () => undefined
      const worker = engine.work(
        2,
        noopRunner(engine.deps, (id) => listener(id)),
      )
      await worker.start()
      const times = await measureLatencies(
        count,
        async (id) => void (await engine.enqueue(id)),
        (next) => {
          listener = next
        },
      )
      await worker.stop()
      return times
    },
    stop: () => engine.close(),
  }
}
