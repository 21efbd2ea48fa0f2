/** The cost of a job for the database does not depend on the number of idle workers (S19). */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { enqueueDepsOf, enqueueJob } from '#service/queue/enqueue-job.ts'
import { openDatabase } from '#store/open-database.ts'
import { type Cost, type HintedWorkers, startHintedWorkers } from '../support/hinted-workers.ts'
import { APP, BY, openQueue, QUEUE_ADMIN, type Queue, WS } from '../support/open-queue.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

type Setting = Readonly<{ count: number; concurrency: number }>

const setUp = async ({ count, concurrency }: Setting) => {
  const { db, url, close } = await openTemporaryDatabase(QUEUE_ADMIN)
  cleanups.push(close)
  const queue = await openQueue(db)
  await queue.deploy()
  const start = async (): Promise<HintedWorkers> => {
    const open = () => openDatabase({ url })
    const workers = await startHintedWorkers(queue, { count, concurrency, open })
    cleanups.push(workers.stop)
    return workers
  }
  return { queue, start }
}

const enqueueOver = ({ deps }: Queue, { hints }: HintedWorkers) => {
  const enqueueDeps = enqueueDepsOf({ ...deps, hints })
  return () =>
    enqueueJob(enqueueDeps, {
      ws: WS,
      app: APP,
      action: 'greet',
      inputJson: '{}',
      input: {},
      triggerKind: 'api',
      createdBy: BY,
      permissionedAs: BY,
    })
}

const ranIn = ({ ran }: HintedWorkers): number => ran.reduce((sum, each) => sum + each, 0)

const untilRan = (workers: HintedWorkers, jobs: number): Promise<void> =>
  vi.waitFor(() => expect(ranIn(workers)).toBe(jobs), { timeout: 30_000, interval: 5 })

/** Waits until the ends are written and what follows them is over. */
const settle = (): Promise<void> => sleep(100)

const report = (what: string, jobs: number, { requests, statements }: Cost): void => {
  process.stdout.write(
    `${what}: ${requests / jobs} requests, ${statements / jobs} statements a job\n`,
  )
}

test.each([1, 64])(
  'a lone job costs 3 requests and 8 statements at most next to %i workers',
  async (count) => {
    const { queue, start } = await setUp({ count, concurrency: 10 })
    const workers = await start()
    const enqueue = enqueueOver(queue, workers)
    // until each worker has read the action once
    for (let job = 1; workers.ran.includes(0); job += 1) {
      await enqueue()
      await untilRan(workers, job)
    }
    await settle()
    const jobs = 10
    /** Requests and statements per job, over ten jobs. */
    const measure = async (): Promise<Cost> => {
      const before = ranIn(workers)
      workers.takeCost()
      for (let job = 1; job <= jobs; job += 1) {
        await enqueue()
        await untilRan(workers, before + job)
        await settle()
      }
      const cost = workers.takeCost()
      report(`${count} workers, lone jobs`, jobs, cost)
      return { requests: cost.requests / jobs, statements: cost.statements / jobs }
    }
    let cost = await measure()
    // a worker may look at the queue during one series, which adds to that series only
    for (let more = 0; more < 2 && (cost.requests > 3 || cost.statements > 8); more += 1)
      cost = await measure()
    expect(cost.requests).toBeLessThanOrEqual(3)
    expect(cost.statements).toBeLessThanOrEqual(8)
  },
)

test.each([1, 64])('a job of a backlog costs 0.1 requests next to %i workers', async (count) => {
  const { queue, start } = await setUp({ count, concurrency: 25 })
  // many workers make hundreds of requests once, independent of the number of jobs
  const jobs = count === 1 ? 2_000 : 10_000
  for (let sent = 0; sent < jobs; sent += 500) {
    await Promise.all(Array.from({ length: 500 }, () => queue.enqueue()))
  }
  const workers = await start()
  await untilRan(workers, jobs)
  await settle()
  const cost = workers.takeCost()
  report(`${count} workers, a backlog of ${jobs}`, jobs, cost)
  expect(cost.requests / jobs).toBeLessThanOrEqual(0.1)
})
