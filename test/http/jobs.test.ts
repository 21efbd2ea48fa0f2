/** GET job, GET result and POST cancel, as callers see them. Where a worker is needed, the test acts as one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMember } from '#service/people/manage-member.ts'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import { createUser, createWorkspace } from '#service/workspaces/create-workspace.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import {
  JOBS,
  type JobCaller,
  jobIdOf,
  openJobCaller,
  RUN,
  UNKNOWN_ID,
} from '../support/job-caller.ts'

let caller: JobCaller
beforeAll(async () => {
  caller = await openJobCaller()
})
afterAll(() => caller.close())

const SUCCESS = { kind: 'success', resultJson: '{"n":1}' } as const
const FAILURE = {
  kind: 'failure',
  error: { name: 'Oops', message: 'no' },
  isFinal: true,
} as const
const ledger = (id: string) =>
  caller.app.deps.db.all(
    sql`SELECT customer_id, app, action, outcome FROM ledger WHERE job_id = ${id}`,
  )

const STAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('GET job', () => {
  it('shows every field of a queued job', async () => {
    const id = await caller.runFor({ name: 'Ada' }, `${RUN}?priority=3`)
    expect((await caller.get(id)).json).toEqual({
      id,
      job_id: id,
      status: 'queued',
      result: null,
      app: 'hello',
      action: 'greet',
      tag: 'greetings',
      priority: 3,
      attempt: 0,
      max_attempts: 1,
      trigger_kind: 'api',
      suspended: null,
      labels: [],
      waiting_for: { reason: 'tag', detail: 'No live worker has the tag "greetings".' },
      created_by: ADMIN,
      permissioned_as: ADMIN,
      commit: `commit-${caller.deploymentId}`,
      deployment_id: caller.deploymentId,
      entrypoint: 'greet.ts',
      worker: null,
      created_at: STAMP,
      scheduled_for: STAMP,
      start_by: null,
      started_at: null,
      completed_at: null,
      duration_ms: null,
      input: { name: 'Ada' },
    })
  })

  it('shows who runs it, and since when', async () => {
    const job = await caller.runAndClaim()
    expect((await caller.get(job.id)).json).toMatchObject({
      status: 'running',
      attempt: 1,
      worker: 'w1',
      started_at: STAMP,
      completed_at: null,
      result: null,
    })
  })

  it.each([
    ['success', SUCCESS, { n: 1 }],
    ['failure', FAILURE, { name: 'Oops', message: 'no' }],
  ] as const)('shows the result and the times of a %s', async (status, outcome, result) => {
    const job = await caller.runAndClaim()
    await caller.end(job, outcome)
    expect((await caller.get(job.id)).json).toMatchObject({
      status,
      result,
      completed_at: STAMP,
      duration_ms: expect.any(Number),
    })
  })

  it('keeps what was pinned when the app moves on', async () => {
    const id = await caller.runFor()
    const before = (await caller.get(id)).json
    await deployActions(caller.app.deps, [{ ws: WS, app: 'hello', key: 'greet', tag: 'new' }])
    expect((await caller.get(id)).json).toEqual(before)
  })
})

describe('GET result', () => {
  it.each([
    ['success', SUCCESS, { n: 1 }],
    ['success', { kind: 'success', resultJson: 'null' }, null],
    ['failure', FAILURE, { name: 'Oops', message: 'no' }],
  ] as const)('of a %s is 200, and 202 before', async (status, outcome, result) => {
    const id = await caller.runFor({}, `${RUN}?tag=result`)
    const pending = { status: 202, json: { status: 'pending' } }
    expect(await caller.get(id, '/result')).toMatchObject(pending)
    const job = await caller.claim('result')
    expect(await caller.get(id, '/result')).toMatchObject(pending)
    await caller.end(job, outcome)
    const answer = await caller.get(id, '/result')
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ status, result })
    expect(await ledger(id)).toEqual([
      { customer_id: null, app: 'hello', action: 'greet', outcome: status },
    ])
  })
})

describe('a stored result', () => {
  it('is passed on as the text that it is, because parsing it blocks other requests', async () => {
    const resultJson = '{ "n": 1.0 }'
    const job = await caller.runAndClaim()
    await caller.end(job, { kind: 'success', resultJson })
    expect((await caller.get(job.id, '/result')).text).toBe(
      `{"status":"success","result":${resultJson}}`,
    )
    expect((await caller.get(job.id)).text).toContain(`"result":${resultJson},`)
  })
})

describe('a job id', () => {
  const PARTS = ['', '/result', '/logs', '/logs?tail_bytes=1']

  it.each([UNKNOWN_ID, 'x', '1', '%00', 'summary%2f..', `${UNKNOWN_ID}0`])(
    '%s that names nothing is 404',
    async (id) => {
      for (const part of PARTS) expect((await caller.get(id, part)).status).toBe(404)
      expect((await caller.cancel(id)).status).toBe(404)
    },
  )

  it('of another workspace is 404', async () => {
    await createWorkspace(caller.app.deps, { id: 'other', name: 'Other' })
    const token = await caller.app.token(['*'], { ws: 'other' })
    const id = await caller.runFor()
    const path = `/api/w/other/jobs/${id}`
    for (const part of PARTS) {
      expect((await caller.app.call('GET', `${path}${part}`, { token })).status).toBe(404)
    }
    expect((await caller.app.call('POST', `${path}/cancel`, { token })).status).toBe(404)
  })

  it('may be written in capitals', async () => {
    expect((await caller.get((await caller.runFor()).toUpperCase())).status).toBe(200)
  })
})

const NOTHING = {
  found: true,
  completed_now: false,
  soft_canceled: false,
  already_completed: false,
}
const NOW = { ...NOTHING, completed_now: true }
const SOFT = { ...NOTHING, soft_canceled: true }
const ALREADY = { ...NOTHING, already_completed: true }

describe('POST cancel', () => {
  it('ends a queued job at once, and reports so the second time', async () => {
    const id = await caller.runFor()
    expect((await caller.cancel(id)).json).toEqual(NOW)
    expect((await caller.cancel(id)).json).toEqual(ALREADY)
    expect((await caller.get(id, '/result')).json).toEqual({
      status: 'canceled',
      result: { name: 'Canceled', message: `Canceled by ${ADMIN}.` },
    })
    expect(await ledger(id)).toMatchObject([{ outcome: 'canceled' }])
  })

  it.each(['', ' '])('with the reason %j names who canceled it', async (reason) => {
    const id = await caller.runFor()
    await caller.cancel(id, { json: { reason } })
    expect((await caller.get(id)).json).toMatchObject({
      result: { message: `Canceled by ${ADMIN}.` },
    })
  })

  it('ends a job that waits for its time', async () => {
    const id = await caller.runFor({}, `${RUN}?scheduled_for=2999-01-01T00:00:00Z`)
    expect((await caller.cancel(id)).json).toEqual(NOW)
  })

  const ends: readonly (readonly [string, (job: ClaimedJob) => Promise<unknown>])[] = [
    ['its worker obeys', (job) => caller.end(job, { kind: 'canceled' })],
    ['its script ends well', (job) => caller.end(job, SUCCESS)],
    ['its script fails', (job) => caller.end(job, FAILURE)],
    [
      'its worker is lost',
      async ({ id }) => {
        await caller.app.deps.db.write([sql`UPDATE jobs SET lease_until = 1 WHERE id = ${id}`])
        await rescueJobs(caller.app.deps)
      },
    ],
  ]
  it.each(ends)('marks a running job; it ends canceled when %s', async (_, finish) => {
    const job = await caller.runAndClaim()
    expect((await caller.cancel(job.id, { json: { reason: 'Not needed.' } })).json).toEqual(SOFT)
    expect((await caller.cancel(job.id, { json: { reason: 'Too late.' } })).json).toEqual(SOFT)
    expect((await caller.get(job.id)).json).toMatchObject({ status: 'running' })
    await finish(job)
    expect((await caller.get(job.id, '/result')).json).toEqual({
      status: 'canceled',
      result: { name: 'Canceled', message: 'Not needed.' },
    })
    expect((await caller.cancel(job.id)).json).toEqual(ALREADY)
    expect(await ledger(job.id)).toMatchObject([{ outcome: 'canceled' }])
  })

  it.each([SUCCESS, FAILURE])('changes nothing after a $kind', async (outcome) => {
    const job = await caller.runAndClaim()
    await caller.end(job, outcome)
    const before = (await caller.get(job.id)).json
    expect((await caller.cancel(job.id)).json).toEqual(ALREADY)
    expect((await caller.get(job.id)).json).toEqual(before)
    expect(await ledger(job.id)).toHaveLength(1)
  })

  it('at the same moment as the end leaves one end, one bill and an answer that fits', async () => {
    for (let round = 0; round < 20; round += 1) {
      const job = await caller.runAndClaim()
      const cancel = () => caller.cancel(job.id)
      const end = () => caller.end(job, SUCCESS)
      const [first, second] = round % 2 === 0 ? [cancel, end] : [end, cancel]
      const answers = await Promise.all([first(), second()])
      const canceled = answers.find((answer) => typeof answer === 'object')
      const { json } = await caller.get(job.id, '/result')
      expect(canceled?.json).toEqual(JSON.stringify(json).includes('canceled') ? SOFT : ALREADY)
      expect(await ledger(job.id)).toHaveLength(1)
    }
  })

  it.each([
    ['an unknown field', { json: { why: 'x' } }],
    ['a reason that is not a text', { json: { reason: 1 } }],
  ])('refuses %s', async (_, request) => {
    expect((await caller.cancel(await caller.runFor(), request)).status).toBe(400)
  })

  it('is for the creator and for admins, as is the input', async () => {
    const { app } = caller
    for (const email of ['ada@example.com', 'bob@example.com']) {
      await createUser(app.deps, { email, password: null, isSuperAdmin: false })
    }
    await addMember(app.deps, { ws: WS, email: 'ada@example.com', role: 'member' })
    await addMember(app.deps, { ws: WS, email: 'bob@example.com', role: 'admin' })
    const ada = await app.token(['jobs:run', 'jobs:read'], { email: 'ada@example.com' })
    const bob = await app.token(['*'], { email: 'bob@example.com', isAdmin: true })
    const id = await caller.runFor({ secret: 1 })
    expect((await caller.cancel(id, { token: ada })).status).toBe(403)
    expect((await caller.get(id, '', { token: ada })).text).not.toContain('"input"')
    expect((await caller.get(id, '', { token: bob })).json).toMatchObject({ input: { secret: 1 } })
    expect((await caller.cancel(id, { token: bob })).json).toEqual(NOW)
    const own = await app.call('POST', `${JOBS}/run/hello/greet`, { token: ada, json: { mine: 1 } })
    const ownId = jobIdOf(own)
    expect((await caller.get(ownId, '', { token: ada })).json).toMatchObject({ input: { mine: 1 } })
    expect((await caller.cancel(ownId, { token: ada })).json).toEqual(NOW)
  })
})
