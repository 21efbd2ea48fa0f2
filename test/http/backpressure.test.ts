/** Rate limits, the limit of the queue, and the signs that more workers are needed [wire 6] [jobs 9.8, 10.6]. */

import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createMetrics } from '#metrics/registry.ts'
import { requireStateApp } from '#service/apps/app-state.ts'
import { cancelJob } from '#service/queue/cancel-job.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import { writeState } from '#store/apps/state.ts'
import { countReadyByTag } from '#store/jobs/count.ts'
import { sql } from '#store/sql.ts'
import {
  ADMIN,
  createTestApp,
  type TestApp,
  type TestAppOptions,
  WS,
} from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { expireMeasurements } from '../support/later-measurement.ts'
import { adminSession } from '../support/principals.ts'

let app: TestApp
afterEach(() => app.close())

const start = async (options: TestAppOptions) => {
  app = await createTestApp(options)
  await deployActions(app.deps, [
    { ws: WS, app: 'hello', key: 'greet' },
    { ws: WS, app: 'hello', key: 'draw', tag: 'gpu' },
  ])
  return app.token(['*'])
}
const RUN = `/api/w/${WS}/jobs/run/hello/greet`
/** The ping of a worker that the bus does not reach. */
const FAR = JSON.stringify({
  group: 'g',
  tags: ['gpu'],
  level: 'runtime',
  workspaces: [],
  cells: [],
  running: 0,
  concurrency: 1,
})
const run = (token: string, path = RUN) => app.call('POST', path, { token, json: {} })
const accepted = z.object({ job_id: z.string() })
const storedUsage = z.strictObject({
  stored_bytes: z.number(),
  max_stored_bytes: z.number().nullable(),
  measured_at: z.string(),
})

describe('rate limits', () => {
  it('hold for each credential by itself, with Retry-After', async () => {
    const token = await start({ rates: { run: 3, other: 100, anonymous: 0 } })
    const other = await app.token(['*'])
    for (let sent = 0; sent < 3; sent += 1) expect((await run(token)).status).toBe(201)
    const refused = await run(token)
    expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await run(other)).status).toBe(201)
  })

  it('count run routes and the others apart, and never what watches the node', async () => {
    const token = await start({ rates: { run: 100, other: 2, anonymous: 1 } })
    const me = () => app.call('GET', '/api/auth/me', { token })
    expect([(await me()).status, (await me()).status, (await me()).status]).toEqual([200, 200, 429])
    expect((await run(token)).status).toBe(201)
    for (let sent = 0; sent < 5; sent += 1) {
      expect((await app.call('GET', '/healthz')).status).toBe(200)
    }
  })

  it('count strangers, with no credential or a wrong one, by address', async () => {
    await start({ rates: { run: 0, other: 0, anonymous: 2 } })
    const stranger = () => app.call('GET', '/api/auth/me', { token: 'svc_nonsense' })
    expect([(await stranger()).status, (await stranger()).status]).toEqual([401, 401])
    expect((await stranger()).status).toBe(429)
    expect((await app.call('GET', '/api/tokens/scopes')).status).toBe(429)
  })

  it('count strangers over IPv6 by their /64 network', async () => {
    app = await createTestApp({
      rates: { run: 0, other: 0, anonymous: 2 },
      trustedProxies: ['127.0.0.1'],
    })
    const url = await app.listen()
    const from = async (address: string): Promise<number> =>
      (await fetch(`${url}/api/tokens/scopes`, { headers: { 'x-forwarded-for': address } })).status
    // all at once, so that no token of the rate limit is refilled between them
    const sent = ['2001:db8::1', '2001:db8::2', '2001:db8::3'].map(from)
    expect((await Promise.all(sent)).toSorted()).toEqual([200, 200, 429])
    expect(await from('2001:db8:0:1::3')).toBe(200)
  })

  it('are off at 0', async () => {
    const token = await start({ rates: { run: 0, other: 0, anonymous: 0 } })
    for (let sent = 0; sent < 80; sent += 1) {
      expect((await app.call('GET', '/api/auth/me', { token })).status).toBe(200)
    }
  })
})

describe('the cap of queued jobs', () => {
  it('refuses one more with 429, lets go on when one leaves, and holds for one workspace alone', async () => {
    const token = await start({ queueMax: 5 })
    const ids: string[] = []
    for (let sent = 0; sent < 5; sent += 1) {
      ids.push(accepted.parse((await run(token)).json).job_id)
    }
    const refused = await run(token)
    expect(refused).toMatchObject({ status: 429, json: { code: 'queue_full' } })
    expect(refused.headers.get('retry-after')).not.toBeNull()
    await createWorkspace(app.deps, { id: 'other', name: 'Other' })
    await deployActions(app.deps, [{ ws: 'other', app: 'hello', key: 'greet' }])
    const elsewhere = await app.token(['*'], { ws: 'other' })
    expect((await run(elsewhere, RUN.replace(WS, 'other'))).status).toBe(201)
    const [first = ''] = ids
    await cancelJob(app.deps, { ws: WS, id: first, caller: adminSession(ADMIN), reason: null })
    await expect.poll(async () => (await run(token)).status).toBe(201)
  })

  it.each([
    ['repeats an earlier one', 'greet', { 'idempotency-key': 'once' }, 201],
    ['joins a waiting job', 'later', {}, 201],
    ['is refused', 'strict', {}, 400],
  ])('counts no request that %s', async (_, action, headers, status) => {
    const token = await start({ queueMax: 3 })
    const more = { ws: WS, app: 'hello' }
    await deployActions(app.deps, [
      { ...more, key: 'greet' },
      { ...more, key: 'later', debounce: { key: 'same', quietS: 60, maxS: 300 } },
      { ...more, key: 'strict', inputSchema: { required: ['name'] } },
    ])
    const path = RUN.replace('greet', action)
    const send = () => app.call('POST', path, { token, headers: { ...headers }, json: {} })
    for (let sent = 0; sent < 5; sent += 1) expect((await send()).status).toBe(status)
    const free = status === 201 ? 2 : 3
    for (let sent = 0; sent < free; sent += 1) expect((await run(token)).status).toBe(201)
    expect((await run(token)).status).toBe(429)
  })

  it('counts no item of a batch that is refused or joins a waiting job', async () => {
    const token = await start({ queueMax: 3 })
    const more = { ws: WS, app: 'hello' }
    await deployActions(app.deps, [
      { ...more, key: 'greet' },
      { ...more, key: 'later', debounce: { key: 'same', quietS: 60, maxS: 300 } },
    ])
    const send = (...actions: string[]) => {
      const items = actions.map((action) => ({ app: 'hello', action }))
      return app.call('POST', `/api/w/${WS}/jobs/batch`, { token, json: { items } })
    }
    for (let sent = 0; sent < 3; sent += 1) {
      expect((await send('greet', 'unknown')).status).toBe(404)
      expect((await send('later', 'later')).status).toBe(201)
    }
    expect((await send('greet', 'greet')).status).toBe(201)
    expect((await send('greet')).status).toBe(429)
  })

  it('holds against callers that come at once', async () => {
    const token = await start({ queueMax: 20 })
    const answers = await Promise.all(Array.from({ length: 60 }, () => run(token)))
    const taken = answers.filter(({ status }) => status === 201)
    expect(taken).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40)
  })
})

describe('the signs that more workers are needed', () => {
  it('shows by tag what waits in this workspace, for how long, and who serves it', async () => {
    const token = await start({})
    await run(token)
    await run(token, RUN.replace('greet', 'draw'))
    await createWorkspace(app.deps, { id: 'other', name: 'Other' })
    await deployActions(app.deps, [{ ws: 'other', app: 'hello', key: 'greet', tag: 'secret-tag' }])
    await run(await app.token(['*'], { ws: 'other' }), RUN.replace(WS, 'other'))

    const reader = await app.token(['workers:read'])
    const answer = await app.call('GET', `/api/w/${WS}/workers`, { token: reader })
    expect(answer.json).toEqual({
      tags: [
        { tag: 'default', live_workers: 1, queued: 1, oldest_queued_age_s: expect.any(Number) },
        { tag: 'gpu', live_workers: 0, queued: 1, oldest_queued_age_s: expect.any(Number) },
      ],
      workers: [
        {
          name: 'w1',
          group: 'default',
          tags: ['default'],
          level: 'runtime',
          workspaces: [],
          running: 1,
          concurrency: 2,
          version: '0.0.0-test',
          last_ping_at: '2023-11-14T22:13:20.000Z',
        },
      ],
      unserved: [expect.objectContaining({ tag: 'gpu', action: 'draw' })],
    })
    const ping = (id: string, agoMs: number) =>
      sql`INSERT INTO nodes (id, role, name, host, version, worker, started_at, pinged_at)
         VALUES (${id}, 'worker', ${id}, 'h', '1', ${FAR}, 1, ${Date.now() - agoMs})`
    await app.deps.db.write([ping('far', 5_000), ping('dead', 60_000)])
    const unreached = await app.call('GET', `/api/w/${WS}/workers`, { token: reader })
    expect(unreached.json).toMatchObject({
      tags: [{ tag: 'default' }, { tag: 'gpu', live_workers: 1 }],
      workers: [{ name: 'far', group: 'g' }, { name: 'w1' }],
    })
    await app.deps.db.write([sql`DELETE FROM nodes`])
    const all = await app.call('GET', '/api/admin/workers', { token })
    expect(all.text).toContain('secret-tag')
  })

  it('is in the metrics, without a series for what is gone', async () => {
    const token = await start({})
    const metrics = createMetrics('test')
    metrics.watchQueue(() => countReadyByTag(app.deps.db))
    const { job_id } = accepted.parse((await run(token, RUN.replace('greet', 'draw'))).json)
    expect(await metrics.render()).toContain('svc_queue_jobs{tag="gpu"} 1')
    expect(await metrics.render()).toContain('svc_queue_oldest_age_seconds{tag="gpu"}')
    await cancelJob(app.deps, { ws: WS, id: job_id, caller: adminSession(ADMIN), reason: null })
    expect(await metrics.render()).not.toContain('gpu')
  })
})

describe('the storage quota of a workspace', () => {
  const QUOTA = 500_000
  const usageOf = async (token: string) =>
    storedUsage.parse((await app.call('GET', `/api/w/${WS}/workspace/usage`, { token })).json)

  it('refuses new runs beyond it, and states how much is kept', async () => {
    const token = await start({ maxStoredBytes: QUOTA })
    const { stored_bytes: deployed } = await usageOf(token)
    expireMeasurements()
    const text = JSON.stringify('x'.repeat(600_000))
    const owner = await requireStateApp(app.deps, WS, 'hello')
    await app.deps.db.write([writeState({ ...owner, key: 'big', json: text, id: '1' })])
    expect(await run(token)).toMatchObject({ status: 429, json: { code: 'storage_full' } })
    expect(await usageOf(token)).toEqual({
      stored_bytes: deployed + 600_002,
      max_stored_bytes: QUOTA,
      measured_at: expect.any(String),
    })
  })

  it('refuses events, drafts and state beyond it, but answers an event that it took again', async () => {
    const token = await start({ maxStoredBytes: QUOTA })
    const send = (json: object) => app.call('POST', `/api/w/${WS}/events`, { token, json })
    const draft = { files: { 'app.yaml': 'key: hello' } }
    const save = () => app.call('PUT', `/api/w/${WS}/drafts/hello`, { token, json: draft })
    const set = () =>
      app.call('POST', `/api/w/${WS}/state?app=hello`, { token, json: { key: 'a', value: 1 } })
    expect((await save()).status).toBe(200)
    expect((await set()).status).toBe(204)
    const data = 'x'.repeat(300_000)
    expect((await send({ name: 'a', id: '1', data })).status).toBe(200)
    expect((await send({ name: 'a', data })).status).toBe(200)
    expireMeasurements()
    expect((await send({ name: 'a', id: '1', data })).status).toBe(200)
    expect(await send({ name: 'a' })).toMatchObject({ status: 429, json: { code: 'storage_full' } })
    expect(await set()).toMatchObject({ status: 429, json: { code: 'storage_full' } })
    expect(await save()).toMatchObject({ status: 429, json: { code: 'storage_full' } })
  })

  it('refuses an event whose copies for all waits have no room', async () => {
    const token = await start({ maxStoredBytes: QUOTA })
    const wait = (n: number) => sql`INSERT INTO event_waits
      (id, ws, name, owner_kind, owner_id, step, position, began_at, created_at)
      VALUES (${`wait-${n}`}, ${WS}, 'a', 'job', ${`job-${n}`}, 's', 1, 0, 0)`
    await app.deps.db.write(Array.from({ length: 9 }, (_, n) => wait(n)))
    const send = (bytes: number) =>
      app.call('POST', `/api/w/${WS}/events`, {
        token,
        json: { name: 'a', data: 'x'.repeat(bytes) },
      })
    const refused = await send(50_000)
    expect(refused).toMatchObject({ status: 429, json: { code: 'storage_full' } })
    expect(refused.text).toContain('too little room for this request')
    expect((await send(10_000)).status).toBe(200)
  })

  it('is none by default: what is kept is only shown', async () => {
    const token = await start({})
    const { stored_bytes: deployed } = await usageOf(token)
    expect((await run(token)).status).toBe(201)
    expireMeasurements()
    expect(await usageOf(token)).toMatchObject({
      stored_bytes: deployed + 2,
      max_stored_bytes: null,
    })
  })
})
