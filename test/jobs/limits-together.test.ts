/** Limits of concurrency and rate that meet retries, suspensions, tags and levels [jobs 9.7, 18], on both databases. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RunOutcome } from '#service/queue/complete-job.ts'
import { handBackJobs } from '#service/queue/hand-back-jobs.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { beginStep } from '#store/jobs/steps.ts'
import { sql } from '#store/sql.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { openQueue, QUEUE_BACKENDS, type Queue } from '../support/open-queue.ts'

const WINDOW_MS = 10_000
const HOUR_MS = 3_600_000
const SHARED = { limit: 1, key: 'all', scope: 'app', name: 'shared' } as const
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation
const ACTIONS = [
  { key: 'greet' },
  { key: 'single', rate: { limit: 1, perS: 10, key: '${input.key}' } },
  { key: 'wide', rate: { limit: 5, perS: 10, key: '${input.key}' } },
  {
    key: 'both',
    rate: { limit: 1, perS: 3_600, key: '${input.key}' },
    concurrency: { limit: 1, key: 'all' },
  },
  { key: 'any', concurrency: SHARED },
  { key: 'isolated', minLevel: 'vm', concurrency: SHARED },
] as const
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation

describe.each(QUEUE_BACKENDS)('limits on %s', (_, openDatabase) => {
  let queue: Queue
  beforeAll(async () => {
    const opened = await openDatabase()
    queue = await openQueue(opened.db)
    await queue.deploy(...ACTIONS)
    return opened.close
  })
  beforeEach(async () => {
    await queue.db.write([sql`DELETE FROM jobs`, sql`DELETE FROM rate_starts`])
  })

  const queueFor = (action: string, key = 'a') => queue.enqueue({ action, input: { key } })
  const claimOne = async (): Promise<ClaimedJob> => {
    const [job] = await queue.claim(1)
    if (job === undefined) throw new Error('There was nothing to claim.')
    return job
  }
  const end = (job: ClaimedJob, outcome: RunOutcome, delayMs = 0) => {
    const retry = { maxAttempts: 3, delayMs, backoffFactor: 1 }
    return completeJob(queue.deps, { job, outcome, retry, logs: [] })
  }
  const succeed = (job: ClaimedJob) => end(job, { kind: 'success', resultJson: '1' })
  const fail = (job: ClaimedJob, delayMs: number) =>
    end(job, { kind: 'failure', error: { name: 'E', message: '' } }, delayMs)
  const sleep = async (job: ClaimedJob, ms: number): Promise<void> => {
    const step = { name: 's', position: 0, kind: 'sleep', ms, child: null } as const
    await queue.db.write([beginStep(job, step)])
    await end(job, { kind: 'suspended', steps: ['s'], failed: [], history: [] })
  }
  const idsOf = (jobs: readonly ClaimedJob[]) => jobs.map(({ id }) => id)
  const waitOf = async (id: string): Promise<number> =>
    Number((await queue.row(id)).run_at) - (await queue.db.now())

  it('a start of the same rate does not bring a delayed retry forward', async () => {
    const id = await queueFor('wide')
    await fail(await claimOne(), HOUR_MS)
    await queueFor('wide')
    await claimOne()
    expect(await waitOf(id)).toBeGreaterThan(HOUR_MS / 2)
  })

  it.each([
    ['a delayed retry', (job: ClaimedJob) => fail(job, HOUR_MS)],
    ['a sleep', (job: ClaimedJob) => sleep(job, HOUR_MS)],
  ])('jobs of a rate do not wait behind %s', async (_name, leave) => {
    await queueFor('single')
    await leave(await claimOne())
    expect(await waitOf(await queueFor('single'))).toBeLessThanOrEqual(WINDOW_MS)
  })

  it('a job that is handed back before its script begins has not used up its rate', async () => {
    const handBack = (jobs: readonly ClaimedJob[]) =>
      handBackJobs(queue.deps, { jobs: jobs.map((claim) => ({ claim, started: false })) })
    const ids = [await queueFor('single'), await queueFor('single', 'b')]
    await handBack(await queue.claim(5))
    expect(idsOf(await queue.claim(5))).toEqual(ids)
    for (let at = 0; at < 5; at += 1) await queueFor('wide')
    const early = [await claimOne(), await claimOne()]
    const late = [await claimOne(), await claimOne(), await claimOne()]
    await handBack(early)
    expect(idsOf(await queue.claim(5))).toEqual(idsOf(early))
    await queueFor('wide')
    expect(await queue.claim(5)).toEqual([])
    await handBack(late.slice(1, 2))
    expect(await queue.claim(5)).toHaveLength(1)
    expect(await queue.claim(5)).toEqual([])
  })

  it('a continuation that is handed back keeps its attempt and the time that it ran', async () => {
    const id = await queueFor('single')
    const first = await claimOne()
    await queue.db.write([
      sql`UPDATE jobs SET started_at = started_at - ${HOUR_MS} WHERE id = ${id}`,
    ])
    await sleep(first, 1)
    await queue.makeDue(id)
    const again = await claimOne()
    await handBackJobs(queue.deps, { jobs: [{ claim: again, started: false }] })
    const last = await claimOne()
    expect(last.attempt).toBe(again.attempt)
    await succeed(last)
    const [billed] = await queue.ledger(id)
    expect(Number(billed?.duration_ms)).toBeGreaterThanOrEqual(HOUR_MS)
  })

  it('a job that its rate delays does not occupy its concurrency key', async () => {
    const delayed = await queueFor('both')
    await fail(await claimOne(), 0)
    const other = await queueFor('both', 'b')
    expect(idsOf(await queue.claim(5))).toEqual([other])
    expect(await waitOf(delayed)).toBeGreaterThan(HOUR_MS / 2)
  })

  it('jobs of a key that get places in a rate one by one delay no claim of the jobs behind them', async () => {
    await queueFor('both')
    await succeed(await claimOne())
    const input = { key: 'a' }
    for (let at = 0; at < 30; at += 1)
      await queue.enqueue({ action: 'both', input, scheduledFor: 1 })
    const behind = await queue.enqueue()
    const countPlaced = async () =>
      (await queue.db.all(sql`SELECT id FROM jobs WHERE paced = 1 AND ready = 0`)).length
    expect(idsOf(await queue.claim(5))).toEqual([behind])
    expect(await countPlaced()).toBeLessThan(15)
    expect(await queue.claim(5)).toEqual([])
    expect(await countPlaced()).toBe(30)
  })

  it('a job beyond the slots of a worker does not block its key for other tags', async () => {
    await queue.enqueue({ priority: 1 })
    await queue.enqueue({ action: 'any', tag: 'some' })
    const other = await queue.enqueue({ action: 'any', tag: 'other' })
    expect(await queue.claim(1, ['default', 'some', 'other'])).toHaveLength(1)
    expect(idsOf(await queue.claim(5, ['other']))).toEqual([other])
  })

  it('a job that no worker may run does not block its key for lower levels', async () => {
    const claim = () =>
      claimJobs(queue.deps, {
        worker: 'w1',
        tags: ['default'],
        limit: 5,
        leaseMs: HOUR_MS,
        level: 'os',
      })
    await queue.enqueue({ action: 'any' })
    const [first] = await claim()
    await queue.enqueue({ action: 'isolated' })
    const last = await queue.enqueue({ action: 'any' })
    if (first !== undefined) await succeed(first)
    expect(idsOf(await claim())).toEqual([last])
  })
})
