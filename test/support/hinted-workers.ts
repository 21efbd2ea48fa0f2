/**
 * Many workers and one server in this process. Each worker has its own connection to the database and joins the server over
 * the bus, as a worker in a separate process does. Counts the requests of the workers to the database.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { v7 } from 'uuid'
import { type Bus, createBus } from '#bus/bus.ts'
import type { WorkerFacts } from '#core/placement/worker-facts.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { createHints, type HintName, type Hints } from '#service/hints.ts'
import { createJobRunner } from '#service/queue/run-job.ts'
import { statementsOf } from '#store/batch.ts'
import type { Database } from '#store/database.ts'
import { createWorker, type Worker } from '#worker/loop.ts'
import type { Queue } from './open-queue.ts'

export type Cost = Readonly<{ requests: number; statements: number }>

export type HintedWorkers = Readonly<{
  /** Hints of the server that queues the jobs. */
  hints: Hints
  /** Number of jobs that each worker ran. */
  ran: readonly number[]
  /** Requests of all workers since the last call, without polls by a timer. */
  takeCost: () => Cost
  stop: () => Promise<void>
}>

type Meter = { requests: number; statements: number }

/** Counts requests: all writes of one commit are one request, and each read is one, except polls by a timer. */
const measure = (db: Database, meter: Meter): Database => {
  let isCounted = false
  return {
    ...db,
    one: (statement) => {
      if (!statement.sql.includes('AS may_claim')) {
        meter.requests += 1
        meter.statements += 1
      }
      return db.one(statement)
    },
    all: (statement) => {
      meter.requests += 1
      meter.statements += 1
      return db.all(statement)
    },
    write: (batch, options = {}) => {
      const onTaken = (): void => {
        options.onTaken?.()
        meter.statements += statementsOf(batch).length
        if (!isCounted) meter.requests += 1
        isCounted = true
        // all batches of a commit are taken within one turn of the event loop
        queueMicrotask(() => {
          isCounted = false
        })
      }
      return db.write(batch, { ...options, onTaken })
    },
  }
}

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

const NO_SANDBOX: Sandbox = {
  name: 'none',
  level: 'runtime',
  run: () => Promise.reject(new Error('No job runs a script.')),
  close: async () => undefined,
}

const KEY = randomBytes(32)

const openBus = (hints: Hints, worker: () => WorkerFacts | null): Bus =>
  createBus({
    key: KEY,
    describe: () => ({
      id: v7(),
      name: 'test',
      version: 'test',
      serves: worker() === null,
      schedules: false,
      worker: worker(),
    }),
    now: Date.now,
    onHint: (kind, key) => hints[kind].deliver(key),
    onJoined: () => undefined,
    onStranger: () => undefined,
    onUnreached: () => undefined,
  })

/** Hints that go out over a bus that is created later. */
const hintsOver = (bus: () => Bus | null): Hints =>
  createHints((name: HintName, key: string) => bus()?.send(name, key))

const untilJoined = async (bus: Bus, count: number): Promise<void> => {
  while (bus.peers().length < count) await new Promise((next) => setTimeout(next, 5))
}

/** Starts the workers, which run each job in no time. @param open opens a separate connection to the queue's database */
export const startHintedWorkers = async (
  { deps }: Pick<Queue, 'deps'>,
  {
    count,
    concurrency,
    open,
  }: Readonly<{ count: number; concurrency: number; open: () => Promise<Database> }>,
): Promise<HintedWorkers> => {
  const serverBus: { bus: Bus | null } = { bus: null }
  const hints = hintsOver(() => serverBus.bus)
  const bus = openBus(hints, () => null)
  serverBus.bus = bus
  const server = createServer().listen(0, '127.0.0.1')
  server.on('upgrade', bus.accept)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')

  const meter: Meter = { requests: 0, statements: 0 }
  const ran = Array.from({ length: count }, () => 0)
  const opened: { worker: Worker; bus: Bus; db: Database }[] = []
  for (let at = 0; at < count; at += 1) {
    const db = await open()
    const own: { bus: Bus | null } = { bus: null }
    const ownDeps = { ...deps, db: measure(db, meter), hints: hintsOver(() => own.bus) }
    const worker = createWorker(
      {
        ...ownDeps,
        log: SILENT,
        onEnded: () => undefined,
        isLinked: () => true,
        createLeaseKeeper: () => ({
          isRenewing: true,
          add: () => undefined,
          release: () => undefined,
          stop: async () => undefined,
        }),
        runner: {
          findAction: createJobRunner({
            ...ownDeps,
            sandbox: NO_SANDBOX,
            baseUrl: 'http://svc.test',
          }).findAction,
          run: async () => {
            ran[at] = (ran[at] ?? 0) + 1
            return { kind: 'success', resultJson: 'null' }
          },
        },
      },
      {
        name: `worker-${at}`,
        tags: ['default'],
        level: 'runtime',
        workspaces: [],
        concurrency,
        graceMs: 1_000,
      },
    )
    own.bus = openBus(ownDeps.hints, () => ({
      group: 'default',
      tags: ['default'],
      level: 'runtime',
      workspaces: [],
      cells: ['home'],
      concurrency,
      running: worker.running,
    }))
    own.bus.follow([`http://127.0.0.1:${address.port}`])
    await worker.start()
    opened.push({ worker, bus: own.bus, db })
  }
  await untilJoined(bus, count)
  return {
    hints,
    ran,
    takeCost: () => {
      const cost = { ...meter }
      meter.requests = 0
      meter.statements = 0
      return cost
    },
    stop: async () => {
      await Promise.all(opened.map(({ worker }) => worker.stop()))
      await Promise.all([bus, ...opened.map((each) => each.bus)].map((each) => each.stop()))
      await Promise.all(opened.map(({ db }) => db.close()))
      server.close()
    },
  }
}
