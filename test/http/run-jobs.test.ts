/** POST run, and run and wait, as callers see them. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MIB } from '#core/byte-units.ts'
import { runWithBody, waitWithBody } from '#http/bodies/held-bodies.ts'
import { type Database, DatabaseError } from '#store/database.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { JOBS, type JobCaller, jobIdOf, openJobCaller, RUN } from '../support/job-caller.ts'

const LIMIT = 4_096
let caller: JobCaller
let isAway = false
let refused = 0
/** Lets a test make the reads fail. */
const wrapDatabase = (db: Database): Database => ({
  ...db,
  one: async (statement) => {
    if (!isAway) return db.one(statement)
    refused += 1
    throw new DatabaseError('Away.', { kind: 'unavailable', outcome: 'none' })
  },
})
beforeAll(async () => {
  caller = await openJobCaller({ maxBodyBytes: LIMIT, wrapDatabase })
})
afterAll(() => caller.close())

/** Takes the room for bodies of waiting requests. @returns gives it back */
const fillWaitingBodies = (): (() => void) => {
  let end = (): void => undefined
  const body = { ws: WS, customerId: null, bytes: 64 * MIB, timeoutMs: 0 }
  void waitWithBody(body, () => new Promise<void>((resolve) => (end = resolve)))
  return () => end()
}

it('a run answers its id at once while waiting requests of its workspace hold many bodies', async () => {
  const end = fillWaitingBodies()
  const startedAt = performance.now()
  const answer = await caller.run({}, `${RUN}/wait?timeout_ms=30000`)
  end()
  expect(answer).toMatchObject({ status: 202, json: { status: 'pending' } })
  expect(performance.now() - startedAt).toBeLessThan(15_000)
})

it('a run is refused while the server still works on large requests of its workspace', async () => {
  let end = (): void => undefined
  const body = { ws: WS, customerId: null, bytes: 128 * MIB }
  const held = runWithBody(body, () => new Promise<void>((resolve) => (end = resolve)))
  const answer = await caller.run({})
  end()
  await held
  expect(answer).toMatchObject({ status: 429, json: { code: 'too_many_bodies' } })
  expect((await caller.run({})).status).toBe(201)
})

describe('POST run', () => {
  it('answers 201 with the job id alone, and the job is queued as it was deployed', async () => {
    const answer = await caller.run({ name: 'Ada' })
    const id = jobIdOf(answer)
    expect(answer).toMatchObject({ status: 201, text: JSON.stringify({ job_id: id }) })
    expect(await caller.get(id)).toMatchObject({
      status: 200,
      json: {
        status: 'queued',
        app: 'hello',
        action: 'greet',
        tag: 'greetings',
        trigger_kind: 'api',
        created_by: ADMIN,
        commit: `commit-${caller.deploymentId}`,
        entrypoint: 'greet.ts',
        input: { name: 'Ada' },
      },
    })
  })

  it('makes two jobs of two equal requests', async () => {
    expect(await caller.runFor({ a: 1 })).not.toBe(await caller.runFor({ a: 1 }))
  })

  it.each([
    ['an array', '[]', 'not_an_object'],
    ['a text', '"x"', 'not_an_object'],
    ['null', 'null', 'not_an_object'],
    ['a number', '1', 'not_an_object'],
    ['half an object', '{"a":', 'malformed_json'],
    ['nothing', '', 'malformed_json'],
    ['a number that would become null', '{"a":[1e999]}', 'malformed_json'],
  ])('refuses %s: the input is an object', async (_, body, code) => {
    const answer = await caller.run(undefined, RUN, {
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer).toMatchObject({ status: 400, json: { code } })
  })

  it.each([
    [`${JOBS}/run/nowhere/greet`, 404, 'app_not_found'],
    [`${JOBS}/run/hello/nothing`, 404, 'action_not_found'],
    [`${JOBS}/run/he%20llo/greet`, 400, 'bad_key'],
    [`${JOBS}/run/Hello/greet`, 400, 'bad_key'],
    [`${JOBS}/run/he_llo/greet`, 400, 'bad_key'],
    [`${JOBS}/run/${'x'.repeat(64)}/greet`, 400, 'bad_key'],
    [`${JOBS}/run/hello/-greet`, 400, 'bad_key'],
    [`${JOBS}/run/hello/..%2f..`, 400, 'bad_key'],
  ])('to %s is %i', async (path, status, code) => {
    expect(await caller.run({}, path)).toMatchObject({ status, json: { code } })
  })

  it('refuses an input that does not fit the schema, with every fault and its path', async () => {
    const answer = await caller.run({ age: -1 }, `${JOBS}/run/hello/strict`)
    expect(answer).toMatchObject({ status: 400, json: { code: 'input_schema' } })
    expect(answer.json).toMatchObject({
      details: expect.arrayContaining([
        expect.objectContaining({ path: 'age' }),
        expect.objectContaining({ path: 'input' }),
      ]),
    })
  })

  it('takes what the newest deployment takes, although an older one was used before', async () => {
    const action = { ws: WS, app: 'moving', key: 'act' }
    const path = `${JOBS}/run/moving/act`
    await deployActions(caller.app.deps, [{ ...action, inputSchema: { required: ['a'] } }])
    expect((await caller.run({ b: 1 }, path)).status).toBe(400)
    await deployActions(caller.app.deps, [{ ...action, inputSchema: { required: ['b'] } }])
    expect((await caller.run({ b: 1 }, path)).status).toBe(201)
    expect((await caller.run({ a: 1 }, path)).status).toBe(400)
  })

  it('refuses a body over the limit', async () => {
    expect((await caller.run({ text: 'x'.repeat(LIMIT) })).status).toBe(413)
  })

  it.each([
    'priority=101',
    'priority=-101',
    'priority=x',
    'priority=0.5',
    'priority=',
    'priority=0x10',
    'priority=1e1',
    'priority=%205',
    'scheduled_for=tomorrow',
    'scheduled_for=2999-01-01',
    'scheduled_for=2999-01-01T00:00:00',
    'scheduled_for=2999-02-30T00:00:00Z',
    'scheduled_for=',
    // in UTC they are in the years 10000 and -1, which no list of jobs could show
    'scheduled_for=9999-12-31T23:59:59-12:00',
    'scheduled_for=0000-01-01T00:00:00%2B12:00',
    'tag=',
    'tag=a%20b',
  ])('refuses ?%s', async (query) => {
    expect((await caller.run({}, `${RUN}?${query}`)).status).toBe(400)
  })

  it.each(['-100', '100', '0'])('takes priority %s', async (priority) => {
    const id = await caller.runFor({}, `${RUN}?priority=${priority}`)
    expect((await caller.get(id)).json).toMatchObject({ priority: Number(priority) })
  })

  it('keeps a job for later, and takes its tag', async () => {
    const at = '2999-01-01T09:00:00.000%2B09:00'
    const id = await caller.runFor({}, `${RUN}?scheduled_for=${at}&tag=big`)
    expect((await caller.get(id)).json).toMatchObject({
      scheduled_for: '2999-01-01T00:00:00.000Z',
      tag: 'big',
    })
    await expect(caller.claim('big')).rejects.toThrow('No job waits')
  })
})

describe('POST run and wait', () => {
  const WAIT = `${RUN}/wait`

  it.each(['0', '30001', '-1', '1.5', 'x', '', '1e3', '%205', '99999999999'])(
    'refuses timeout_ms=%s and queues nothing',
    async (value) => {
      const answer = await caller.run({}, `${WAIT}?tag=refused&timeout_ms=${value}`)
      expect(answer).toMatchObject({ status: 400, json: { error: expect.any(String) } })
      await expect(caller.claim('refused')).rejects.toThrow('No job waits')
    },
  )

  it('is 202 with the id when the job does not end in time', async () => {
    const answer = await caller.run({}, `${WAIT}?timeout_ms=1`)
    const job_id = jobIdOf(answer)
    expect(answer).toMatchObject({
      status: 202,
      text: JSON.stringify({ job_id, status: 'pending' }),
    })
    expect((await caller.get(job_id, '/result')).status).toBe(202)
  })

  it.each([
    ['success', { kind: 'success', resultJson: '{"ok":[1,2]}' }, { ok: [1, 2] }],
    [
      'failure',
      { kind: 'failure', error: { name: 'Oops', message: 'no' }, isFinal: true },
      { name: 'Oops', message: 'no' },
    ],
  ] as const)('is 200 as soon as the job has ended: %s', async (status, outcome, result) => {
    const tag = `waited-for-${status}`
    const claimed = caller.claimNext(tag)
    const waiting = caller.run({ n: 1 }, `${WAIT}?tag=${tag}&timeout_ms=30000`)
    const job = await claimed
    await caller.end(job, outcome)
    const answer = await waiting
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ job_id: job.id, status, result })
  })

  it('is 200 when the job is canceled', async () => {
    const tag = 'waited-for-cancel'
    const claimed = caller.claimNext(tag)
    const waiting = caller.run({}, `${WAIT}?tag=${tag}`)
    const job = await claimed
    await caller.cancel(job.id, { json: { reason: 'Enough.' } })
    await caller.end(job, { kind: 'canceled' })
    expect((await waiting).json).toEqual({
      job_id: job.id,
      status: 'canceled',
      result: { name: 'Canceled', message: 'Enough.' },
    })
  })

  it('is 401 without the result when the credential ends meanwhile', async () => {
    const tag = 'waited-for-revoked'
    const { text, token } = await caller.app.issue(['jobs:run', 'apps:write'])
    const claimed = caller.claimNext(tag)
    const waiting = caller.run({}, `${WAIT}?tag=${tag}`, { token: text })
    const job = await claimed
    await caller.app.deps.db.write([sql`UPDATE tokens SET revoked_at = 1 WHERE id = ${token.id}`])
    const now = performance.now.bind(performance)
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 2_000)
    await caller.end(job, { kind: 'success', resultJson: '"secret"' })
    expect(await waiting).toMatchObject({ status: 401, json: { code: 'invalid_token' } })
    later.mockRestore()
  })

  it('keeps waiting while the database is away, for the job is queued already', async () => {
    const tag = 'waited-for-database'
    const claimed = caller.claimNext(tag)
    const waiting = caller.run({}, `${WAIT}?tag=${tag}&timeout_ms=30000`)
    const job = await claimed
    isAway = true
    caller.app.deps.hints.jobChanged.emit(job.id)
    await expect.poll(() => refused).toBeGreaterThan(0)
    isAway = false
    await caller.end(job, { kind: 'success', resultJson: '1' })
    expect(await waiting).toMatchObject({ status: 200, json: { job_id: job.id, result: 1 } })
  })
})
