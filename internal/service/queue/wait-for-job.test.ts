/** Waits for an end that comes by a hint, by another process, or not at all. */

import { beforeAll, expect, test } from 'vitest'
import type { Database } from '#store/database.ts'
import { openQueue, type Queue, WS } from '../../../test/support/open-queue.ts'
import { adminSession } from '../../../test/support/principals.ts'
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts'
import { createHints } from '../hints.ts'
import { createOpenWork } from '../open-work.ts'
import { cancelJob } from './cancel-job.ts'
import { waitForJob } from './wait-for-job.ts'

let queue: Queue
beforeAll(async () => {
  const opened = await openTemporaryDatabase()
  queue = await openQueue(opened.db)
  await queue.deploy({ key: 'greet' })
  return opened.close
})

const LONG_MS = 20_000
const wait = (id: string, more: Partial<Parameters<typeof waitForJob>[1]> = {}) =>
  waitForJob(queue.deps, { ws: WS, id, timeoutMs: LONG_MS, ...more })
const cancel = (id: string, deps = queue.deps) =>
  cancelJob(deps, { ws: WS, id, caller: adminSession('a@b'), reason: null })
const timeOf = async (work: Promise<unknown>): Promise<number> => {
  const before = performance.now()
  await work
  return performance.now() - before
}

test('many callers who wait for one job are all notified of its end', async () => {
  const id = await queue.enqueue()
  const waiting = Array.from({ length: 20 }, () => wait(id))
  await cancel(id)
  for (const ended of await Promise.all(waiting))
    expect(ended).toMatchObject({ status: 'canceled' })
})

test('a job that ends in another process is found by polling, within about a second', async () => {
  const id = await queue.enqueue()
  const waiting = wait(id)
  await cancel(id, { ...queue.deps, hints: createHints() })
  expect(await timeOf(waiting)).toBeLessThan(LONG_MS / 4)
  expect(await waiting).toMatchObject({ status: 'canceled' })
})

test('many waits poll together', async () => {
  const count = 30
  const ids = await Promise.all(Array.from({ length: count }, () => queue.enqueue()))
  let queries = 0
  const db: Database = {
    ...queue.db,
    one: (...asked) => {
      queries += 1
      return queue.db.one(...asked)
    },
    all: (...asked) => {
      queries += 1
      return queue.db.all(...asked)
    },
  }
  const deps = { ...queue.deps, db, openWork: createOpenWork(db) }
  const waits = ids.map((id) => waitForJob(deps, { ws: WS, id, timeoutMs: 2_200 }))
  expect(await Promise.all(waits)).toEqual(ids.map(() => null))
  // a first and a last look for each; polls after 250, 750 and 1,750 ms
  expect(queries - 2 * count).toBeLessThan(count)
  expect(queries - 2 * count).toBeGreaterThan(1)
})

test('a job that has ended is returned at once', async () => {
  const id = await queue.enqueue()
  await cancel(id)
  expect(await wait(id, { timeoutMs: 1 })).toMatchObject({ status: 'canceled' })
})

test('a job that still runs at the timeout gives null', async () => {
  const id = await queue.enqueue()
  const before = performance.now()
  expect(await wait(id, { timeoutMs: 30 })).toBeNull()
  expect(performance.now() - before).toBeGreaterThanOrEqual(29)
})

test('waiting ends when the caller disconnects, before or during it', async () => {
  const id = await queue.enqueue()
  const gone = new AbortController()
  const waiting = wait(id, { signal: gone.signal })
  gone.abort()
  const late = wait(id, { signal: gone.signal })
  expect(await timeOf(Promise.all([waiting, late]))).toBeLessThan(LONG_MS / 4)
  expect([await waiting, await late]).toEqual([null, null])
})

test('a job of another workspace gives null, like one that does not exist', async () => {
  const id = await queue.enqueue()
  expect(await wait(id, { ws: 'other' })).toBeNull()
})
