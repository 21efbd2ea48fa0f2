/** What the queue promises its workers and callers, one scene per promise, on a file and on sqld. */

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cancelJob } from '#service/queue/cancel-job.ts'
import type { Ending, RunOutcome } from '#service/queue/complete-job.ts'
import { handBackJobs } from '#service/queue/hand-back-jobs.ts'
import { renewLeases } from '#service/queue/renew-leases.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { statementsOf } from '#store/batch.ts'
import type { Database } from '#store/database.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { releaseWorkspace } from '#store/workspaces/held.ts'
import { holdForMove } from '#store/workspaces/moved.ts'
import { completeJob } from '../support/complete-job.ts'
import { BY, openQueue, QUEUE_BACKENDS, type Queue, WS } from '../support/open-queue.ts'
import { memberSession } from '../support/principals.ts'

const DONE: RunOutcome = { kind: 'success', resultJson: '1' }
const OOPS: RunOutcome = {
  kind: 'failure',
  error: { name: 'Oops', message: 'no' },
}
const NOTHING = { found: true, completedNow: false, softCanceled: false, alreadyCompleted: false }

describe.each(QUEUE_BACKENDS)('the queue on %s', (_, openDatabase) => {
  let queue: Queue
  beforeAll(async () => {
    const opened = await openDatabase()
    queue = await openQueue(opened.db)
    return opened.close
  })
  beforeEach(async () => {
    await queue.db.write([sql`DELETE FROM jobs WHERE status IN ('queued', 'running')`])
    await queue.deploy({ key: 'greet' })
  })

  const end = (job: ClaimedJob, outcome: RunOutcome, retry: Ending['retry'] = null) =>
    completeJob(queue.deps, { job, outcome, retry, logs: [] })
  const cancel = (id: string, by = BY) =>
    cancelJob(queue.deps, { ws: WS, id, caller: memberSession(by), reason: null })
  const claimOne = async (): Promise<ClaimedJob> => {
    const [job] = await queue.claim(1)
    if (job === undefined) throw new Error('There was nothing to claim.')
    return job
  }
  const handBack = (job: ClaimedJob, started: boolean) =>
    handBackJobs(queue.deps, { jobs: [{ claim: job, started }] })
  const claimedIds = async (limit: number, tags?: readonly string[]) =>
    (await queue.claim(limit, tags)).map(({ id }) => id)

  describe('who is next', () => {
    it('is the highest priority, then the oldest', async () => {
      const low = await queue.enqueue({ priority: -5 })
      const [first, second] = [await queue.enqueue(), await queue.enqueue()]
      const high = await queue.enqueue({ priority: 100 })
      expect(await claimedIds(3)).toEqual([high, first, second])
      expect(await claimedIds(3)).toEqual([low])
    })

    it('is never one whose time has not come', async () => {
      const later = await queue.enqueue({ scheduledFor: Date.now() + 3_600_000, priority: 100 })
      expect(await claimedIds(1)).toEqual([])
      await queue.makeDue(later)
      expect(await claimedIds(1)).toEqual([later])
    })

    it('is not one that asks for a time long past, before those that waited', async () => {
      const waiting = await queue.enqueue()
      const pushing = await queue.enqueue({ scheduledFor: 1 })
      expect(await claimedIds(2)).toEqual([waiting, pushing])
    })

    it('is none of another tag', async () => {
      const big = await queue.enqueue({ tag: 'big' })
      expect(await claimedIds(5)).toEqual([])
      expect(await claimedIds(5, ['small', 'big'])).toEqual([big])
    })

    it('is each job once, however many workers ask at once', async () => {
      const ids = await Promise.all(Array.from({ length: 20 }, () => queue.enqueue()))
      const claims = await Promise.all(Array.from({ length: 8 }, () => claimedIds(4)))
      expect(claims.flat().toSorted()).toEqual(ids.toSorted())
    })
  })

  describe('a concurrency key', () => {
    const LIMIT = { key: 'greet', concurrency: { limit: 3, key: `\${input.customer}` } }
    const enqueueFor = (customer: string) => queue.enqueue({ input: { customer } })
    beforeEach(() => queue.deploy(LIMIT))

    it('fills its limit in one claim, in order, and no further', async () => {
      const ids = []
      for (let count = 0; count < 5; count += 1) ids.push(await enqueueFor('a'))
      expect(await claimedIds(10)).toEqual(ids.slice(0, 3))
      expect(await claimedIds(10)).toEqual([])
    })

    it('that is full does not delay others', async () => {
      for (let count = 0; count < 5; count += 1) await enqueueFor('a')
      await queue.claim(10)
      const other = await enqueueFor('b')
      await queue.deploy({ key: 'greet' })
      const plain = await queue.enqueue()
      expect(await claimedIds(10)).toEqual([other, plain])
    })

    it('that is full keeps new jobs out of what claims read, until one ends: the first in order', async () => {
      for (let count = 0; count < 3; count += 1) await enqueueFor('a')
      const [running] = await queue.claim(3)
      if (running === undefined) throw new Error('Nothing was claimed.')
      const later = await enqueueFor('a')
      const urgent = await queue.enqueue({ input: { customer: 'a' }, priority: 9 })
      expect(await queue.row(later)).toMatchObject({ ready: 1, blocked: 1 })
      expect(await queue.row(urgent)).toMatchObject({ ready: 1, blocked: 1 })
      await end(running, DONE)
      expect(await queue.row(urgent)).toMatchObject({ blocked: 0 })
      expect(await claimedIds(10)).toEqual([urgent])
      expect(await queue.row(later)).toMatchObject({ blocked: 1 })
    })

    it('takes no more than requested, the highest priority first', async () => {
      await queue.enqueue({ input: { customer: 'a' } })
      const urgent = await queue.enqueue({ input: { customer: 'a' }, priority: 9 })
      expect(await claimedIds(1)).toEqual([urgent])
    })

    it('holds with many workers at once', async () => {
      for (let count = 0; count < 12; count += 1) await enqueueFor('a')
      const claims = await Promise.all(Array.from({ length: 6 }, () => claimedIds(4)))
      expect(claims.flat()).toHaveLength(3)
    })

    it.each(['ends', 'fails', 'is handed back', 'is lost'])(
      'has room again when one %s',
      async (how) => {
        for (let count = 0; count < 4; count += 1) await enqueueFor('a')
        const [job] = await queue.claim(10)
        if (job === undefined) throw new Error('Nothing was claimed.')
        if (how === 'ends') await end(job, DONE)
        if (how === 'fails') await end(job, OOPS)
        if (how === 'is handed back') await handBack(job, true)
        if (how === 'is lost') {
          await queue.expire(job.id)
          await rescueJobs(queue.deps)
        }
        expect(await claimedIds(10)).toHaveLength(1)
      },
    )

    it('counts by the limit that each job was queued with', async () => {
      for (let count = 0; count < 3; count += 1) await enqueueFor('a')
      await queue.deploy({ ...LIMIT, concurrency: { ...LIMIT.concurrency, limit: 1 } })
      for (let count = 0; count < 3; count += 1) await enqueueFor('a')
      expect(await claimedIds(10)).toHaveLength(3)
      expect(await claimedIds(10)).toHaveLength(0)
    })
  })

  describe('a failed job with a retry', () => {
    const RETRY = { maxAttempts: 3, delayMs: 60_000, backoffFactor: 2 }
    beforeEach(() => queue.deploy({ key: 'greet', retry: RETRY }))

    it('waits longer each time and fails with its last try', async () => {
      const id = await queue.enqueue()
      for (const [failures, delayMs] of [60_000, 120_000].entries()) {
        expect(await end(await claimOne(), OOPS, RETRY)).toBe('retrying')
        const row = await queue.row(id)
        expect(row).toMatchObject({ status: 'queued', ready: 0, failure_count: failures + 1 })
        const waits = Number(row.run_at) - (await queue.db.now())
        expect(waits).toBeGreaterThan(delayMs - 10_000)
        expect(waits).toBeLessThanOrEqual(delayMs)
        await queue.makeDue(id)
      }
      expect(await end(await claimOne(), OOPS, RETRY)).toBe('failure')
      expect(await queue.row(id)).toMatchObject({ attempt: 3, failure_count: 2, crash_count: 0 })
      expect(await queue.ledger(id)).toMatchObject([{ outcome: 'failure' }])
    })

    it('belongs to no worker while it waits, and its attempt is billed without the wait', async () => {
      const id = await queue.enqueue()
      const job = await claimOne()
      await queue.db.write([
        sql`UPDATE jobs SET started_at = started_at - 5000 WHERE ws = ${WS} AND id = ${id}`,
      ])
      await end(job, OOPS, RETRY)
      expect(await queue.row(id)).toMatchObject({ worker: null, started_at: null })
      // the wait begins an hour earlier
      await queue.db.write([
        sql`UPDATE job_attempts SET started_at = started_at - 3600000, ended_at = ended_at - 3600000 WHERE job_id = ${id}`,
      ])
      expect(await cancel(id)).toEqual({ ...NOTHING, completedNow: true })
      const [billed, ...others] = await queue.ledger(id)
      expect([billed?.outcome, others]).toEqual(['canceled', []])
      expect(billed?.duration_ms).toBeGreaterThanOrEqual(5_000)
      expect(billed?.duration_ms).toBeLessThan(60_000)
    })

    it('counts crashes apart', async () => {
      const id = await queue.enqueue()
      await end(await claimOne(), OOPS, RETRY)
      await queue.makeDue(id)
      await claimOne()
      await queue.expire(id)
      await rescueJobs(queue.deps)
      expect(await queue.row(id)).toMatchObject({ failure_count: 1, crash_count: 1, attempt: 2 })
      expect(await end(await claimOne(), OOPS, RETRY)).toBe('retrying')
    })

    it('is not retried when a cancel was requested', async () => {
      const id = await queue.enqueue()
      const job = await claimOne()
      await cancel(id)
      expect(await end(job, OOPS, RETRY)).toBe('canceled')
    })
  })

  describe('a job whose worker is lost', () => {
    const lose = async (id: string) => {
      await queue.expire(id)
      return rescueJobs(queue.deps)
    }

    it('is queued again twice; the third time it fails with WorkerLost', async () => {
      const id = await queue.enqueue()
      for (const attempt of [1, 2]) {
        expect(await claimOne()).toMatchObject({ id, attempt })
        expect(await lose(id)).toEqual([{ id, status: 'queued' }])
        expect(await queue.row(id)).toMatchObject({ worker: null, started_at: null })
      }
      await claimOne()
      expect(await lose(id)).toEqual([{ id, status: 'failure' }])
      const { result } = await queue.row(id)
      expect(JSON.parse(String(result))).toMatchObject({ name: 'WorkerLost' })
      expect(await queue.ledger(id)).toMatchObject([{ outcome: 'failure' }])
    })

    it('fails at once where the action has no retry', async () => {
      await queue.deploy({ key: 'greet', onWorkerLost: 'fail' })
      const id = await queue.enqueue()
      await claimOne()
      expect(await lose(id)).toEqual([{ id, status: 'failure' }])
    })

    it('ends canceled when that was requested', async () => {
      const id = await queue.enqueue()
      await claimOne()
      await cancel(id)
      expect(await lose(id)).toEqual([{ id, status: 'canceled' }])
      expect(await queue.ledger(id)).toMatchObject([{ outcome: 'canceled' }])
    })

    it('stays with a worker that renewed in time', async () => {
      const id = await queue.enqueue()
      const job = await claimOne()
      await queue.expire(id)
      await renewLeases(queue.db, [job], 60_000)
      expect(await rescueJobs(queue.deps)).toEqual([])
    })

    it('is taken back once, however many nodes look at once', async () => {
      const id = await queue.enqueue()
      await claimOne()
      await queue.expire(id)
      await Promise.all(Array.from({ length: 5 }, () => rescueJobs(queue.deps)))
      expect(await queue.row(id)).toMatchObject({ crash_count: 1, status: 'queued' })
    })

    it('is taken back together with all others, not one commit after the other', async () => {
      for (let count = 0; count < 20; count += 1) await queue.enqueue()
      for (const id of await claimedIds(20)) await queue.expire(id)
      let [open, most] = [0, 0]
      const write: Database['write'] = async (statements, options) => {
        open += 1
        most = Math.max(most, open)
        return queue.db.write(statements, options).finally(() => {
          open -= 1
        })
      }
      const rescued = await rescueJobs({ ...queue.deps, db: { ...queue.db, write } })
      expect({ rescued: rescued.length, most }).toEqual({ rescued: 20, most: 20 })
    })

    it('holds up no other when it cannot be taken back', async () => {
      for (let count = 0; count < 3; count += 1) await queue.enqueue()
      const [stuck = '', ...others] = await claimedIds(3)
      for (const id of [stuck, ...others]) await queue.expire(id)
      const write: Database['write'] = async (batch, options) => {
        const isStuck = statementsOf(batch).some(({ args }) => args.includes(stuck))
        if (isStuck) throw new Error('The disk failed.')
        return queue.db.write(batch, options)
      }
      const rescuing = rescueJobs({ ...queue.deps, db: { ...queue.db, write } })
      await expect(rescuing).rejects.toThrow('The disk failed.')
      const rows = await Promise.all([stuck, ...others].map((id) => queue.row(id)))
      expect(rows.map(({ status }) => status)).toEqual(['running', 'queued', 'queued'])
    })

    it.each([DONE, OOPS, { kind: 'canceled' } as const])(
      'takes no late word of it: $kind',
      async (outcome) => {
        const id = await queue.enqueue()
        const late = await claimOne()
        await lose(id)
        const retry = { maxAttempts: 9, delayMs: 0, backoffFactor: 1 }
        expect(await end(late, outcome, retry)).toBe('fenced')
        const current = await claimOne()
        expect(await end(late, outcome, retry)).toBe('fenced')
        await handBack(late, true)
        const { lease_until } = await queue.row(id)
        expect(await renewLeases(queue.db, [late], 600_000)).toMatchObject({ lost: [late] })
        expect(await queue.row(id)).toMatchObject({ status: 'running', attempt: 2, lease_until })
        expect(await end(current, DONE)).toBe('success')
        expect(await queue.ledger(id)).toHaveLength(1)
      },
    )

    it('gets no lease again while its workspace moves to another cell', async () => {
      const id = await queue.enqueue()
      const job = await claimOne()
      const held = { ws: WS, fileId: 'move' }
      await queue.db.write([holdForMove(held)])
      expect(await renewLeases(queue.db, [job], 600_000)).toMatchObject({ renewed: [job] })
      await queue.expire(id)
      expect(await renewLeases(queue.db, [job], 600_000)).toMatchObject({ lost: [job] })
      await queue.db.write([releaseWorkspace(held)])
      expect(await renewLeases(queue.db, [job], 600_000)).toMatchObject({ renewed: [job] })
    })
  })

  describe('a job that is handed back', () => {
    it.each([
      ['before it started', false, 1],
      ['after it started', true, 2],
    ])('%s counts no crash', async (__, started, attempt) => {
      const id = await queue.enqueue()
      await handBack(await claimOne(), started)
      expect(await queue.row(id)).toMatchObject({ status: 'queued', crash_count: 0, worker: null })
      expect(await claimOne()).toMatchObject({ id, attempt })
    })

    it('before it started is not handed back again by a repeated write, nor is its next lease renewed', async () => {
      const id = await queue.enqueue()
      const first = await claimOne()
      await handBack(first, false)
      const second = await claimOne()
      expect(second).toMatchObject({ id, attempt: first.attempt })
      await cancel(id)
      await handBack(first, false)
      const { lease_until } = await queue.row(id)
      expect(await renewLeases(queue.db, [first], 600_000)).toMatchObject({ lost: [first] })
      expect(await queue.row(id)).toMatchObject({ status: 'running', lease_until })
      expect(await renewLeases(queue.db, [second], 600_000)).toMatchObject({ canceled: [second] })
      await handBack(second, true)
      expect(await queue.row(id)).toMatchObject({ status: 'canceled' })
    })

    it('once is handed back also when the answer of the write was lost', async () => {
      const id = await queue.enqueue()
      const job = await claimOne()
      const write: Database['write'] = async (batch, options) => {
        // a remote database may repeat such a write
        expect(options).toMatchObject({ retry: true })
        await queue.db.write(batch, options)
        return queue.db.write(batch, options)
      }
      const told: string[] = []
      const { jobQueued } = queue.deps.hints
      const hints = {
        ...queue.deps.hints,
        jobQueued: { ...jobQueued, forward: (tag: string) => void told.push(tag) },
      }
      const deps = { ...queue.deps, hints, db: { ...queue.db, write } }
      await handBackJobs(deps, { jobs: [{ claim: job, started: true }] })
      expect(await queue.row(id)).toMatchObject({ status: 'queued', crash_count: 0 })
      expect(told).toEqual(['default'])
    })

    it.each([true, false])(
      'ends canceled when that was requested (started: %s)',
      async (started) => {
        const id = await queue.enqueue()
        const job = await claimOne()
        await cancel(id)
        await handBack(job, started)
        expect(await queue.row(id)).toMatchObject({ status: 'canceled', crash_count: 0 })
        expect(await queue.ledger(id)).toMatchObject([{ outcome: 'canceled' }])
      },
    )
  })
})
