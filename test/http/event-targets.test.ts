/** What apps start on events: deployed with the app, started once each, as the person who deployed them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AppError } from '#core/error.ts'
import { createWaitDuty } from '#scheduler/duties/end-waits.ts'
import { deliverPendingEvents } from '#service/events/deliver-pending-events.ts'
import { sendEvent } from '#service/events/send-event.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { findWorkDue } from '#store/work-due.ts'
import { packApp, toUpload } from '../support/bundle-archive.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

const api = (path: string): string => `/api/w/${WS}${path}`

let app: TestApp
let token = ''
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
})
afterAll(() => app.close())

const manifest = (events: string): string => `key: shop
actions:
  - key: ship
    entrypoint: ship.ts
    inputSchema: { type: object, required: [order] }
  - { key: note, entrypoint: ship.ts }
  - { key: quiet, entrypoint: ship.ts, debounce: { key: all, quietS: 60, maxS: 600 } }
flows:
  - key: refund
    steps: [{ key: ship, action: note }]
${events}`

const deploy = async (events: string, path = '/deployments') => {
  const files = { 'app.yaml': manifest(events), 'ship.ts': 'export const main = () => 1\n' }
  return app.call('POST', api(path), { token, ...(await toUpload(await packApp(files))) })
}
const send = (name: string, data: unknown, more: object = {}) =>
  app.call('POST', api('/events'), { token, json: { name, data, ...more } })

const jobs = z.object({ items: z.array(z.looseObject({ id: z.string(), created_by: z.string() })) })
const listJobs = async (query = '') =>
  jobs.parse((await app.call('GET', api(`/jobs?trigger_kind=event${query}`), { token })).json).items

const SLEEPS = '  - key: rest\n    steps: [{ key: only, kind: sleep, forS: 60 }]\n'
const PAID = 'events: [{ name: order.paid, action: ship }, { name: order.paid, flow: refund }]\n'

describe('events of a manifest', () => {
  it('are part of the plan and of the deployment', async () => {
    expect((await deploy(PAID)).status).toBe(201)
    const plan = await deploy('events: [{ name: order.lost, action: note }]\n', '/deployments/plan')
    expect(plan.json).toMatchObject({
      added: [{ kind: 'event', key: 'order.lost' }],
      removed: [{ kind: 'event', key: 'order.paid' }],
    })
    const changed = await deploy(
      'events: [{ name: order.paid, action: note }]\n',
      '/deployments/plan',
    )
    expect(changed.json).toMatchObject({ changed: [{ kind: 'event', key: 'order.paid' }] })
  })

  it.each([
    ['events: [{ name: a, action: none }]\n', 'there is no action'],
    ['events: [{ name: a, flow: none }]\n', 'there is no flow'],
    ['events: [{ name: A, action: note }]\n', 'lower-case'],
    ['events: [{ name: a }]\n', 'either action or flow'],
    ['events: [{ name: a, action: note }, { name: a, action: note }]\n', 'occurs twice'],
  ])('%s are refused', async (events, message) => {
    const answer = await deploy(events)
    expect(answer.status).toBe(422)
    expect(JSON.stringify(answer.json)).toContain(message)
  })

  it('start each target once, with the data, as the deployer, whatever the key', async () => {
    await deploy(PAID)
    const sent = await send('order.paid', { order: 7 }, { key: 'k', id: 'psp-1' })
    expect(sent.json).toEqual({ event_id: 'psp-1', delivered: 2 })
    expect((await send('order.paid', { order: 8 }, { id: 'psp-1' })).json).toEqual(sent.json)
    const started = await listJobs()
    expect(started.map((job) => job.created_by)).toEqual(['event:psp-1', 'event:psp-1'])
    for (const { id } of started) {
      const job = await app.call('GET', api(`/jobs/${id}`), { token })
      expect(job.json).toMatchObject({ trigger_kind: 'event', input: { order: 7 } })
    }
    const runs = await app.call('GET', api('/flow-runs'), { token })
    expect(runs.json).toMatchObject({
      items: [
        {
          trigger_kind: 'event',
          created_by: 'event:psp-1',
          created_by_name: 'order.paid',
          flow: 'refund',
        },
      ],
    })
  })

  it('are counted alike for all calls with one id that come at once', async () => {
    const before = (await listJobs()).length
    const calls = Array.from({ length: 8 }, () => send('order.paid', { order: 3 }, { id: 'psp-2' }))
    const answers = await Promise.all(calls)
    expect(answers.map(({ json }) => json)).toEqual(
      answers.map(() => ({ event_id: 'psp-2', delivered: 2 })),
    )
    expect((await listJobs()).length).toBe(before + 2)
  })

  it('do not start what the input does not fit, nor what is no longer deployed', async () => {
    const before = (await listJobs()).length
    expect((await send('order.paid', { wrong: 1 })).json).toMatchObject({ delivered: 1 })
    expect((await listJobs()).length).toBe(before + 1)
    await deploy('')
    expect((await send('order.paid', { order: 9 })).json).toMatchObject({ delivered: 0 })
    expect((await listJobs()).length).toBe(before + 1)
  })

  it('start what a crash has held up, once', async () => {
    await deploy(PAID)
    await send('order.paid', { order: 10 })
    const before = (await listJobs()).length
    const { db } = app.deps
    await db.write([
      sql`UPDATE event_starts SET status = 'pending', started_id = NULL, at = at - 60000
        WHERE kind = 'action' AND id = (SELECT max(id) FROM event_starts WHERE kind = 'action')`,
    ])
    const deps = { ...app.deps, ...enqueueDepsOf(app.deps) }
    await deliverPendingEvents(deps)
    await deliverPendingEvents(deps)
    expect((await listJobs()).length).toBe(before + 1)
  })

  it('start and let waits end, also behind one whose event cannot be read', async () => {
    const { db } = app.deps
    await deploy(PAID)
    const [bad, good] = [
      await send('order.paid', { order: 21 }),
      await send('order.paid', { order: 22 }),
    ]
    const idOf = ({ json }: typeof bad) => z.object({ event_id: z.string() }).parse(json).event_id
    await db.write([
      sql`UPDATE event_starts SET status = 'pending', started_id = NULL, at = at - 60000
        WHERE kind = 'action' AND event_id IN (${idOf(bad)}, ${idOf(good)})`,
      sql`UPDATE events SET data = 'v2.AAAA' WHERE id = ${idOf(bad)}`,
    ])
    const before = (await listJobs()).length
    const deps = { ...app.deps, ...enqueueDepsOf(app.deps) }
    let ended = 0
    const log = {
      debug: () => undefined,
      info: () => {
        ended += 1
      },
      warn: () => undefined,
      error: () => undefined,
    }
    expect((await deploy(SLEEPS)).status).toBe(201)
    const run = await app.call('POST', api('/flows/run/shop/rest'), { token, json: {} })
    expect(run.status).toBe(201)
    await db.write([sql`UPDATE flow_runs SET wait_until = 1 WHERE flow = 'rest'`])
    const duty = createWaitDuty({ ...deps, log })
    await expect(duty.runOnce(new AbortController().signal)).rejects.toThrow()
    expect((await listJobs()).length).toBe(before + 1)
    expect(ended).toBe(1)
    await db.write([sql`DELETE FROM event_starts WHERE event_id = ${idOf(bad)}`])
  })

  it('give up starts whose event cannot be read, so that those behind them start', async () => {
    const { db } = app.deps
    await deploy(PAID)
    await send('order.paid', { order: 30 }, { id: 'damaged' })
    await send('order.paid', { order: 31 }, { id: 'sound' })
    const damaged = Array.from(
      { length: 25 },
      (
        _,
        at,
      ) => sql`INSERT INTO event_starts (id, ws, event_id, app, kind, target, permissioned_as, at)
        VALUES (${`damaged-${at}`}, ${WS}, 'damaged', 'shop', 'action', 'ship', 'ada@example.com', 1)`,
    )
    await db.write([
      ...damaged,
      sql`UPDATE events SET data = 'v2.AAAA' WHERE id = 'damaged'`,
      sql`UPDATE event_starts SET status = 'pending', started_id = NULL, at = at - 60000
        WHERE kind = 'action' AND event_id = 'sound'`,
    ])
    const before = (await listJobs()).length
    const deps = { ...app.deps, ...enqueueDepsOf(app.deps) }
    for (let turn = 0; turn < 2; turn += 1) {
      await expect(deliverPendingEvents(deps)).rejects.toThrow()
    }
    expect((await listJobs()).length).toBe(before + 1)
    await deliverPendingEvents(deps)
    const audit = await app.call(
      'GET',
      api('/audit?action=event.unreadable&actor=ada@example.com'),
      { token },
    )
    expect(audit.json).toMatchObject({
      items: damaged.map(() => ({ identity: 'ada@example.com', target: 'damaged shop/ship' })),
    })
  })

  it('start once, also if the node ends right after the event joined a debounced job', async () => {
    const deps = { ...app.deps, ...enqueueDepsOf(app.deps) }
    await deploy('events: [{ name: order.moved, action: quiet }]\n')
    await app.call('POST', api('/jobs/run/shop/quiet'), { token, json: { to: 'first' } })
    const passFault = (at: string) => {
      if (at === 'enqueue_committed') throw new Error('The node ends here.')
    }
    const event = { name: 'order.moved', key: null, id: null, sentBy: 'test', ws: WS }
    await sendEvent({ ...deps, passFault }, { ...event, data: { to: 'event' } }).catch(() => null)
    // the job runs before another node continues
    await deps.db.write([
      sql`UPDATE jobs SET run_at = 1, ready = 1 WHERE action = 'quiet' AND status = 'queued'`,
      sql`UPDATE event_starts SET at = at - 60000 WHERE status = 'pending'`,
    ])
    const [job, ...others] = await claimJobs(deps, {
      worker: 'w1',
      tags: ['default'],
      limit: 10,
      leaseMs: 60_000,
    }).then((claimed) => claimed.filter(({ action }) => action === 'quiet'))
    expect([JSON.parse(job?.inputJson ?? ''), others]).toEqual([{ to: 'event' }, []])
    await deliverPendingEvents(deps)
    const queued = sql`SELECT count(*) AS n FROM jobs WHERE action = 'quiet' AND status = 'queued'`
    expect(await deps.db.one(queued)).toEqual({ n: 0 })
  })

  it('replace no newer input of a debounced job once there is room', async () => {
    const deps = { ...app.deps, ...enqueueDepsOf(app.deps) }
    await deploy('events: [{ name: order.moved, action: quiet }]\n')
    const full = () => Promise.reject(new AppError('rate_limited', 'The queue is full.'))
    const gate = { ...deps.gate, check: full, pass: full }
    const event = { name: 'order.moved', key: null, id: null, sentBy: 'test', ws: WS }
    const { eventId } =
      (await sendEvent({ ...deps, gate }, { ...event, data: { to: 'old' } })) ?? {}
    const run = await app.call('POST', api('/jobs/run/shop/quiet'), { token, json: { to: 'new' } })
    await deps.db.write([sql`UPDATE event_starts SET at = at - 60000 WHERE status = 'pending'`])
    await deliverPendingEvents(deps)
    const { job_id: id } = z.object({ job_id: z.string() }).parse(run.json)
    const job = await app.call('GET', api(`/jobs/${id}`), { token })
    expect(job.json).toMatchObject({ status: 'queued', input: { to: 'new' }, trigger_kind: 'api' })
    const starts = sql`SELECT status, started_id FROM event_starts WHERE event_id = ${eventId ?? ''}`
    expect(await deps.db.all(starts)).toEqual([{ status: 'started', started_id: id }])
    expect(await listJobs('&action=quiet&status=queued')).toEqual([])
  })

  it('start when there is room, which the scheduler notices, and wait for no other workspace', async () => {
    const { db } = app.deps
    const deps = { ...app.deps, ...enqueueDepsOf(app.deps) }
    await deploy(PAID)
    await createWorkspace(deps, { id: 'busy', name: 'Busy' })
    const event = { name: 'order.paid', key: null, data: {}, id: null, sentBy: 'test' }
    const { eventId } = (await sendEvent(deps, { ...event, ws: 'busy' })) ?? {}
    const waiting = Array.from(
      { length: 30 },
      (
        _,
        at,
      ) => sql`INSERT INTO event_starts (id, ws, event_id, app, kind, target, permissioned_as, at)
        VALUES (${`busy-${at}`}, 'busy', ${eventId ?? ''}, 'shop', 'flow', 'refund', 'test', 1)`,
    )
    const full = () => Promise.reject(new AppError('rate_limited', 'The queue is full.'))
    const gate = { ...deps.gate, check: full, pass: full }
    await sendEvent({ ...deps, gate }, { ...event, ws: WS, data: { order: 11 } })
    const before = (await listJobs()).length
    await db.write([...waiting, sql`UPDATE event_starts SET at = at - 60000 WHERE ws = ${WS}`])
    expect((await findWorkDue(db)).pendingEventAgeMs).toBeGreaterThan(10_000)
    const check = (ws: string) => (ws === 'busy' ? full() : deps.gate.check(ws))
    await deliverPendingEvents({ ...deps, gate: { ...deps.gate, check } })
    expect((await listJobs()).length).toBe(before + 2)
    await db.write([sql`DELETE FROM event_starts WHERE ws = 'busy'`])
    expect((await findWorkDue(db)).pendingEventAgeMs).toBeNull()
  })
})
