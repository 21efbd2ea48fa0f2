/** Why a job waits, and its progress [jobs 9.12, 4.7]. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openProgress } from '#service/queue/job-progress.ts'
import { completeJob } from '../support/complete-job.ts'
import { WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { JOBS, type JobCaller, jobIdOf, openJobCaller } from '../support/job-caller.ts'

let caller: JobCaller
beforeAll(async () => {
  caller = await openJobCaller()
  await deployActions(caller.app.deps, [
    { ws: WS, app: 'slow', key: 'paced', tag: 'slow', rate: { limit: 1, perS: 60, key: 'all' } },
    { ws: WS, app: 'slow', key: 'quick', tag: 'slow' },
    {
      ws: WS,
      app: 'slow',
      key: 'quiet',
      tag: 'slow',
      debounce: { key: 'all', quietS: 60, maxS: 120 },
    },
    {
      ws: WS,
      app: 'slow',
      key: 'again',
      tag: 'again',
      debounce: { key: 'again', quietS: 60, maxS: 120 },
    },
  ])
})
afterAll(() => caller.close())

const run = async (action: string, input: unknown = {}, query = '') =>
  jobIdOf(await caller.run(input, `${JOBS}/run/slow/${action}${query}`))

describe('GET /jobs/{id}', () => {
  it('names what a job waits for', async () => {
    const plain = await caller.runFor()
    expect((await caller.get(plain)).json).toMatchObject({ waiting_for: { reason: 'tag' } })
    const later = await run('paced', {}, '?scheduled_for=2999-01-01T00:00:00Z')
    expect((await caller.get(later)).json).toMatchObject({ waiting_for: { reason: 'time' } })
    await run('paced')
    const second = await run('paced')
    const answer = await caller.get(second)
    expect(answer.json).toMatchObject({ status: 'queued', waiting_for: { reason: 'rate' } })
    expect(Date.parse(Object(answer.json).scheduled_for)).toBeGreaterThan(Date.now() + 50_000)
    const job = await caller.runAndClaim()
    expect((await caller.get(job.id)).json).toMatchObject({ waiting_for: null })
  })

  it('names no past time for a job that is due, before a worker asks for jobs', async () => {
    const soon = new Date(Date.now() + 500).toISOString()
    const id = await run('quick', {}, `?scheduled_for=${soon}`)
    await vi.waitFor(async () => {
      expect((await caller.get(id)).json).toMatchObject({ waiting_for: { reason: 'tag' } })
    }, 10_000)
  })

  it('answers a debounced request with the job that waits', async () => {
    const first = await run('quiet', { n: 1 })
    expect(await run('quiet', { n: 2 })).toBe(first)
    expect((await caller.get(first)).json).toMatchObject({
      input: { n: 2 },
      waiting_for: { reason: 'time' },
    })
  })

  it('names the delay of a retry where the action is debounced', async () => {
    const id = await run('again')
    const due = await caller.app.call('POST', `${JOBS}/${id}/requeue`, {
      token: await caller.app.token(['apps:write']),
      json: {},
    })
    expect(due.status).toBe(200)
    const job = await caller.claim('again')
    await completeJob(caller.app.deps, {
      job,
      outcome: { kind: 'failure', error: { name: 'E', message: '' } },
      retry: { maxAttempts: 2, delayMs: 60_000, backoffFactor: 1 },
      logs: [],
    })
    expect((await caller.get(id)).json).toMatchObject({
      status: 'queued',
      waiting_for: {
        reason: 'time',
        detail: expect.stringMatching(/^Attempt 1 has ended\. The next one begins at /),
      },
    })
  })

  it('shows progress, also as an event, until the attempt is over', async () => {
    const job = await caller.runAndClaim()
    expect((await caller.get(job.id)).json).not.toHaveProperty('progress')
    const progress = openProgress(caller.app.deps, job)
    progress.set({ fraction: 0.2, note: null })
    progress.set({ fraction: 0.5, note: 'half' })
    await progress.flush()
    expect((await caller.get(job.id)).json).toMatchObject({
      progress: { fraction: 0.5, note: 'half' },
    })
    await caller.end(job, { kind: 'success', resultJson: '1' })
    progress.set({ fraction: 1, note: 'late' })
    await progress.flush()
    expect((await caller.get(job.id)).json).toMatchObject({ progress: { fraction: 0.5 } })
    const events = await caller.get(job.id, '/events')
    expect(events.text).toContain('event: progress')
    expect(events.text).toContain('"note":"half"')
  })
})
