/**
 * What a customer key opens [access 11.6]: granted actions and the customer's own jobs.
 * Every other route is closed, including routes that are added later.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { admitsCustomers } from '#http/endpoint.ts'
import type { Route } from '#http/route.ts'
import {
  createConsumer,
  issueConsumerKey,
  replaceGrants,
  updateConsumer,
} from '#service/customers/manage-consumer.ts'
import { enqueueDepsOf, enqueueJob } from '#service/queue/enqueue-job.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import type { Grant } from '#store/credentials/consumers.ts'
import type { Database } from '#store/database.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { insertLogChunk } from '#store/jobs/log.ts'
import { sql } from '#store/sql.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { createTestApp, type TestApp, type TestRequest, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const GREET = { app: 'hello', action: 'greet' }
const JOBS = `/api/w/${WS}/jobs`
const RUN = `${JOBS}/run/hello/greet`
const UNKNOWN = '019abcde-0000-7000-8000-000000000000'

let app: TestApp
let beforeWrite: () => Promise<void> = async () => undefined
const wrapDatabase = (db: Database): Database => ({
  ...db,
  write: async (...args) => {
    await beforeWrite()
    return db.write(...args)
  },
})

beforeAll(async () => {
  app = await createTestApp({ wrapDatabase })
  await createWorkspace(app.deps, { id: 'other', name: 'Other' })
  await deployActions(app.deps, [
    { ws: WS, app: 'hello', key: 'greet' },
    { ws: WS, app: 'hello', key: 'closed', inputSchema: { required: ['name'] } },
  ])
})
afterAll(() => app.close())

type Customer = Readonly<{ id: string; key: string }>

const makeCustomer = async (grants: readonly Grant[], ws = WS): Promise<Customer> => {
  const request = { ws, name: 'Acme', externalRef: null, actor: CLI_ACTOR }
  const { id } = await createConsumer(app.deps, request)
  const act = { ws, id, actor: CLI_ACTOR }
  await replaceGrants(app.deps, act, grants)
  const { text } = await issueConsumerKey(app.deps, act, { label: 'k', expiresInDays: null })
  return { id, key: text }
}

const run = (key: string, path = RUN, more: TestRequest = {}) =>
  app.call('POST', path, { token: key, json: {}, ...more })
const runFor = async (key: string): Promise<string> =>
  z.object({ job_id: z.uuid() }).parse((await run(key)).json).job_id
const get = (key: string, id: string, part = '') =>
  app.call('GET', `${JOBS}/${id}${part}`, { token: key })

const claim = async (id: string): Promise<ClaimedJob> => {
  const options = { worker: 'w1', tags: ['default'], limit: 100, leaseMs: 60_000 }
  const job = (await claimJobs(app.deps, options)).find((claimed) => claimed.id === id)
  if (job === undefined) throw new Error('The job was not claimed.')
  return job
}
const succeed = async (job: ClaimedJob, resultJson: string): Promise<void> => {
  await completeJob(app.deps, {
    job,
    outcome: { kind: 'success', resultJson },
    retry: null,
    logs: [insertLogChunk({ claim: job, seq: 0, bytes: Buffer.from('said hello\n') })],
  })
}

/** Written by hand: every route that is not listed is closed. */
const OPEN = [
  'POST /api/w/{ws}/jobs/run/{app}/{action}',
  'POST /api/w/{ws}/jobs/run/{app}/{action}/wait',
  'GET /api/w/{ws}/jobs/{id}',
  'GET /api/w/{ws}/jobs/{id}/result',
  'GET /api/w/{ws}/jobs/{id}/steps',
  'GET /api/w/{ws}/jobs/{id}/logs',
  'GET /api/w/{ws}/jobs/{id}/events',
  'GET /api/auth/me',
  'POST /mcp/{ws}',
]
const nameOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`
const toPath = (route: Route): string =>
  route.path.replace('{ws}', WS).replaceAll(/\{\w+\}/g, UNKNOWN)

describe('every route of the app', () => {
  it('admits customer keys to the listed routes, and no others', () => {
    const entered = app.routes.filter((route) => admitsCustomers(route)).map(nameOf)
    expect(entered.sort()).toEqual([...OPEN].sort())
  })

  it('answers 403 to a customer key that is granted everything, unless it is on the list', async () => {
    const { key } = await makeCustomer([GREET, { app: 'hello', action: 'closed' }])
    const closed = app.routes.filter(
      (route) =>
        route.admits[0] !== 'public' &&
        route.admits[0] !== 'api_key' &&
        !OPEN.includes(nameOf(route)),
    )
    expect(closed.length).toBeGreaterThan(30)
    for (const route of closed) {
      const answer = await app.call(route.method.toUpperCase(), toPath(route), { token: key })
      expect([nameOf(route), answer.status]).toEqual([nameOf(route), 403])
      expect(answer.json).toMatchObject({ code: 'customer_key' })
    }
  })

  it('is not accepted as an API key', async () => {
    const { key } = await makeCustomer([GREET])
    for (const route of app.routes.filter(({ admits: [scope] }) => scope === 'api_key')) {
      const answer = await app.call(route.method.toUpperCase(), toPath(route), { token: key })
      expect([nameOf(route), answer.status]).toEqual([nameOf(route), 401])
    }
  })

  it('answers 403 on every job route to the key of another workspace', async () => {
    const { key } = await makeCustomer([], 'other')
    for (const route of app.routes.filter(({ path }) => path.startsWith('/api/w/{ws}/'))) {
      const answer = await app.call(route.method.toUpperCase(), toPath(route), { token: key })
      expect(answer).toMatchObject({ status: 403, json: { code: 'wrong_workspace' } })
    }
  })
})

describe('a customer key', () => {
  it('names its customer', async () => {
    const { key } = await makeCustomer([])
    expect((await app.call('GET', '/api/auth/me', { token: key })).json).toEqual({
      kind: 'customer_key',
      scopes: [],
      workspace: WS,
      super_admin: false,
    })
  })

  it('runs a granted action in its own name and reads the job, its input included', async () => {
    const { id: customer, key } = await makeCustomer([GREET])
    const accepted = await run(key, RUN, { json: { name: 'Ada' } })
    expect(accepted.status).toBe(201)
    const { job_id: id } = z.object({ job_id: z.string() }).parse(accepted.json)
    expect(await get(key, id)).toMatchObject({
      status: 200,
      json: {
        created_by: `customer:${customer}`,
        created_by_name: 'Acme',
        permissioned_as: `customer:${customer}`,
        customer_id: customer,
        input: { name: 'Ada' },
      },
    })
    expect((await get(key, id, '/result')).status).toBe(202)
    await succeed(await claim(id), '"Hello Ada"')
    expect((await get(key, id, '/result')).json).toEqual({ status: 'success', result: 'Hello Ada' })
    expect((await get(key, id, '/logs')).text).toBe('said hello\n')
    const followed = await app.call('GET', `${JOBS}/${id}/logs`, {
      token: key,
      headers: { accept: 'text/event-stream' },
    })
    expect(followed.text).toContain('"said hello\\n"')
    const events = await get(key, id, '/events')
    expect(events.text).toContain('"status":"success"')
    const bill = await app.deps.db.one(sql`SELECT * FROM ledger WHERE job_id = ${id}`)
    expect(bill).toMatchObject({ customer_id: customer, app: 'hello', outcome: 'success' })
  })

  it('runs and waits', async () => {
    const { key } = await makeCustomer([GREET])
    expect((await run(key, `${RUN}/wait?timeout_ms=1`)).status).toBe(202)
  })

  it.each([
    ['not granted', 'hello/closed', {}],
    ['not granted, with input that its schema would refuse', 'hello/closed', { json: { x: 1 } }],
    ['not there', 'hello/nope', {}],
    ['of an app that is not there', 'nope/greet', {}],
  ])('gets the same 403 for an action that is %s', async (_, path, more) => {
    const { key } = await makeCustomer([GREET])
    for (const end of ['', '/wait']) {
      expect(await run(key, `${JOBS}/run/${path}${end}`, more)).toMatchObject({
        status: 403,
        json: { code: 'not_granted' },
      })
    }
  })

  it('chooses neither the workers nor the place in the queue', async () => {
    const { key } = await makeCustomer([GREET])
    for (const query of ['?tag=gpu', '?priority=100', '?priority=0']) {
      expect(await run(key, RUN + query)).toMatchObject({ status: 403 })
    }
    expect((await run(key, `${RUN}?scheduled_for=2030-01-01T00:00:00Z`)).status).toBe(201)
  })

  it('has an Idempotency-Key of its own, which opens nothing once the grant is gone', async () => {
    const { id, key } = await makeCustomer([GREET])
    const headers = { 'idempotency-key': 'order-1' }
    const first = await run(key, RUN, { headers })
    const again = await run(key, RUN, { headers })
    expect(again.json).toEqual(first.json)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    await replaceGrants(app.deps, { ws: WS, id, actor: CLI_ACTOR }, [])
    expect((await run(key, RUN, { headers })).status).toBe(403)
  })

  it('loses a grant at once, also for a run that was under way', async () => {
    const { id, key } = await makeCustomer([GREET])
    expect((await run(key)).status).toBe(201)
    const count = async () =>
      (await app.deps.db.one(sql`SELECT count(*) AS n FROM jobs WHERE customer_id = ${id}`))?.n
    beforeWrite = async () => {
      beforeWrite = async () => undefined
      await replaceGrants(app.deps, { ws: WS, id, actor: CLI_ACTOR }, [])
    }
    expect(await run(key)).toMatchObject({ status: 403, json: { code: 'not_granted' } })
    expect(await count()).toBe(1)
    expect((await run(key)).status).toBe(403)
  })

  it('queues nothing when its customer is disabled in the middle of a run', async () => {
    const { id } = await makeCustomer([GREET])
    await updateConsumer(app.deps, { ws: WS, id, actor: CLI_ACTOR }, { isDisabled: true })
    const enqueued = enqueueJob(enqueueDepsOf(app.deps), {
      ws: WS,
      ...GREET,
      input: {},
      inputJson: '{}',
      triggerKind: 'api',
      createdBy: `customer:${id}`,
      permissionedAs: `customer:${id}`,
      customerId: id,
    })
    await expect(enqueued).rejects.toMatchObject({ kind: 'forbidden', code: 'not_granted' })
  })

  it('reads no job of others, and cannot tell it from one that is not there', async () => {
    const [mine, theirs] = [await makeCustomer([GREET]), await makeCustomer([GREET])]
    const person = await app.token(['jobs:run'])
    const answers: unknown[] = []
    for (const id of [await runFor(theirs.key), await runFor(person), UNKNOWN, 'no-uuid']) {
      for (const part of ['', '/result', '/logs', '/events']) {
        const { status, json } = await get(mine.key, id, part)
        expect(status).toBe(403)
        answers.push(z.object({ error: z.string(), code: z.string() }).parse(json))
      }
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  it('reads the jobs that another key of the same customer started', async () => {
    const { id, key } = await makeCustomer([GREET])
    const act = { ws: WS, id, actor: CLI_ACTOR }
    const second = await issueConsumerKey(app.deps, act, { label: 'second', expiresInDays: null })
    const job = await runFor(key)
    expect((await get(second.text, job)).json).toMatchObject({ input: {} })
  })

  it('shows its jobs to the people of the workspace; their input to admins alone', async () => {
    const { key } = await makeCustomer([GREET])
    const id = await runFor(key)
    expect((await get(await app.token(['jobs:read']), id)).text).not.toContain('"input"')
    const admin = await app.token(['*'], { isAdmin: true })
    expect((await get(admin, id)).json).toMatchObject({ input: {} })
  })
})
