/** The counters of the queue compared with count(*) over the jobs, after every operation that changes one [jobs 9.8]. */

import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { cancelJob } from '#service/queue/cancel-job.ts'
import { handBackJobs } from '#service/queue/hand-back-jobs.ts'
import { requeueJob } from '#service/queue/requeue-job.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { sweepExpired, sweepJobs } from '#service/sweep.ts'
import { countOpenJobs, countQueued, countReadyByTagIn } from '#store/jobs/count.ts'
import { raw, sql } from '#store/sql.ts'
import { completeJob } from '../support/complete-job.ts'
import { BY, openQueue, QUEUE_BACKENDS, type Queue, WS } from '../support/open-queue.ts'
import { adminSession } from '../support/principals.ts'

const TAGS = ['default', 'gpu'] as const
const HOUR_MS = 3_600_000
const { signal } = new AbortController()
const retry = { maxAttempts: 3, delayMs: 0, backoffFactor: 1 } as const

/** `pick` selects one of the jobs that the operation may apply to. */
type Operation = (queue: Queue, pick: number) => Promise<unknown>

const pickId = async (queue: Queue, where: string, pick: number): Promise<string | null> => {
  const rows = await queue.db.all(sql`SELECT id FROM jobs WHERE ${raw(where)} ORDER BY id`)
  return rows.length === 0 ? null : String(rows[pick % rows.length]?.id)
}

const claimOne = async (queue: Queue) => (await queue.claim(1, TAGS))[0]

const end =
  (fails: boolean, delayMs: number): Operation =>
  async (queue) => {
    const job = await claimOne(queue)
    if (job === undefined) return
    const outcome = fails
      ? ({ kind: 'failure', error: { name: 'E', message: 'm' } } as const)
      : ({ kind: 'success', resultJson: '1' } as const)
    await completeJob(queue.deps, { job, outcome, retry: { ...retry, delayMs }, logs: [] })
  }

const cancel =
  (where: string): Operation =>
  async (queue, pick) => {
    const id = await pickId(queue, where, pick)
    if (id === null) return
    await cancelJob(queue.deps, { ws: WS, id, caller: adminSession(BY), reason: null })
  }

const OPERATIONS: Readonly<Record<string, Operation>> = {
  enqueue: (queue, pick) => queue.enqueue({ tag: TAGS[pick % 2] ?? 'default' }),
  enqueueOther: (queue) => queue.enqueue({ action: 'other' }),
  enqueueLater: (queue) => queue.enqueue({ scheduledFor: Date.now() + HOUR_MS }),
  makeDue: async (queue, pick) => {
    const id = await pickId(queue, 'completed_at IS NULL AND ready = 0', pick)
    if (id !== null) await queue.makeDue(id)
  },
  claim: (queue, pick) => queue.claim((pick % 3) + 1, TAGS),
  succeed: end(false, 0),
  fail: end(true, 0),
  failAndWait: end(true, HOUR_MS),
  handBack: async (queue, pick) => {
    const job = await claimOne(queue)
    if (job === undefined) return
    await handBackJobs(queue.deps, { jobs: [{ claim: job, started: pick % 2 === 0 }] })
  },
  lose: async (queue, pick) => {
    const id = await pickId(queue, "status = 'running'", pick)
    if (id !== null) await queue.expire(id)
    await rescueJobs(queue.deps)
  },
  cancelQueued: cancel("status = 'queued'"),
  cancelRunning: cancel("status = 'running'"),
  requeue: async (queue, pick) => {
    const id = await pickId(queue, "status = 'queued'", pick)
    if (id === null) return
    await requeueJob(queue.deps, { ws: WS, id, tag: TAGS[pick % 2] ?? null, actor: CLI_ACTOR })
  },
  sweep: async (queue) => {
    // -1 day: every ended job is older than the window
    await sweepJobs(queue.deps, { retentionDays: -1, signal })
    await sweepExpired(queue.deps, { signal })
  },
}

const expectCountsAsRows = async ({ db }: Queue): Promise<void> => {
  const rows = (where: string, columns: string, more = '') =>
    db.all(
      sql`SELECT ${raw(columns)}, count(*) AS n${raw(more)} FROM jobs WHERE ${raw(where)}
        GROUP BY ${raw(columns)} ORDER BY ${raw(columns)}`,
    )
  const kept = await db.all(
    sql`SELECT ws, tag, app, ready, n FROM queue_counts WHERE n <> 0 ORDER BY ws, tag, app, ready`,
  )
  expect(kept).toEqual(await rows("status = 'queued'", 'ws, tag, app, ready'))

  const open = await rows('completed_at IS NULL', 'status, tag, app')
  expect(await countOpenJobs(db, WS)).toEqual(
    open.map(({ status, tag, app, n }) => ({ status, tag, app, count: n })),
  )
  const queued = await db.one(sql`SELECT count(*) AS n FROM jobs WHERE status = 'queued'`)
  expect(await countQueued(db, WS)).toBe(queued?.n)

  const ready = await rows("status = 'queued' AND ready = 1", 'tag', ', min(run_at) AS first')
  const now = await db.now()
  const counted = await countReadyByTagIn(db, WS)
  expect(counted.map(({ tag, count }) => ({ tag, n: count }))).toEqual(
    ready.map(({ tag, n }) => ({ tag, n })),
  )
  for (const [at, { oldestAgeMs }] of counted.entries()) {
    expect(Math.abs(oldestAgeMs - (now - Number(ready[at]?.first)))).toBeLessThan(5_000)
  }
}

describe.each(QUEUE_BACKENDS)('the counters of the queue on %s', (_, open) => {
  let queue: Queue
  beforeAll(async () => {
    const opened = await open()
    queue = await openQueue(opened.db)
    await queue.deploy({ key: 'greet', retry }, { key: 'other', tag: 'gpu' })
    return opened.close
  })

  test('say what the rows say, whatever happens to the jobs', { timeout: 120_000 }, async () => {
    const operation = fc.tuple(fc.constantFrom(...Object.keys(OPERATIONS)), fc.nat(100))
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 30 }), async (operations) => {
        for (const [name, pick] of operations) {
          await OPERATIONS[name]?.(queue, pick)
          await expectCountsAsRows(queue)
        }
      }),
      { numRuns: 15, endOnFailure: true },
    )
    expect(await queue.db.one(sql`SELECT count(*) AS n FROM jobs`)).not.toEqual({ n: 0 })
  })
})
