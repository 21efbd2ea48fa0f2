import { afterEach, expect, test } from 'vitest'
import type { Database } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { claimJobs } from '../../../test/support/claim-jobs.ts'
import { closeQueues, openQueue } from '../../../test/support/watched-worker.ts'
import { createClaimMemory } from './claim-jobs.ts'

afterEach(closeQueues)

/** Counts the batches of claims by what they consist of. */
const watchClaims = (db: Database) => {
  const seen: string[] = []
  const watched: Database = {
    ...db,
    write: (batch, options) => {
      seen.push('claim' in batch ? 'whole' : 'fast path')
      return db.write(batch, options)
    },
  }
  return { watched, seen }
}

/** Claims like a worker whose last claims were plain. */
const openPlain = async () => {
  const { deps, enqueue } = await openQueue()
  const { watched, seen } = watchClaims(deps.db)
  const memory = { ...createClaimMemory(), plainInARow: 3 }
  const claim = async (limit: number, tags: readonly string[] = ['default']) => {
    const options = { worker: 'w', tags, limit, leaseMs: 60_000, memory }
    const jobs = await claimJobs({ ...deps, db: watched }, options)
    return jobs.map(({ id }) => id)
  }
  return { db: deps.db, enqueue, claim, seen, memory }
}

test('a plain queue is claimed by the fast path alone, oldest first, and an empty one writes nothing more', async () => {
  const { enqueue, claim, seen } = await openPlain()
  const ids = [await enqueue(), await enqueue(), await enqueue()]
  expect(await claim(2)).toEqual(ids.slice(0, 2))
  expect(await claim(2)).toEqual(ids.slice(2))
  expect(await claim(2)).toEqual([])
  expect(seen).toEqual(['fast path', 'fast path', 'fast path'])
})

test('a delayed job that is due takes its turn before jobs of a lower priority, and the queue stays plain', async () => {
  const { db, enqueue, claim, seen, memory } = await openPlain()
  const [first, delayed] = [await enqueue(), await enqueue()]
  await db.write([sql`UPDATE jobs SET ready = 0, run_at = 1, priority = 5 WHERE id = ${delayed}`])
  expect(await claim(1)).toEqual([delayed])
  expect(seen).toEqual(['fast path', 'whole'])
  expect(memory.plainInARow).toBe(4)
  expect(await claim(1)).toEqual([first])
  expect(seen).toEqual(['fast path', 'whole', 'fast path'])
})

test('a delayed job that is not due leaves the queue plain', async () => {
  const { db, enqueue, claim, seen } = await openPlain()
  const [first, delayed] = [await enqueue(), await enqueue()]
  await db.write([sql`UPDATE jobs SET ready = 0, run_at = run_at + 60000 WHERE id = ${delayed}`])
  expect(await claim(5)).toEqual([first])
  expect(seen).toEqual(['fast path'])
})

test('the fast path reads when the next delayed job is due', async () => {
  const { db, enqueue, claim, memory } = await openPlain()
  const [, delayed] = [await enqueue(), await enqueue()]
  await db.write([sql`UPDATE jobs SET ready = 0, run_at = run_at + 60000 WHERE id = ${delayed}`])
  await claim(5)
  expect(memory.nextDueMs).toBeGreaterThan(50_000)
  expect(memory.nextDueMs).toBeLessThanOrEqual(60_000)
  await db.write([sql`DELETE FROM jobs`])
  await claim(5)
  expect(memory.nextDueMs).toBeNull()
})

test('after a claim of jobs with a rate, started or moved to a later time, others may be due in a moment', async () => {
  const { db, enqueue, claim, memory } = await openPlain()
  for (let count = 0; count < 2; count += 1) await enqueue()
  await db.write([sql`UPDATE jobs SET rate_key = 'default/r', rate_limit = 1, rate_ms = 60000`])
  expect(await claim(1)).toHaveLength(1)
  expect(memory.nextDueMs).toBe(0)
  Object.assign(memory, { nextDueMs: null })
  await db.write([sql`UPDATE jobs SET ready = 1, run_at = 0, paced = 1 WHERE status = 'queued'`])
  expect(await claim(1)).toHaveLength(0)
  expect(memory.nextDueMs).toBe(0)
})

test('jobs of several tags or levels start by their priority, whatever the last claims were', async () => {
  const { db, enqueue, claim, seen } = await openPlain()
  const [low, high, middle] = [await enqueue(), await enqueue(), await enqueue()]
  await db.write([
    sql`UPDATE jobs SET tag = 'other', priority = 5 WHERE id = ${high}`,
    sql`UPDATE jobs SET min_level = 1, priority = 3 WHERE id = ${middle}`,
  ])
  expect(await claim(2, ['default', 'other'])).toEqual([high, middle])
  expect(await claim(2, ['default', 'other'])).toEqual([low])
  expect(seen.slice(0, 2)).toEqual(['fast path', 'whole'])
})
