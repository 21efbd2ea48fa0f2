/** Workers, callers and rescuers run at once: whichever wins, limits hold and a job ends only once [jobs 2.3, 9.7]. */

import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { cancelJob } from '#service/queue/cancel-job.ts'
import { handBackJobs } from '#service/queue/hand-back-jobs.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { completeJob } from '../support/complete-job.ts'
import { BY, openQueue, QUEUE_BACKENDS, type Queue, WS } from '../support/open-queue.ts'
import { memberSession } from '../support/principals.ts'

const LIMIT = 2
const RETRY = { maxAttempts: 2, delayMs: 0, backoffFactor: 1 }
const WORKERS = 4
const DEADLINE_MS = 20_000

/** What happens to a claimed job. Fates that do two things at once race in the database. */
const FATES = [
  'succeed',
  'fail',
  'hand_back',
  'lose',
  'cancel',
  'lose_late',
  'cancel_late',
] as const
type Fate = (typeof FATES)[number]

describe.each(QUEUE_BACKENDS)('the queue on %s', (name, openDatabase) => {
  let queue: Queue
  let rounds = 0
  beforeAll(async () => {
    const opened = await openDatabase()
    queue = await openQueue(opened.db)
    const concurrency = { limit: LIMIT, key: `\${input.customer}` }
    await queue.deploy({ key: 'plain', retry: RETRY }, { key: 'keyed', retry: RETRY, concurrency })
    return opened.close
  })

  const succeed = (job: ClaimedJob) =>
    completeJob(queue.deps, {
      job,
      outcome: { kind: 'success', resultJson: '1' },
      retry: RETRY,
      logs: [],
    })
  const fail = (job: ClaimedJob) =>
    completeJob(queue.deps, {
      job,
      outcome: { kind: 'failure', error: { name: 'Oops', message: 'no' } },
      retry: RETRY,
      logs: [],
    })
  const lose = async ({ id, attempt }: ClaimedJob) => {
    await queue.db.write([
      sql`UPDATE jobs SET lease_until = 1
         WHERE ws = ${WS} AND id = ${id} AND attempt = ${attempt} AND status = 'running'`,
    ])
    await Promise.all([rescueJobs(queue.deps), rescueJobs(queue.deps)])
  }
  const cancel = ({ id }: ClaimedJob) =>
    cancelJob(queue.deps, { ws: WS, id, caller: memberSession(BY), reason: null })

  const meet: Readonly<Record<Fate, (job: ClaimedJob) => Promise<unknown>>> = {
    succeed,
    fail,
    hand_back: (job) => handBackJobs(queue.deps, { jobs: [{ claim: job, started: true }] }),
    lose: (job) => Promise.all([lose(job), succeed(job)]),
    cancel: (job) => Promise.all([cancel(job), succeed(job)]),
    lose_late: async (job) => {
      await lose(job)
      await succeed(job)
    },
    cancel_late: async (job) => {
      await Promise.all([fail(job), cancel(job)])
      await succeed(job)
    },
  }

  /** Reads in one statement which rows have ended and how many run under each key. */
  const look = async (tag: string) => {
    const rows = await queue.db.all(
      sql`SELECT id, status, result, completed_at, concurrency_key AS key FROM jobs WHERE tag = ${tag}`,
    )
    const running = Map.groupBy(
      rows.filter(({ status, key }) => status === 'running' && key !== null),
      ({ key }) => key,
    )
    const ended = rows.filter(({ completed_at }) => completed_at !== null)
    return { running, ended, isOver: ended.length === rows.length }
  }

  const enqueueAll = (tag: string) =>
    Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        queue.enqueue({
          tag,
          action: at % 3 === 0 ? 'plain' : 'keyed',
          input: { customer: `${tag}-${at % 2}` },
        }),
      ),
    )

  const race = async (fates: readonly Fate[]): Promise<void> => {
    const tag = `race-${rounds++}`
    await enqueueAll(tag)
    const known = new Map<unknown, unknown>()
    const deadline = performance.now() + DEADLINE_MS
    let isOver = false
    let met = 0
    const work = async (worker: string): Promise<void> => {
      while (!isOver && performance.now() < deadline) {
        const claimed = await queue.claim(3, [tag], worker)
        // the fates run out in the end, and all remaining jobs succeed
        await Promise.all(claimed.map((job) => meet[fates[met++] ?? 'succeed'](job)))
      }
    }
    const watch = async (): Promise<void> => {
      while (!isOver && performance.now() < deadline) {
        const seen = await look(tag)
        for (const jobs of seen.running.values()) expect(jobs.length).toBeLessThanOrEqual(LIMIT)
        for (const row of seen.ended) {
          expect(row).toEqual(known.get(row.id) ?? row)
          known.set(row.id, row)
        }
        isOver = seen.isOver
        // reads of a file never yield to the event loop, and the workers need it
        await setImmediate()
      }
    }
    const workers = Array.from({ length: WORKERS }, (_, at) => work(`w${at}`))
    await Promise.all([watch().finally(() => (isOver = true)), ...workers])
    expect(known.size).toBe(12)
    const bills = await queue.db.all(
      sql`SELECT j.status, l.outcome FROM jobs j LEFT JOIN ledger l ON l.job_id = j.id
         WHERE j.tag = ${tag}`,
    )
    for (const { status, outcome } of bills) expect(outcome).toBe(status)
  }

  it('never runs more of a key than its limit, and never changes or bills an end twice', async () => {
    const fates = fc.array(fc.constantFrom(...FATES), { minLength: 5, maxLength: 30 })
    const numRuns = name === 'a file' ? 25 : 6
    await fc.assert(fc.asyncProperty(fates, race), { numRuns })
  }, 120_000)
})
