/** The job routes as callers see them; where a worker is needed, the test is one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { claimJobs } from '#service/claim-jobs.ts'
import { completeJob, type RunOutcome } from '#service/complete-job.ts'
import { addMember, createUser, createWorkspace } from '#service/create-workspace.ts'
import { insertLogChunk } from '#store/job-logs.ts'
import type { ClaimedJob } from '#store/job-queue.ts'
import {
  ADMIN,
  createTestApp,
  type TestApp,
  type TestRequest,
  WS,
} from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const LIMIT = 4_096
let app: TestApp
let token = ''
let deploymentId = ''
beforeAll(async () => {
  app = await createTestApp({ maxBodyBytes: LIMIT })
  token = await app.token(['jobs:run', 'jobs:read'])
  const inputSchema = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  }
  deploymentId = await deployActions(app.deps, [
    { ws: WS, app: 'hello', key: 'greet', tag: 'greetings' },
    { ws: WS, app: 'hello', key: 'strict', tag: 'strict', inputSchema },
  ])
})
afterAll(() => app.close())

const JOBS = `/api/w/${WS}/jobs`
const RUN = `${JOBS}/run/hello/greet`
const UNKNOWN_ID = '019abcde-0000-7000-8000-000000000000'
const accepted = z.object({ job_id: z.uuid() })

const run = (json: unknown, path = RUN, more: TestRequest = {}) =>
  app.call('POST', path, { token, json, ...more })
const runFor = async (json: unknown = {}, path = RUN): Promise<string> =>
  accepted.parse((await run(json, path)).json).job_id
const get = (id: string, part = '') => app.call('GET', `${JOBS}/${id}${part}`, { token })
const cancel = (id: string, more: TestRequest = {}) =>
  app.call('POST', `${JOBS}/${id}/cancel`, { token, ...more })

let tags = 0
/** A job under a tag of its own, so that a test claims its own job and no other. */
const runAndClaim = async (input: unknown = {}): Promise<ClaimedJob> => {
  const tag = `own-${tags++}`
  const id = await runFor(input, `${RUN}?tag=${tag}`)
  const [job] = await claimJobs(app.deps, { worker: 'w1', tags: [tag], limit: 1, leaseMs: 60_000 })
  if (job?.id !== id) throw new Error('The job was not claimed.')
  return job
}
const end = (job: ClaimedJob, outcome: RunOutcome) =>
  completeJob(app.deps, { job, outcome, retry: null, logs: [] })

describe('POST run', () => {
  it('answers 201 with the job id alone, and the job is queued as it was deployed', async () => {
    const answer = await run({ name: 'Ada' })
    expect(answer.status).toBe(201)
    expect(Object.keys(z.looseObject({}).parse(answer.json))).toEqual(['job_id'])
    const { job_id } = accepted.parse(answer.json)
    const job = await get(job_id)
    expect(job).toMatchObject({
      status: 200,
      json: {
        id: job_id,
        job_id,
        status: 'queued',
        app: 'hello',
        action: 'greet',
        tag: 'greetings',
        attempt: 0,
        max_attempts: 1,
        trigger_kind: 'api',
        created_by: ADMIN,
        commit: `commit-${deploymentId}`,
        entrypoint: 'greet.ts',
        worker: null,
        started_at: null,
        completed_at: null,
        duration_ms: null,
        input: { name: 'Ada' },
      },
    })
  })

  it('makes two jobs of two equal requests', async () => {
    expect(await runFor({ a: 1 })).not.toBe(await runFor({ a: 1 }))
  })

  it.each([
    ['an array', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['a number', '1'],
  ])('refuses %s: the input is an object', async (_, body) => {
    const answer = await app.call('POST', RUN, {
      token,
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer).toMatchObject({ status: 400, json: { code: 'not_an_object' } })
  })

  it.each([
    [`${JOBS}/run/nowhere/greet`, 404, 'app_not_found'],
    [`${JOBS}/run/hello/nothing`, 404, 'action_not_found'],
    [`${JOBS}/run/he%20llo/greet`, 400, 'bad_key'],
    [`${JOBS}/run/hello/..%2f..`, 400, 'bad_key'],
  ])('to %s is %i', async (path, status, code) => {
    expect(await run({}, path)).toMatchObject({ status, json: { code } })
  })

  it('refuses an input that does not fit the schema, with every fault and its path', async () => {
    const answer = await run({ age: -1 }, `${JOBS}/run/hello/strict`)
    expect(answer).toMatchObject({ status: 400, json: { code: 'input_schema' } })
    const { details } = z
      .object({ details: z.array(z.object({ path: z.string() })) })
      .parse(answer.json)
    expect(details.map(({ path }) => path).sort()).toEqual(['age', 'input'])
  })

  it('refuses a body over the limit', async () => {
    expect((await run({ text: 'x'.repeat(LIMIT) })).status).toBe(413)
  })

  it.each(['priority=101', 'priority=x', 'priority=0.5', 'scheduled_for=tomorrow', 'tag='])(
    'refuses ?%s',
    async (query) => {
      expect((await run({}, `${RUN}?${query}`)).status).toBe(400)
    },
  )

  it('keeps a job for later, and takes its priority and tag', async () => {
    const at = '2999-01-01T00:00:00.000Z'
    const id = await runFor({}, `${RUN}?scheduled_for=${at}&priority=-7&tag=big`)
    expect((await get(id)).json).toMatchObject({ scheduled_for: at, priority: -7, tag: 'big' })
  })
})

describe('Idempotency-Key', () => {
  const keyed = (key: string, json: unknown, more: TestRequest = {}) =>
    run(json, RUN, { headers: { 'idempotency-key': key }, ...more })

  it('gives the first answer again, marked as such', async () => {
    const first = await keyed('once', { n: 1 })
    const second = await keyed('once', { n: 1 })
    expect(second).toMatchObject({ status: 201, json: first.json })
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(second.headers.get('idempotency-replayed')).toBe('true')
  })

  it('makes one job of many requests at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => keyed('burst', { n: 1 })))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  it('with another body is 409', async () => {
    await keyed('body', { n: 1 })
    expect(await keyed('body', { n: 2 })).toMatchObject({ status: 409 })
  })

  it('belongs to a credential and a route', async () => {
    const first = await keyed('mine', { name: 'a' })
    const other = await keyed('mine', { name: 'a' }, { token: await app.token(['jobs:run']) })
    const route = await run({ name: 'a' }, `${JOBS}/run/hello/strict`, {
      headers: { 'idempotency-key': 'mine' },
    })
    expect(new Set([first.text, other.text, route.text]).size).toBe(3)
  })
})

describe('POST run and wait', () => {
  const WAIT = `${RUN}/wait`

  it.each(['0', '30001', '-1', '1.5', 'x', '', '1e3'])('refuses timeout_ms=%s', async (value) => {
    expect((await run({}, `${WAIT}?timeout_ms=${value}`)).status).toBe(400)
  })

  it('is 202 with the id when the job does not end in time', async () => {
    const answer = await run({}, `${WAIT}?timeout_ms=1`)
    expect(answer).toMatchObject({ status: 202, json: { status: 'pending' } })
    const { job_id } = accepted.parse(answer.json)
    expect((await get(job_id, '/result')).status).toBe(202)
  })

  it('is 200 with the result as soon as the job has ended', async () => {
    const tag = 'waited-for'
    const waiting = run({ n: 1 }, `${WAIT}?tag=${tag}&timeout_ms=10000`)
    const job = await new Promise<ClaimedJob>((resolve, reject) => {
      const unsubscribe = app.deps.hints.jobQueued.subscribe((queued) => {
        if (queued !== tag) return
        unsubscribe()
        claimJobs(app.deps, { worker: 'w1', tags: [tag], limit: 1, leaseMs: 60_000 }).then(
          ([claimed]) => (claimed === undefined ? reject(new Error('none')) : resolve(claimed)),
          reject,
        )
      })
    })
    await end(job, { kind: 'success', resultJson: '{"ok":[1,2]}' })
    expect(await waiting).toMatchObject({
      status: 200,
      json: { job_id: job.id, status: 'success', result: { ok: [1, 2] } },
    })
  })
})

describe('GET result', () => {
  it.each([
    ['success', { kind: 'success', resultJson: 'null' }, null],
    [
      'failure',
      { kind: 'failure', error: { name: 'Oops', message: 'no' }, mayRetry: false },
      { name: 'Oops', message: 'no' },
    ],
  ] as const)('of a %s is 200', async (status, outcome, result) => {
    const job = await runAndClaim()
    expect(await get(job.id, '/result')).toMatchObject({ status: 202, json: { status: 'pending' } })
    expect((await get(job.id)).json).toMatchObject({ status: 'running', result: null })
    await end(job, outcome)
    expect((await get(job.id, '/result')).json).toEqual({ status, result })
    expect((await get(job.id)).json).toMatchObject({
      status,
      result,
      attempt: 1,
      worker: 'w1',
      duration_ms: expect.any(Number),
      completed_at: expect.stringMatching(/Z$/),
    })
  })
})

describe('a job id', () => {
  it.each([UNKNOWN_ID, 'x', '1', '%00', 'summary%2f..'])(
    '%s that names nothing is 404',
    async (id) => {
      for (const part of ['', '/result', '/logs']) expect((await get(id, part)).status).toBe(404)
      expect((await cancel(id)).status).toBe(404)
    },
  )

  it('of another workspace is 404', async () => {
    await createWorkspace(app.deps, { id: 'other', name: 'Other' })
    const other = await app.token(['*'], { ws: 'other' })
    const id = await runFor()
    for (const part of ['', '/result', '/logs']) {
      const answer = await app.call('GET', `/api/w/other/jobs/${id}${part}`, { token: other })
      expect(answer.status).toBe(404)
    }
    const path = `/api/w/other/jobs/${id}/cancel`
    expect((await app.call('POST', path, { token: other })).status).toBe(404)
  })

  it('may be written in capitals', async () => {
    expect((await get((await runFor()).toUpperCase())).status).toBe(200)
  })
})

describe('POST cancel', () => {
  const flags = {
    found: true,
    completed_now: false,
    soft_canceled: false,
    already_completed: false,
  }

  it('ends a queued job at once, and a second time says so', async () => {
    const id = await runFor()
    expect((await cancel(id)).json).toEqual({ ...flags, completed_now: true })
    expect((await cancel(id)).json).toEqual({ ...flags, already_completed: true })
    expect((await get(id, '/result')).json).toMatchObject({
      status: 'canceled',
      result: { name: 'Canceled', message: `Canceled by ${ADMIN}.` },
    })
  })

  it('marks a running job, which its worker then ends', async () => {
    const job = await runAndClaim()
    expect((await cancel(job.id, { json: { reason: 'Not needed.' } })).json).toEqual({
      ...flags,
      soft_canceled: true,
    })
    expect((await get(job.id)).json).toMatchObject({ status: 'running' })
    await end(job, { kind: 'canceled' })
    expect((await get(job.id, '/result')).json).toMatchObject({
      status: 'canceled',
      result: { name: 'Canceled', message: 'Not needed.' },
    })
  })

  it('is for the creator and for admins', async () => {
    const members = ['ada@example.com', 'bob@example.com']
    for (const email of members) {
      await createUser(app.deps, { email, password: null, isSuperAdmin: false })
      await addMember(app.deps, {
        ws: WS,
        email,
        role: email.startsWith('ada') ? 'member' : 'admin',
      })
    }
    const ada = await app.token(['*'], { email: 'ada@example.com' })
    const bob = await app.token(['*'], { email: 'bob@example.com', isAdmin: true })
    const id = await runFor({ secret: 1 })
    expect((await cancel(id, { token: ada })).status).toBe(403)
    expect((await app.call('GET', `${JOBS}/${id}`, { token: ada })).text).not.toContain('"input"')
    expect((await app.call('GET', `${JOBS}/${id}`, { token: bob })).json).toMatchObject({
      input: { secret: 1 },
    })
    expect((await cancel(id, { token: bob })).json).toMatchObject({ completed_now: true })
  })
})

describe('GET logs', () => {
  it('gives all, or the last bytes from the beginning of a character', async () => {
    const job = await runAndClaim()
    const bytes = new TextEncoder().encode('line 1\n서울\n')
    await app.deps.db.write([insertLogChunk({ held: job, seq: 0, bytes })])
    const all = await get(job.id, '/logs')
    expect(all).toMatchObject({ status: 200, text: 'line 1\n서울\n' })
    expect(all.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect((await get(job.id, '/logs?tail_bytes=6')).text).toBe('울\n')
    expect((await get(job.id, '/logs?tail_bytes=0')).text).toBe('')
    expect((await get(job.id, '/logs?tail_bytes=1048576')).text).toBe('line 1\n서울\n')
  })

  it.each(['-1', '1048577', 'x', '1.5', ''])('refuses tail_bytes=%s', async (value) => {
    expect((await get(await runFor(), `/logs?tail_bytes=${value}`)).status).toBe(400)
  })

  it('follows a job to its end as server-sent events', async () => {
    const job = await runAndClaim()
    const headers = { accept: 'text/event-stream' }
    const response = await app.request('GET', `${JOBS}/${job.id}/logs`, { token, headers })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const text = response.text()
    const bytes = new TextEncoder().encode('working\n')
    await app.deps.db.write([insertLogChunk({ held: job, seq: 0, bytes })])
    await end(job, { kind: 'success', resultJson: '1' })
    expect(await text).toBe(
      'event: log\ndata: "working\\n"\n\nevent: end\ndata: {"status":"success"}\n\n',
    )
  })
})
