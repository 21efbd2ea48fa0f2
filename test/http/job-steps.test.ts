/** GET /jobs/{id}/steps, and how jobs and lists show a suspension. The test acts as the worker [durable 5]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CUT_SHORT } from '#core/durable/step.ts'
import { openDurable } from '#service/durable/open-durable.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { openJobCalls } from '#service/starts/start-work.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { completeJob } from '../support/complete-job.ts'
import { JOBS, type JobCaller, openJobCaller, UNKNOWN_ID } from '../support/job-caller.ts'

let caller: JobCaller
let job: ClaimedJob
const noCalls = () => Promise.reject(new Error('It calls no job.'))

beforeAll(async () => {
  caller = await openJobCaller()
  const { deps } = caller.app
  job = await caller.runAndClaim()
  const durable = await openDurable(deps, job, noCalls)
  await durable.record({
    name: 'charge',
    position: 1,
    history: [],
    tries: 1,
    tookMs: 5,
    end: { status: 'success', valueJson: '{"paid":7}' },
  })
  await durable.record({
    name: 'mail',
    position: 2,
    history: [],
    tries: 2,
    tookMs: 5,
    end: { status: 'failure', error: { name: 'Bounced', message: 'no such box' } },
  })
  await durable.begin({ name: 'nap', position: 3, history: [], kind: 'sleep', ms: 60_000 })
  const outcome = { kind: 'suspended', steps: ['nap'], failed: [], history: [] } as const
  expect(await completeJob(deps, { job, outcome, retry: null, logs: [] })).toBe('suspended')
})
afterAll(() => caller.close())

const page = z.object({
  items: z.array(z.looseObject({ name: z.string() })),
  pagination: z.object({ next_cursor: z.string().nullable() }),
})

describe('the steps of a job', () => {
  it('are listed in their order, with results and errors', async () => {
    const { items } = page.parse((await caller.get(job.id, '/steps')).json)
    const ended = { started_at: expect.any(String), completed_at: expect.any(String), until: null }
    expect(items).toEqual(
      [
        {
          name: 'charge',
          kind: 'step',
          status: 'success',
          attempts: 1,
          ...ended,
          child_job_id: null,
          child_flow_run_id: null,
          position: 1,
          result: { paid: 7 },
        },
        {
          name: 'mail',
          kind: 'step',
          status: 'failure',
          attempts: 2,
          ...ended,
          child_job_id: null,
          child_flow_run_id: null,
          position: 2,
          error: { name: 'Bounced', message: 'no such box' },
        },
        {
          name: 'nap',
          kind: 'sleep',
          status: 'running',
          attempts: 1,
          started_at: expect.any(String),
          completed_at: null,
          until: expect.any(String),
          child_job_id: null,
          child_flow_run_id: null,
          position: 3,
        },
      ].map(({ position: _, ...step }) => step),
    )
  })

  it('come in pages', async () => {
    const first = page.parse((await caller.get(job.id, '/steps?limit=2')).json)
    expect(first.items.map(({ name }) => name)).toEqual(['charge', 'mail'])
    const cursor = encodeURIComponent(first.pagination.next_cursor ?? '')
    const second = page.parse((await caller.get(job.id, `/steps?limit=2&cursor=${cursor}`)).json)
    expect(second.items.map(({ name }) => name)).toEqual(['nap'])
    expect(second.pagination.next_cursor).toBe(null)
    expect((await caller.get(job.id, '/steps?cursor=c1.W10')).status).toBe(400)
    expect((await caller.get(job.id, '/steps?limit=500')).status).toBe(200)
    expect((await caller.get(job.id, '/steps?limit=501')).status).toBe(400)
  })

  it('of an unknown job are not found', async () => {
    expect((await caller.get(UNKNOWN_ID, '/steps')).status).toBe(404)
  })
})

describe('a suspended job', () => {
  it('shows what it waits for, and keeps its attempt', async () => {
    expect((await caller.get(job.id)).json).toMatchObject({
      status: 'queued',
      attempt: 1,
      suspended: { kind: 'sleep', name: 'nap', until: expect.any(String) },
    })
  })

  it('is listed by its filter, and others are not', async () => {
    await caller.runFor()
    const idsOf = async (query: string) =>
      z.object({ items: z.array(z.object({ id: z.string(), suspended: z.json() })) }).parse(
        (
          await caller.app.call('GET', `${JOBS}${query}`, {
            token: await caller.app.token(['jobs:read']),
          })
        ).json,
      ).items
    expect(await idsOf('?suspended=true')).toMatchObject([
      { id: job.id, suspended: { kind: 'sleep' } },
    ])
    expect(await idsOf('?suspended=false')).toMatchObject([{ suspended: null }])
    const matched = async (filter: object) =>
      (await caller.run({ do: 'cancel', filter, dry_run: true }, `${JOBS}/bulk`)).json
    expect(await matched({ status: 'queued' })).toEqual({ matched: 2 })
    expect(await matched({ status: 'queued', suspended: false })).toEqual({ matched: 1 })
    expect(await matched({ suspended: true })).toEqual({ matched: 1 })
  })

  it('is counted apart from queued ones', async () => {
    expect((await caller.get('summary')).json).toMatchObject({
      queued_count: 1,
      suspended_count: 1,
    })
  })
})

describe('the events that a job waits for', () => {
  it('are shown with their keys to those who may send them, until one came or time is up', async () => {
    const { deps } = caller.app
    const own = await caller.runAndClaim()
    const durable = await openDurable(deps, own, noCalls)
    const wait = { history: [], kind: 'event', timeoutMs: 60_000 } as const
    await durable.begin({ ...wait, name: 'paid', position: 1, event: 'order.paid', key: 'A-1' })
    await durable.begin({ ...wait, name: 'any', position: 2, event: 'order.seen', key: null })
    const over = { ...wait, timeoutMs: 0 }
    await durable.begin({ ...over, name: 'late', position: 3, event: 'order.late', key: null })
    const outcome = {
      kind: 'suspended',
      steps: ['paid', 'any'],
      failed: [],
      history: [],
    } as const
    await completeJob(deps, { job: own, outcome, retry: null, logs: [] })
    const token = await caller.app.token(['jobs:read', 'flows:resume'])
    const seen = async () => (await caller.get(own.id, '', { token })).json
    const any = { step: 'any', name: 'order.seen', key: null, until: expect.any(String) }
    expect(await seen()).toMatchObject({
      event_waits: [{ step: 'paid', name: 'order.paid', key: 'A-1' }, any],
    })
    expect((await caller.get(own.id)).json).not.toHaveProperty('event_waits')
    const sent = { name: 'order.paid', key: 'A-1', data: 7 }
    const path = JOBS.replace(/jobs$/, 'events')
    expect((await caller.app.call('POST', path, { token, json: sent })).json).toMatchObject({
      delivered: 1,
    })
    expect(await seen()).toMatchObject({ event_waits: [any] })
    const { items } = page.parse((await caller.get(own.id, '/steps')).json)
    expect(items).toMatchObject([
      { name: 'paid', timed_out: false },
      { name: 'any' },
      { name: 'late' },
    ])
    expect(items[1]).not.toHaveProperty('timed_out')
    await caller.cancel(own.id)
    expect(await seen()).not.toHaveProperty('event_waits')
  })

  it('show a sleep that is over as ended, also if the run went on without a suspension', async () => {
    const { deps } = caller.app
    const other = await caller.runAndClaim()
    const durable = await openDurable(deps, other, noCalls)
    const begin = (name: string, position: number, ms: number) =>
      durable.begin({ name, position, history: [], kind: 'sleep', ms })
    await begin('over', 1, 0)
    await begin('open', 2, 60_000)
    await durable.begin({
      ...{ name: 'timeout', position: 3, history: [], kind: 'event' },
      ...{ event: 'paid', key: null, timeoutMs: 0 },
    })
    const wait = async () => page.parse((await caller.get(other.id, '/steps')).json).items[2]
    expect(await wait()).toMatchObject({ name: 'timeout', status: 'running' })
    const outcome = { kind: 'success', resultJson: '1' } as const
    expect(await completeJob(deps, { job: other, outcome, retry: null, logs: [] })).toBe('success')
    await deps.db.write([
      sql`UPDATE job_steps SET due_at = 1 + (SELECT completed_at FROM jobs
      WHERE id = ${other.id}) WHERE job_id = ${other.id} AND name = 'open'`,
    ])
    const { items } = page.parse((await caller.get(other.id, '/steps')).json)
    expect(items).toMatchObject([
      { name: 'over', status: 'success', completed_at: items[0]?.until },
      { name: 'open', status: 'failure', completed_at: expect.any(String), error: CUT_SHORT },
      { name: 'timeout', status: 'success', completed_at: items[2]?.until, timed_out: true },
    ])
  })
})

describe('the open steps of a job that ends', () => {
  const retried = {
    ...{ name: 'mail', position: 1, history: [], tries: 1, tookMs: 5 },
    end: { status: 'running', error: { name: 'Busy', message: 'later' }, delayMs: 60_000 },
  } as const
  const called = {
    kind: 'job',
    calls: 'action',
    name: 'call',
    position: 3,
    inputJson: '{}',
  } as const
  const listed = async ({ id }: ClaimedJob) =>
    page.parse((await caller.get(id, '/steps')).json).items.map(({ name, status, ...rest }) => ({
      ...{ name, status, error: rest.error, completed_at: rest.completed_at },
    }))
  const endedAt = async ({ id }: ClaimedJob) =>
    z.object({ completed_at: z.string() }).parse((await caller.get(id)).json).completed_at

  /** Suspends a job behind three open steps, and claims the job that it has called. */
  const suspendBehindCall = async () => {
    const { deps } = caller.app
    const parent = await caller.runAndClaim()
    const starts = openJobCalls(
      { ...deps, ...enqueueDepsOf(deps) },
      { app: parent.app, claim: parent, traceparent: null },
    )
    const durable = await openDurable(deps, parent, starts)
    await durable.record(retried)
    await durable.begin({ name: 'nap', position: 2, history: [], kind: 'sleep', ms: 60_000 })
    const options = { tag: 'called' }
    await durable.begin({ ...called, target: parent.action, options, history: [] })
    const steps = ['mail', 'nap', 'call']
    const outcome = { kind: 'suspended', steps, failed: [], history: [] } as const
    const ending = { job: parent, outcome, retry: null, logs: [] }
    expect(await completeJob(deps, ending)).toBe('suspended')
    return { parent, child: await caller.claim('called') }
  }

  it('are failures as soon as it is canceled, whenever the worker ends the called job', async () => {
    const { parent, child } = await suspendBehindCall()
    await caller.cancel(parent.id)
    const completed_at = await endedAt(parent)
    const canceled = { name: 'Canceled', message: expect.stringMatching(/^Canceled by /) }
    const expected = [
      { name: 'mail', status: 'failure', error: retried.end.error, completed_at },
      { name: 'nap', status: 'failure', error: canceled, completed_at },
      { name: 'call', status: 'failure', error: canceled, completed_at },
    ]
    expect(await listed(parent)).toEqual(expected)
    const before = await listed(parent)
    await new Promise((resolve) => setTimeout(resolve, 5))
    const outcome = { kind: 'success', resultJson: '1' } as const
    const ending = { job: child, outcome, retry: null, logs: [] }
    expect(await completeJob(caller.app.deps, ending)).toBe('canceled')
    expect(await listed(parent)).toEqual(before)
  })

  it('are failures if it ends otherwise, except a called job, which goes on', async () => {
    const { deps } = caller.app
    const { parent, child } = await suspendBehindCall()
    await deps.db.write([sql`UPDATE jobs SET ready = 1, run_at = 1 WHERE id = ${parent.id}`])
    const { tag } = z.object({ tag: z.string() }).parse((await caller.get(parent.id)).json)
    const again = await caller.claim(tag)
    const end = (job: ClaimedJob) =>
      completeJob(deps, {
        ...{ job, retry: null, logs: [], outcome: { kind: 'success', resultJson: '1' } },
      })
    expect(await end(again)).toBe('success')
    const completed_at = await endedAt(parent)
    const open = [
      { name: 'mail', status: 'failure', error: retried.end.error, completed_at },
      { name: 'nap', status: 'failure', error: CUT_SHORT, completed_at },
    ]
    expect(await listed(parent)).toEqual([
      ...open,
      { name: 'call', status: 'running', error: undefined, completed_at: null },
    ])
    expect(await end(child)).toBe('success')
    expect(await listed(parent)).toMatchObject([...open, { name: 'call', status: 'success' }])
  })
})
