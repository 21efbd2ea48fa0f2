/** Claims that are repeated, unanswered or late. Queue and renewals are real; the test ends the scripts. */
import { afterEach, expect, test, vi } from 'vitest'
import { handBackJobs } from '#service/queue/hand-back-jobs.ts'
import { type Database, DatabaseError } from '#store/database.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { claimJobs } from '../../test/support/claim-jobs.ts'
import {
  closeQueues,
  openLeases,
  openQueue,
  SUCCESS,
  startWorker,
  WS,
} from '../../test/support/watched-worker.ts'
import { monotonicNow } from './monotonic-clock.ts'

/** Longer than any test. */
const LEASE_MS = 600_000
const PATIENCE = { timeout: 10_000, interval: 5 }

afterEach(closeQueues)

const leaseOf = async (db: Database, id: string): Promise<number> =>
  Number(
    (await db.one(sql`SELECT lease_until FROM jobs WHERE ws = ${WS} AND id = ${id}`))?.lease_until,
  )

const openLeased = async () => {
  const queue = await openQueue()
  const { db } = queue.deps
  const leases = openLeases(db, LEASE_MS)
  const claimOne = async (): Promise<ClaimedJob> => {
    const request = { worker: 'w1', tags: ['default'], limit: 1, leaseMs: LEASE_MS }
    const [job] = await claimJobs(queue.deps, request)
    if (job === undefined) throw new Error('There was nothing to claim.')
    return job
  }
  return { ...queue, ...leases, db, claimOne }
}

test('a job that is handed back unstarted and claimed again at once keeps its lease', async () => {
  const { deps, db, enqueue, claimOne, keeper, commands, lost, renew } = await openLeased()
  const id = await enqueue()
  const first = await claimOne()
  keeper.add([first], monotonicNow())
  await handBackJobs(deps, { jobs: [{ claim: first, started: false }] })
  const again = await claimOne()
  expect(again).toMatchObject({ id, attempt: first.attempt })
  // releases are collected for a moment, so this one reaches the thread after the second claim
  keeper.release(first)
  keeper.add([again], monotonicNow())
  await vi.waitFor(() => expect(commands.at(-1)).toMatchObject({ kind: 'release' }), PATIENCE)
  await db.write([sql`UPDATE jobs SET lease_until = lease_until - 60000 WHERE id = ${id}`])
  const before = await leaseOf(db, id)
  await renew()
  expect(await leaseOf(db, id)).toBeGreaterThan(before)
  expect(lost).toEqual([])
})

/** Opens a database that loses answers of claims after their commit, delays claims or is away, as often as the test sets. */
const openFaulty = (db: Database) => {
  const unknown = () =>
    new DatabaseError('The answer is lost.', { kind: 'unavailable', outcome: 'unknown' })
  const faults = { lost: 0, away: 0, delayMs: 0, delayedUntil: 0 }
  const faulty: Database = {
    ...db,
    write: async (batch, options) => {
      const isClaim = 'claim' in batch || 'plain' in batch
      if (isClaim && faults.delayMs > 0) {
        await new Promise((resolve) => setTimeout(resolve, faults.delayMs))
        faults.delayMs = 0
        faults.delayedUntil = monotonicNow()
      }
      if ('found' in batch && faults.away > 0) {
        faults.away -= 1
        throw unknown()
      }
      const results = await db.write(batch, options)
      if (!isClaim || faults.lost === 0) return results
      faults.lost -= 1
      throw unknown()
    },
  }
  return { faulty, faults }
}

test('a claim whose answer was lost is found again at once, with a whole lease', async () => {
  const queue = await openQueue()
  const { faulty, faults } = openFaulty(queue.deps.db)
  const id = await queue.enqueue()
  faults.lost = 1
  const { nthStarted, leased } = await startWorker(queue.deps, { db: faulty })
  const job = await vi.waitFor(() => nthStarted(1), PATIENCE)
  expect(job).toMatchObject({ id, attempt: 1 })
  expect(faults.lost).toBe(0)
  expect(leased).toEqual(new Set([id]))
  job.end(SUCCESS)
  await vi.waitFor(async () => expect(await queue.statusOf(id)).toBe('success'), PATIENCE)
})

test('a claim whose answer was lost is found when the database is back', async () => {
  const queue = await openQueue()
  const { faulty, faults } = openFaulty(queue.deps.db)
  const id = await queue.enqueue()
  faults.away = 1
  faults.lost = 1
  const { nthStarted } = await startWorker(queue.deps, { db: faulty })
  await vi.waitFor(() => expect(faults.away).toBe(0), PATIENCE)
  await queue.deps.db.write([sql`UPDATE jobs SET lease_until = 1 WHERE id = ${id}`])
  const job = await vi.waitFor(() => nthStarted(1), PATIENCE)
  expect(job).toMatchObject({ id, attempt: 1 })
  expect(await leaseOf(queue.deps.db, id)).toBeGreaterThan(1)
})

test('a lease is trusted from the commit of its claim, not from the request, which may have waited', async () => {
  const queue = await openQueue()
  const { faulty, faults } = openFaulty(queue.deps.db)
  const trusted = new Map<string, number>()
  const onLeased = (ids: readonly string[], sentAt: number): void => {
    for (const id of ids) trusted.set(id, sentAt)
  }
  const id = await queue.enqueue()
  faults.delayMs = 100
  const { nthStarted } = await startWorker(queue.deps, { db: faulty, onLeased })
  await vi.waitFor(() => nthStarted(1), PATIENCE)
  expect(faults.delayedUntil).toBeGreaterThan(0)
  expect(trusted.get(id)).toBeGreaterThanOrEqual(faults.delayedUntil)
})
