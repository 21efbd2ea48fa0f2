import { afterEach, expect, test, vi } from 'vitest'
import { refuseIfShort } from '#core/machine-shortage.ts'
import { createHints } from '#service/hints.ts'
import { cancelJob } from '#service/queue/cancel-job.ts'
import { enqueueDepsOf, enqueueJob } from '#service/queue/enqueue-job.ts'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { adminSession } from '../../test/support/principals.ts'
import {
  closeQueues,
  createGate,
  GREETING,
  openQueue,
  openWaiting,
  SUCCESS,
  startWorker,
  WS,
} from '../../test/support/watched-worker.ts'

afterEach(closeQueues)

test('claims nothing while leases cannot be renewed, and continues when they can', async () => {
  const { deps, enqueue, statusOf } = await openQueue()
  let isRenewing = false
  const impaired = await startWorker(deps, { isRenewing: () => isRenewing, quickRuns: 100 })
  const other = await startWorker(deps, { quickRuns: 100 })
  const runOne = async (): Promise<void> => {
    const id = await enqueue()
    await expect.poll(() => statusOf(id), { interval: 1 }).toBe('success')
  }
  for (let count = 0; count < 10; count += 1) await runOne()
  expect([impaired.started.length, other.started.length]).toEqual([0, 10])
  await other.worker.stop()
  const waiting = await enqueue()
  isRenewing = true
  impaired.setState({ isRenewing })
  await expect.poll(() => statusOf(waiting)).toBe('success')
  expect(impaired.started).toHaveLength(1)
})

test('a queued job starts on its hint, and its result is stored', async () => {
  const { deps, enqueue, statusOf } = await openQueue()
  const { nthStarted, leased } = await startWorker(deps)
  const id = await enqueue()
  const job = await nthStarted(1)
  expect(job).toMatchObject({ id, attempt: 1 })
  expect(leased).toEqual(new Set([id]))
  job.end(SUCCESS)
  await expect.poll(() => statusOf(id)).toBe('success')
  expect(leased.size).toBe(0)
})

/** Records when each write was handed to the database and when it was committed. */
const recordWrites = (db: Database) => {
  const events: string[] = []
  const nameOf = (batch: object): string => {
    if ('job' in batch) return 'enqueue'
    if ('completions' in batch) return 'end'
    return 'claim' in batch ? 'claim' : 'other'
  }
  const recorded: Database = {
    ...db,
    write: async (batch, options) => {
      const name = nameOf(batch)
      const results = db.write(batch, {
        ...options,
        onQueued: () => {
          events.push(`${name} queued`)
          options?.onQueued?.()
        },
      })
      return results.finally(() => events.push(`${name} committed`))
    },
  }
  return { recorded, events }
}

test('a job that is queued is claimed in the same commit, and nothing is claimed after it', async () => {
  const queue = await openQueue()
  const { recorded, events } = recordWrites(queue.deps.db)
  const deps = { ...queue.deps, db: recorded }
  const { nthStarted } = await startWorker(deps, { db: recorded })
  await expect.poll(() => events).toContain('claim committed')
  events.length = 0
  const enqueueDeps = enqueueDepsOf(deps)
  await enqueueJob(enqueueDeps, GREETING)
  await nthStarted(1)
  expect(events).toEqual(['enqueue queued', 'claim queued', 'enqueue committed', 'claim committed'])
})

test('while more jobs wait, the write that ends one claims the next', async () => {
  const queue = await openQueue()
  await queue.enqueue()
  await queue.enqueue()
  const { recorded, events } = recordWrites(queue.deps.db)
  const worker = await startWorker({ ...queue.deps, db: recorded }, { concurrency: 1 })
  const first = await worker.nthStarted(1)
  events.length = 0
  first.end(SUCCESS)
  await worker.nthStarted(2)
  expect(events.slice(0, 3)).toEqual(['end queued', 'claim queued', 'end committed'])
})

test('runs at most as many jobs as there are slots, and all of them in the end', async () => {
  const { deps, enqueue, statusOf } = await openQueue()
  const { worker, started, nthStarted } = await startWorker(deps, { concurrency: 3 })
  const ids = await Promise.all(Array.from({ length: 10 }, enqueue))
  for (let count = 1; count <= ids.length; count += 1) {
    const job = await nthStarted(count)
    expect(worker.running).toBeLessThanOrEqual(3)
    job.end(SUCCESS)
  }
  for (const id of ids) await expect.poll(() => statusOf(id)).toBe('success')
  expect(new Set(started.map(({ id }) => id)).size).toBe(10)
})

test('delayed jobs start on time in free slots, while other jobs run', async () => {
  const { deps, enqueue } = await openQueue()
  const hints = createHints()
  const { nthStarted } = await startWorker({ ...deps, hints }, { concurrency: 20 })
  let begin = 0
  for (let count = 2; count <= 20; count += 2) {
    // without a hint of its own, like a later job of a batch
    await enqueueJob(enqueueDepsOf(deps), { ...GREETING, delayMs: 50 })
    await enqueue()
    hints.jobQueued.emit('default')
    await vi.waitFor(() => nthStarted(count), { timeout: 5_000 })
    // after a few claims the worker knows that the queue is plain
    if (count === 12) begin = performance.now()
  }
  // a poll alone comes each second
  expect(performance.now() - begin).toBeLessThan(2_000)
})

test('a worker without a free slot notifies others of a job that has become due', async () => {
  const { deps, enqueue } = await openQueue()
  const forwarded: string[] = []
  const hints = createHints((name, key) => void forwarded.push(`${name} ${key}`))
  const { worker, nthStarted } = await startWorker({ ...deps, hints }, { concurrency: 1 })
  await enqueueJob(enqueueDepsOf(deps), { ...GREETING, delayMs: 50 })
  await enqueue()
  hints.jobQueued.deliver('default')
  await nthStarted(1)
  expect(forwarded).not.toContain('jobQueued default')
  await expect.poll(() => forwarded, { timeout: 5_000 }).toContain('jobQueued default')
  expect(worker.running).toBe(1)
})

test('a worker without a free slot polls once a second, however short the rate of the jobs is', async () => {
  const { deps, enqueue } = await openQueue()
  for (let count = 0; count < 3; count += 1) await enqueue()
  await deps.db.write([sql`UPDATE jobs SET rate_key = 'default/r', rate_limit = 1, rate_ms = 30`])
  const notified: number[] = []
  const hints = createHints(
    (name) => void (name === 'jobQueued' && notified.push(performance.now())),
  )
  const { nthStarted } = await startWorker({ ...deps, hints }, { concurrency: 2 })
  await nthStarted(2)
  await expect.poll(() => notified.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(3)
  const [, second = 0, third = 0] = notified
  expect(third - second).toBeGreaterThan(900)
})

test('a job queued by another process is found without a hint', async () => {
  const { deps, enqueue } = await openQueue()
  const { nthStarted } = await startWorker({ ...deps, hints: createHints() })
  const id = await enqueue()
  const job = await vi.waitFor(() => nthStarted(1), { timeout: 5_000 })
  expect(job.id).toBe(id)
  job.end(SUCCESS)
})

test('on stop a running job gets the grace period, then is handed back without counting a crash', async () => {
  const { deps, enqueue, statusOf, crashesOf } = await openQueue()
  const { worker, nthStarted } = await startWorker(deps, { graceMs: 30 })
  const [quick, slow] = [await enqueue(), await enqueue()]
  const jobs = [await nthStarted(1), await nthStarted(2)]
  const stopping = worker.stop()
  jobs.find(({ id }) => id === quick)?.end(SUCCESS)
  await stopping
  expect(await statusOf(quick)).toBe('success')
  expect(await statusOf(slow)).toBe('queued')
  expect(await crashesOf(slow)).toEqual({ crash_count: 0, attempt: 1 })
  await worker.stop()
})

test('a claimed job that never started is handed back as if it had not been claimed', async () => {
  const queue = await openQueue()
  const { worker, waiting } = await openWaiting(queue, 4)
  await worker.stop()
  for (const id of waiting) {
    expect(await queue.crashesOf(id)).toEqual({ crash_count: 0, attempt: 0 })
  }
})

test('a job whose process the machine cannot start is handed back, and holds its slot for a second', async () => {
  const { deps, enqueue, statusOf, crashesOf } = await openQueue()
  const { worker, started, nthStarted } = await startWorker(deps, { concurrency: 1 })
  const [id, next] = [await enqueue(), await enqueue()]
  const job = await nthStarted(1)
  const short = Object.assign(new Error('Too many open files.'), { code: 'EMFILE' })
  const begin = performance.now()
  job.end(Promise.resolve().then(() => refuseIfShort(short) ?? SUCCESS))
  const other = await vi.waitFor(() => nthStarted(2), { timeout: 5_000 })
  expect(performance.now() - begin).toBeGreaterThan(900)
  expect([other.id, started.length]).toEqual([next, 2])
  expect(await statusOf(id)).toBe('queued')
  expect(await crashesOf(id)).toEqual({ crash_count: 0, attempt: 0 })
  other.end(SUCCESS)
  const again = await vi.waitFor(() => nthStarted(3), { timeout: 5_000 })
  expect(again).toMatchObject({ id, attempt: 1 })
  again.end(SUCCESS)
  await worker.stop()
  expect(await statusOf(id)).toBe('success')
})

test('jobs that wait behind a long one are handed back after a moment', async () => {
  const queue = await openQueue()
  const { waiting } = await openWaiting(queue, 2)
  const other = await startWorker(queue.deps, { concurrency: 2 })
  const taken = await vi.waitFor(() => other.nthStarted(2), { timeout: 5_000 })
  expect(taken.attempt).toBe(1)
  expect(new Set(other.started.map(({ id }) => id))).toEqual(new Set(waiting))
})

test('a job whose lease is lost is killed, and its late result is not written', async () => {
  const { deps, enqueue, statusOf } = await openQueue()
  const { nthStarted, lose, worker } = await startWorker(deps)
  const id = await enqueue()
  const job = await nthStarted(1)
  lose({ ...job.claim, attempt: 2, claimId: 'later' })
  // handed back before it began, and claimed again under the same number
  lose({ ...job.claim, claimId: 'earlier' })
  expect(job.signal.aborted).toBe(false)
  lose(job.claim)
  expect(job.signal.aborted).toBe(true)
  await expect.poll(() => worker.running).toBe(0)
  expect(await statusOf(id)).toBe('running')
})

test('a canceled job is running until its script ends, and ends canceled whatever it returned', async () => {
  const { deps, enqueue, statusOf } = await openQueue()
  const { nthStarted } = await startWorker(deps)
  const id = await enqueue()
  const job = await nthStarted(1)
  await cancelJob(deps, { ws: WS, id, caller: adminSession('a@b'), reason: null })
  expect(job.canceled.aborted).toBe(true)
  expect(job.signal.aborted).toBe(false)
  expect(await statusOf(id)).toBe('running')
  job.end(SUCCESS)
  await expect.poll(() => statusOf(id)).toBe('canceled')
})

test('a canceled job whose lease is lost is killed at once', async () => {
  const { deps, enqueue } = await openQueue()
  const { lose, nthStarted } = await startWorker(deps)
  const id = await enqueue()
  const job = await nthStarted(1)
  await cancelJob(deps, { ws: WS, id, caller: adminSession('a@b'), reason: null })
  lose(job.claim)
  expect(job.signal.aborted).toBe(true)
})

test('a job that is canceled while it waits for a slot ends at once without starting', async () => {
  const queue = await openQueue()
  const { waiting, running, started, leased, quickRuns } = await openWaiting(queue, 2)
  for (const id of waiting) {
    await cancelJob(queue.deps, { ws: WS, id, caller: adminSession('a@b'), reason: null })
  }
  running.end(SUCCESS)
  for (const id of waiting) {
    await expect.poll(() => queue.statusOf(id)).toBe('canceled')
    expect(await queue.crashesOf(id)).toMatchObject({ crash_count: 0 })
  }
  expect(started).toHaveLength(quickRuns + 1)
  await expect.poll(() => leased.size).toBe(0)
})

test('claims continue when the database is back', async () => {
  const { deps, enqueue, statusOf } = await openQueue()
  const { gated, takeAway, giveBack } = createGate(deps.db)
  const { nthStarted, started } = await startWorker(deps, { db: gated })
  // wait for a commit, which includes the worker's first claim
  await deps.db.write([sql`SELECT 1`])
  takeAway()
  const id = await enqueue()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(started).toHaveLength(0)
  giveBack()
  const job = await vi.waitFor(() => nthStarted(1), { timeout: 5_000 })
  job.end(SUCCESS)
  await expect.poll(() => statusOf(id)).toBe('success')
})

test('a result is written after a database outage, without running the job again', async () => {
  const { deps, enqueue, statusOf } = await openQueue()
  const { gated, takeAway, giveBack } = createGate(deps.db)
  const { nthStarted, started } = await startWorker(deps, { db: gated })
  const id = await enqueue()
  const job = await nthStarted(1)
  takeAway()
  job.end(SUCCESS)
  await new Promise((resolve) => setTimeout(resolve, 250))
  expect(await statusOf(id)).toBe('running')
  giveBack()
  await vi.waitFor(async () => expect(await statusOf(id)).toBe('success'), { timeout: 5_000 })
  expect(started).toHaveLength(1)
})

test('writes nothing while the queue is empty', async () => {
  const { deps } = await openQueue()
  const { gated, writes } = createGate(deps.db)
  await startWorker(deps, { db: gated })
  await expect.poll(() => writes()).toBeGreaterThan(0)
  const changes = sql`SELECT total_changes() AS n`
  const before = { writes: writes(), ...(await deps.db.one(changes)) }
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect({ writes: writes(), ...(await deps.db.one(changes)) }).toEqual(before)
})
