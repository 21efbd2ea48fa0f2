/** Undo of steps over HTTP: what the run shows, what cancel does, and what a restart reuses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonValue } from '#core/json/value.ts'
import { sql } from '#store/sql.ts'
import { FLOW_RUNS, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
const SAGA = [
  { key: 'book', action: 'book', undo: { action: 'unbook', input: { id: '${results.book.id}' } } },
  {
    key: 'charge',
    action: 'charge',
    undo: {
      action: 'refund',
      input: { why: '${error.message}' },
      retry: { maxAttempts: 2, delayMs: 0 },
    },
  },
  { key: 'ship', action: 'ship' },
]
const TELL = {
  key: 'tell',
  action: 'tell',
  input: {
    order: '${input.order}',
    step: '${failedStep}',
    booked: '${results.book.id}',
    all: '${results}',
  },
}

const ran: (readonly [string, JsonValue])[] = []
const act =
  (name: string, fails = false) =>
  (input: JsonValue) => {
    ran.push([name, input])
    if (fails) throw new Error(`${name} failed`)
    return { id: name }
  }

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
    actions: {
      book: act('book'),
      unbook: act('unbook'),
      charge: act('charge'),
      refund: act('refund', true),
      ship: act('ship', true),
      tell: act('tell'),
    },
    flows: [
      { key: 'saga', steps: SAGA, failureModule: TELL },
      { key: 'waits', steps: [...SAGA.slice(0, 2), { key: 'ok', kind: 'approval' }] },
      {
        key: 'again',
        steps: [
          ...SAGA.slice(0, 1),
          { key: 'ok', kind: 'approval', approval: { allowSelfApproval: true } },
        ],
      },
      {
        key: 'tells',
        steps: [{ key: 'ok', kind: 'approval' }],
        failureModule: { ...TELL, onCancel: true },
      },
    ],
  })
})
afterAll(() => caller.app.close())

const cancel = (id: string) =>
  caller.call('POST', `${FLOW_RUNS}/${id}/cancel`, { reason: 'enough' })

describe('a run that fails', () => {
  it('undoes its steps in reverse order, once each, before its failure module', async () => {
    ran.length = 0
    const [book, charge] = [{ id: 'book' }, { id: 'charge' }]
    const id = await caller.start('saga', { order: 7 })
    await caller.work()
    expect(ran.slice(3)).toEqual([
      ['refund', { why: 'ship failed' }],
      ['refund', { why: 'ship failed' }],
      ['unbook', { id: 'book' }],
      ['tell', { order: 7, step: 'ship', booked: 'book', all: { book, charge } }],
    ])
    const run = await caller.run(id)
    expect(run).toMatchObject({ status: 'failed', error: { message: 'ship failed' } })
    expect(run.steps).toMatchObject([
      { key: 'book', kind: 'action', status: 'success', result: { id: 'book' } },
      { key: 'charge', kind: 'action', status: 'success' },
      { key: 'ship', kind: 'action', status: 'failure' },
      { key: 'charge', kind: 'undo', status: 'failure', attempt: 2, max_attempts: 2 },
      { key: 'book', kind: 'undo', status: 'success', attempt: 1, max_attempts: 1 },
      { key: 'tell', kind: 'failure_module', status: 'success' },
    ])
    expect(run.steps[3]?.job_ids).toHaveLength(2)
    const graph = await caller.call('GET', `${FLOW_RUNS}/${id}/graph`)
    expect(graph.json).toMatchObject({
      nodes: expect.arrayContaining([
        { id: 'step:book', kind: 'action', label: 'book', target: 'book', status: 'success' },
        { id: 'undo:charge', kind: 'undo', label: 'charge', target: 'refund', status: 'failure' },
      ]),
    })
  })

  it('is running while its steps are undone, and takes no cancel', async () => {
    const id = await caller.start('saga', { order: 7 })
    for (let step = 0; step < 3; step += 1) {
      for (const job of await caller.claim()) await caller.perform(job)
    }
    expect(await caller.run(id)).toMatchObject({
      status: 'running',
      current_step: { key: 'charge' },
      error: null,
    })
    expect((await cancel(id)).status).toBe(200)
    await caller.work()
    expect(await caller.run(id)).toMatchObject({ status: 'failed' })
  })

  it('is not taken up again behind a step that was undone', async () => {
    const id = await caller.start('saga', { order: 7 })
    await caller.work()
    const restart = (step: string) =>
      caller.call('POST', `${FLOW_RUNS}/${id}/restart`, { from_step: step })
    expect((await restart('ship')).json).toMatchObject({ code: 'step_not_done' })
    expect((await restart('book')).status).toBe(201)
    await caller.work()
  })
})

describe('a run that is canceled', () => {
  it('is running until its steps are undone, then canceled; a second cancel changes nothing', async () => {
    ran.length = 0
    const id = await caller.start('waits')
    await caller.work()
    const read = sql`SELECT version FROM flow_runs WHERE id = ${id}`
    expect((await cancel(id)).json).toMatchObject({ status: 'running' })
    const before = await caller.app.deps.db.one(read)
    expect((await cancel(id)).json).toMatchObject({ status: 'running' })
    expect(await caller.app.deps.db.one(read)).toEqual(before)
    await caller.work()
    expect(ran.slice(2).map(([name]) => name)).toEqual(['refund', 'refund', 'unbook'])
    expect(await caller.run(id)).toMatchObject({
      status: 'canceled',
      error: { name: 'Canceled', message: 'enough' },
      steps: [{}, {}, { key: 'ok', status: 'canceled' }, { kind: 'undo' }, { kind: 'undo' }],
    })
  })

  it('while a job runs, undoes what was done before it and discards what the job returns', async () => {
    const id = await caller.start('saga', {})
    for (const job of await caller.claim()) await caller.perform(job)
    const [charging] = await caller.claim()
    await cancel(id)
    if (charging === undefined) throw new Error('The second step has a job.')
    await caller.perform(charging)
    await caller.work()
    expect((await caller.run(id)).steps).toMatchObject([
      { key: 'book', status: 'success' },
      { key: 'charge', status: 'canceled', result: null },
      { key: 'ship', status: 'pending' },
      { key: 'book', kind: 'undo', status: 'success' },
    ])
  })

  it('runs its failure module with `onCancel`', async () => {
    ran.length = 0
    const id = await caller.start('tells', { order: 8 })
    await cancel(id)
    await caller.work()
    expect(ran).toEqual([['tell', { order: 8, step: null, booked: null, all: {} }]])
    expect(await caller.run(id)).toMatchObject({ status: 'canceled' })
  })

  it('does not undo steps that a restart took over', async () => {
    const first = await caller.start('again')
    await caller.work()
    await caller.call('POST', `${FLOW_RUNS}/${first}/approve`, {})
    expect(await caller.run(first)).toMatchObject({ status: 'completed' })
    const restarted = await caller.call('POST', `${FLOW_RUNS}/${first}/restart`, {
      from_step: 'ok',
    })
    const { flow_run_id: id } = z.object({ flow_run_id: z.string() }).parse(restarted.json)
    await cancel(id)
    expect(await caller.work()).toBe(0)
    const run = await caller.run(id)
    expect(run).toMatchObject({ status: 'canceled', steps: [{ status: 'success' }, {}] })
  })
})
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
