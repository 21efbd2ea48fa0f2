/** Steps that wait for events: before, during and after, with a timeout, once each, by tenant. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonValue } from '#core/json/value.ts'
import { deliverPendingEvents } from '#service/events/deliver-pending-events.ts'
import { sendEvent } from '#service/events/send-event.ts'
import { endWaits } from '#service/flows/end-waits.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { sql } from '#store/sql.ts'
import { WS } from '../support/create-test-app.ts'
import { FLOW_RUNS, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'
import { overtakenBy } from '../support/overtaken-by.ts'
import { runs } from '../support/runs.ts'

const ref = (path: string): string => `\${${path}}`
const EVENTS = `/api/w/${WS}/events`
const PAID = { kind: 'event', name: 'order.paid', match: ref('input.order') }

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
    actions: { echo: (input) => input },
    flows: [
      {
        key: 'order',
        steps: [
          { key: 'paid', ...PAID, timeoutS: 604_800, onTimeout: 'continue' },
          { key: 'use', action: 'echo' },
        ],
      },
      { key: 'strict', steps: [{ key: 'paid', ...PAID, timeoutS: 60 }] },
      {
        key: 'late',
        steps: [
          { key: 'ask', action: 'echo' },
          { key: 'first', ...PAID },
          { key: 'second', ...PAID },
        ],
      },
      { key: 'keyless', steps: [{ key: 'any', kind: 'event', name: 'tick' }] },
      {
        key: 'twice',
        steps: ['first', 'second'].map((key) => ({ key, kind: 'event', name: 'tock' })),
      },
      {
        key: 'rest',
        steps: [
          { key: 'paid', ...PAID },
          { key: 'pause', kind: 'sleep', forS: 60 },
        ],
      },
      { key: 'inside', steps: [{ key: 'paid', ...PAID }] },
      {
        key: 'outer',
        steps: [
          { key: 'below', kind: 'subflow', subflow: 'inside' },
          { key: 'use', action: 'echo' },
        ],
      },
    ],
  })
})
afterAll(() => caller.app.close())

let orders = 0
/** Returns a key that no other test uses. */
const newOrder = (): string => {
  orders += 1
  return `order ${orders}`
}

const send = async (key: string | undefined, data: JsonValue = null, more: object = {}) => {
  const body = { name: 'order.paid', ...(key === undefined ? {} : { key }), data, ...more }
  return caller.call('POST', EVENTS, body)
}

const deps = () => ({ ...caller.app.deps, ...enqueueDepsOf(caller.app.deps) })
const db = () => caller.app.deps.db

/** Clears the cache, because what is in the database must be enough to go on. */
const forgetRuns = (id: string): void => caller.app.deps.flows.runCache.forget({ ws: WS, id })

const passTime = async (id: string): Promise<void> => {
  await db().write([
    sql`UPDATE flow_runs SET wait_until = 1 WHERE ws = ${WS} AND id = ${id}`,
    sql`UPDATE event_waits SET timeout_at = 1 WHERE owner_id = ${id} AND status = 'open'`,
  ])
}

describe('an event', () => {
  it('wakes the run that waits for its name and key, with its data', async () => {
    const order = newOrder()
    const id = await caller.start('order', { order })
    const [other, keyless] = [
      await caller.start('order', { order: newOrder() }),
      await send(undefined),
    ]
    expect(keyless.json).toMatchObject({ delivered: 0 })
    forgetRuns(id)
    const answer = await send(order, { amount: 20 })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ delivered: 1 })
    await caller.work()
    const result = { received: true, data: { amount: 20 } }
    expect(await caller.run(id)).toMatchObject({
      status: 'completed',
      result,
      steps: [{ status: 'success', result }, {}],
    })
    expect((await caller.run(other)).status).toBe('running')
  })

  it('is shown with its key on the run that waits, to those who may send it', async () => {
    const order = newOrder()
    const id = await caller.start('order', { order })
    const path = `${FLOW_RUNS}/${id}`
    const until = expect.any(String)
    expect((await caller.call('GET', path)).json).toMatchObject({
      event_waits: [{ step: 'paid', name: 'order.paid', key: order, until }],
    })
    const reader = { token: await caller.app.token(['flows:read']) }
    expect((await caller.call('GET', path, undefined, reader)).json).not.toHaveProperty(
      'event_waits',
    )
    await send(order)
    await caller.work()
    expect((await caller.call('GET', path)).json).not.toHaveProperty('event_waits')
  })

  it('compares a number as text, and wakes a subflow and its parent', async () => {
    const id = await caller.start('outer', { order: 4_711 })
    expect((await send('4711', 1)).json).toMatchObject({ delivered: 1 })
    await caller.work()
    expect(await caller.run(id)).toMatchObject({
      status: 'completed',
      result: { received: true, data: 1 },
    })
  })

  it('wakes all that wait, of this workspace only, also beyond one page', async () => {
    const ids = await Promise.all(Array.from({ length: 230 }, () => caller.start('keyless')))
    const sent = await sendEvent(deps(), {
      ws: WS,
      name: 'tick',
      key: null,
      data: 'now',
      id: null,
      sentBy: 'test',
    })
    expect(sent).toMatchObject({ delivered: 230 })
    for (const id of [ids[0], ids.at(-1)]) {
      expect((await caller.run(id ?? '')).status).toBe('completed')
    }
  })

  it('wakes no wait that a run opens after it took the event, also beyond one page', async () => {
    const ids = await Promise.all(Array.from({ length: 230 }, () => caller.start('twice')))
    const tock = { ws: WS, name: 'tock', key: null, data: 'now', id: null, sentBy: 'test' }
    expect(await sendEvent(deps(), tock)).toMatchObject({ delivered: 230 })
    const [run] = await Promise.all(ids.slice(0, 1).map(caller.run))
    expect(run).toMatchObject({ status: 'running', current_step: { key: 'second' } })
  })

  it('counts once for each id', async () => {
    const order = newOrder()
    await caller.start('order', { order })
    const first = await send(order, 1, { id: `psp ${order}` })
    expect(first.json).toEqual({ event_id: `psp ${order}`, delivered: 1 })
    const id = await caller.start('order', { order })
    const again = await send(order, 2, { id: `psp ${order}` })
    expect(again.json).toEqual(first.json)
    expect((await caller.run(id)).status).toBe('running')
  })

  it('that came after the run began is found by a wait that opens later; each counts once', async () => {
    const order = newOrder()
    await send(order, 'before the run')
    await new Promise((resolve) => setTimeout(resolve, 5))
    const id = await caller.start('late', { order })
    await send(order, 'one')
    expect((await send(order, 'two')).json).toMatchObject({ delivered: 0 })
    await caller.work()
    await endWaits(caller.app.deps)
    await endWaits(caller.app.deps)
    const { status, steps } = await caller.run(id)
    expect(status).toBe('completed')
    expect(steps.slice(1).map(({ result }) => result)).toEqual([
      { received: true, data: 'one' },
      { received: true, data: 'two' },
    ])
  })

  it('is refused with a bad name or field', async () => {
    for (const body of [
      { name: 'Paid' },
      { name: '' },
      {},
      { name: 'a', extra: 1 },
      { name: 'a', key: '' },
    ]) {
      expect((await caller.call('POST', EVENTS, body)).status).toBe(400)
    }
    const reader = await caller.app.token(['flows:read'])
    const answer = await caller.call('POST', EVENTS, { name: 'a' }, { token: reader })
    expect(answer.status).toBe(403)
  })

  it('is encrypted at rest', async () => {
    await send(newOrder(), 'a secret word')
    const rows = await db().all(sql`SELECT data FROM events`)
    expect(rows.some(({ data }) => String(data).includes('secret word'))).toBe(false)
  })
})

describe('a wait', () => {
  it('that times out goes on or fails, and no event wakes it afterwards', async () => {
    for (const flow of ['order', 'strict']) {
      const order = newOrder()
      const id = await caller.start(flow, { order })
      await passTime(id)
      expect((await send(order)).json).toMatchObject({ delivered: 0 })
      await endWaits(caller.app.deps)
      await caller.work()
      expect(await caller.run(id)).toMatchObject(
        flow === 'order'
          ? { status: 'completed', result: { received: false } }
          : { status: 'failed', error: { name: 'EventTimeout' }, steps: [{ status: 'timed_out' }] },
      )
    }
  })

  it('takes the event when it came in time, though its run goes on after the timeout', async () => {
    const order = newOrder()
    const id = await caller.start('order', { order })
    // the process ends right after the write, so it does not take the run further
    const broken = {
      ...deps(),
      flows: {
        ...deps().flows,
        queue: { ...deps().flows.queue, add: async () => Promise.reject(new Error('gone')) },
      },
    }
    const request = { ws: WS, name: 'order.paid', key: order, data: 7, id: null, sentBy: 'test' }
    expect(await sendEvent(broken, request)).toMatchObject({ delivered: 1 })
    expect((await caller.run(id)).status).toBe('running')
    await passTime(id)
    await endWaits(deps())
    await caller.work()
    expect(await caller.run(id)).toMatchObject({ result: { received: true, data: 7 } })
  })

  it('of a canceled run takes no event', async () => {
    const order = newOrder()
    const id = await caller.start('order', { order })
    await caller.call('POST', `${FLOW_RUNS}/${id}/cancel`, {})
    expect((await send(order)).json).toMatchObject({ delivered: 0 })
  })

  it('leaves the time of the next step to itself when a second event comes too late', async () => {
    const order = newOrder()
    const id = await caller.start('rest', { order })
    const event = { ws: WS, name: 'order.paid', key: order, id: null, sentBy: 'test' }
    const slow = overtakenBy(deps(), async () => {
      expect(await sendEvent(deps(), { ...event, data: 1 })).toMatchObject({ delivered: 1 })
    })
    await sendEvent(slow, { ...event, data: 2 })
    await endWaits(deps())
    expect(await caller.run(id)).toMatchObject({
      status: 'running',
      steps: [{ status: 'success', result: { data: 1 } }, { status: 'running' }],
    })
  })

  it('is woken by an event whose delivery a crash has interrupted', async () => {
    const order = newOrder()
    const id = await caller.start('order', { order })
    const { event_id } = z.object({ event_id: z.string() }).parse((await send(newOrder(), 3)).json)
    await db().write([
      sql`UPDATE events SET pending = 1, key = ${order}, at = at - 60000 WHERE id = ${event_id}`,
    ])
    await deliverPendingEvents(deps())
    await caller.work()
    expect(await caller.run(id)).toMatchObject({ result: { received: true, data: 3 } })
  })

  it('misses no event and takes none twice, in whatever order runs, events and turns come', async () => {
    const act = fc.constantFrom('start', 'event', 'turn', 'work')
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 10 }), async (acts) => {
        const order = newOrder()
        const ids: string[] = []
        let sent = 0
        const steps = acts.map(async (each) => {
          if (each === 'start') ids.push(await caller.start('late', { order }))
          if (each === 'event') {
            sent += 1
            await send(order, sent)
          }
          if (each === 'turn') await endWaits(caller.app.deps)
          if (each === 'work') await caller.work()
        })
        await Promise.all(steps)
        // two more events are enough for every run, whichever it missed by starting late
        for (let more = 0; more < 2; more += 1) {
          await caller.work()
          for (let turn = 0; turn < 3; turn += 1) await endWaits(caller.app.deps)
          sent += 1
          await send(order, sent)
        }
        for (let turn = 0; turn < 3; turn += 1) await endWaits(caller.app.deps)
        for (const id of ids) {
          const run = await caller.run(id)
          expect(run.status).toBe('completed')
          const [first, second] = run.steps.slice(1).map(({ result }) => JSON.stringify(result))
          expect(first).not.toBe(second)
        }
      }),
      { numRuns: runs({ short: 30, long: 300 }) },
    )
  })
})
