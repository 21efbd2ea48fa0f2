/** GET /jobs/{id}/attempts: every attempt of a job with its worker, times and end. The test itself acts as the worker. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openDurable } from '#service/durable/open-durable.ts'
import { handBackJobs } from '#service/queue/hand-back-jobs.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { openFlowCaller } from '../support/flow-caller.ts'
import { type JobCaller, openJobCaller, UNKNOWN_ID } from '../support/job-caller.ts'

let caller: JobCaller
beforeAll(async () => {
  caller = await openJobCaller()
})
afterAll(() => caller.close())

const SUCCESS = { kind: 'success', resultJson: '1' } as const
const OOPS = { name: 'Oops', message: 'no' }
const FAILURE = { kind: 'failure', error: OOPS } as const
const RETRY = { maxAttempts: 3, delayMs: 0, backoffFactor: 1 }

const page = z.object({
  items: z.array(
    z.object({
      attempt: z.number(),
      outcome: z.string(),
      worker: z.string().nullable(),
      started_at: z.iso.datetime(),
      ended_at: z.iso.datetime().nullable(),
      duration_ms: z.number().nullable(),
      error: z.json(),
    }),
  ),
  pagination: z.object({ next_cursor: z.null() }),
})

const attemptsOf = async (id: string) => page.parse((await caller.get(id, '/attempts')).json).items
const seen = async (id: string) =>
  (await attemptsOf(id)).map(({ attempt, outcome, error }) => [attempt, outcome, error])

const fail = (job: ClaimedJob) =>
  completeJob(caller.app.deps, { job, outcome: FAILURE, retry: RETRY, logs: [] })
const lose = async ({ id }: ClaimedJob) => {
  await caller.app.deps.db.write([sql`UPDATE jobs SET lease_until = 1 WHERE id = ${id}`])
  await rescueJobs(caller.app.deps)
}
const suspend = async (job: ClaimedJob): Promise<void> => {
  const { deps } = caller.app
  const durable = await openDurable(deps, job, () => Promise.reject(new Error('It calls no job.')))
  await durable.begin({ name: 'nap', position: 1, history: [], kind: 'sleep', ms: 60_000 })
  const outcome = { kind: 'suspended', steps: ['nap'], failed: [], history: [] } as const
  expect(await completeJob(deps, { job, outcome, retry: null, logs: [] })).toBe('suspended')
}
const tagOf = async ({ id }: ClaimedJob): Promise<string> =>
  z.looseObject({ tag: z.string() }).parse((await caller.get(id)).json).tag

describe('attempts of a job', () => {
  it('are none while it was never claimed', async () => {
    expect(await attemptsOf(await caller.runFor())).toEqual([])
  })

  it('are the one that runs, and the one that succeeded, without a row of its own', async () => {
    const job = await caller.runAndClaim()
    expect(await attemptsOf(job.id)).toEqual([
      {
        attempt: 1,
        outcome: 'running',
        worker: 'w1',
        started_at: expect.any(String),
        ended_at: null,
        duration_ms: null,
        error: null,
      },
    ])
    await caller.end(job, SUCCESS)
    expect(await seen(job.id)).toEqual([[1, 'success', null]])
    const rows = sql`SELECT count(*) AS n FROM job_attempts WHERE job_id = ${job.id}`
    expect(await caller.app.deps.db.one(rows)).toEqual({ n: 0 })
  })

  it('tell of a failure, a lost worker, a worker that stopped, and the end', async () => {
    const first = await caller.runAndClaim()
    const tag = await tagOf(first)
    expect(await fail(first)).toBe('retrying')
    const second = await caller.claim(tag)
    await lose(second)
    const [third] = await claimJobs(caller.app.deps, {
      worker: 'w2',
      tags: [tag],
      limit: 1,
      leaseMs: 60_000,
    })
    if (third === undefined) throw new Error('The lost job did not come back.')
    await handBackJobs(caller.app.deps, { jobs: [{ claim: third, started: true }] })
    // the job waits for its fourth attempt, which has not started
    expect(await seen(first.id)).toHaveLength(3)
    // an attempt that was handed back before it began does not count
    const early = await caller.claim(tag)
    await handBackJobs(caller.app.deps, { jobs: [{ claim: early, started: false }] })
    const last = await caller.claim(tag)
    await caller.end(last, { ...FAILURE, isFinal: true })
    expect(await seen(first.id)).toEqual([
      [1, 'failure', OOPS],
      [2, 'worker_lost', { name: 'WorkerLost', message: expect.any(String) }],
      [3, 'handed_back', null],
      [4, 'failure', OOPS],
    ])
    const attempts = await attemptsOf(first.id)
    expect(attempts.map(({ worker }) => worker)).toEqual(['w1', 'w1', 'w2', 'w1'])
    for (const { started_at, ended_at, duration_ms } of attempts) {
      expect(Date.parse(ended_at ?? '') - Date.parse(started_at)).toBe(duration_ms)
    }
  })

  it('say so when the worker was lost for the last time', async () => {
    const first = await caller.runAndClaim()
    const tag = await tagOf(first)
    await lose(first)
    await lose(await caller.claim(tag))
    await lose(await caller.claim(tag))
    expect((await seen(first.id)).map(([, outcome]) => outcome)).toEqual([
      'worker_lost',
      'worker_lost',
      'worker_lost',
    ])
    expect((await caller.get(first.id)).json).toMatchObject({ status: 'failure', attempt: 3 })
  })

  it('end canceled when a cancel was requested, whatever the worker reports', async () => {
    const job = await caller.runAndClaim()
    await caller.cancel(job.id, { json: { reason: 'Not needed.' } })
    expect(await fail(job)).toBe('canceled')
    expect(await seen(job.id)).toEqual([
      [1, 'canceled', { name: 'Canceled', message: 'Not needed.' }],
    ])
  })

  it('include the one during which a suspended job was canceled', async () => {
    const canceled = { outcome: 'canceled', error: { name: 'Canceled', message: 'Over.' } }
    const first = await caller.runAndClaim()
    const began = (await attemptsOf(first.id))[0]?.started_at
    await suspend(first)
    await caller.cancel(first.id, { json: { reason: 'Over.' } })
    expect(await attemptsOf(first.id)).toMatchObject([
      { attempt: 1, worker: null, started_at: began, ...canceled },
    ])

    const failed = await caller.runAndClaim()
    await fail(failed)
    // a retry that had waited for a long time
    const sooner = sql`UPDATE job_attempts SET started_at = 1000, ended_at = 2000 WHERE job_id = ${failed.id}`
    await caller.app.deps.db.write([sooner])
    const second = await caller.claim(await tagOf(failed))
    const again = (await attemptsOf(second.id))[1]?.started_at ?? ''
    await suspend(second)
    await caller.cancel(second.id, { json: { reason: 'Over.' } })
    const [, last] = await attemptsOf(second.id)
    expect(last).toMatchObject({ attempt: 2, ...canceled })
    expect(Date.parse(last?.started_at ?? '')).toBeGreaterThanOrEqual(Date.parse(again))
  })

  it('are written once, however often a worker reports the same', async () => {
    const job = await caller.runAndClaim()
    await fail(job)
    expect(await fail(job)).toBe('fenced')
    expect(await seen(job.id)).toEqual([[1, 'failure', OOPS]])
  })

  it('are 404 of a job that there is not', async () => {
    expect((await caller.get(UNKNOWN_ID, '/attempts')).status).toBe(404)
  })
})

it('of a flow’s job are encrypted at rest, and decrypted for readers', async () => {
  const flows = await openFlowCaller({
    actions: { only: () => 1 },
    flows: [{ key: 'one', steps: [{ key: 'step', action: 'only' }] }],
  })
  try {
    await flows.start('one')
    const [job] = await flows.claim()
    if (job === undefined) throw new Error('The flow has queued nothing.')
    const error = { name: 'Oops', message: 'the secret of the order' }
    const outcome = { kind: 'failure', error } as const
    const ended = await completeJob(flows.app.deps, { job, outcome, retry: RETRY, logs: [] })
    // the retry is a separate job
    expect(ended).toBe('failure')
    const row = sql`SELECT result FROM jobs WHERE id = ${job.id}`
    expect(JSON.stringify(await flows.app.deps.db.one(row))).not.toContain('secret')
    const answer = await flows.call('GET', `/api/w/${job.ws}/jobs/${job.id}/attempts`)
    expect(page.parse(answer.json).items[0]).toMatchObject({ outcome: 'failure', error })
  } finally {
    await flows.app.close()
  }
})
