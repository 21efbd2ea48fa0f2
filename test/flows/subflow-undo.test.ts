/** Undo of subflows that the run above cancels [flows 15.8], with both databases. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '#core/json/value.ts'
import { cancelMarkedRuns } from '#service/flows/cancel-run.ts'
import { sql } from '#store/sql.ts'
import { APP_BACKENDS, type AppBackend } from '../support/app-backends.ts'
import { FLOW_RUNS, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

const FAILS = 'fails'
const ran: string[] = []
/** Records what it was called for, and fails if its input requests that. */
const act =
  (verb: string) =>
  (input: JsonValue): JsonValue => {
    const { name = '', fails = false } = input as { name?: string; fails?: boolean }
    ran.push(`${verb} ${name}`)
    if (fails) throw new Error(`${name} failed`)
    return { name }
  }

const does = (name: string, more: object = {}) => ({
  key: name,
  action: 'do',
  input: { name },
  undo: { action: 'undo', input: { name } },
  ...more,
})
const below = (key: string, subflow: string) => ({ key, kind: 'subflow', subflow })
const OK = { key: 'ok', kind: 'approval' }
const breaks = { key: 'breaks', action: 'do', input: { name: FAILS, fails: true } }

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation
const FLOWS = [
  { key: 'leaf', steps: [does('b'), does('c'), OK] },
  { key: 'middle', steps: [does('m'), below('down', 'leaf')] },
  { key: 'top', steps: [does('a'), below('sub', 'leaf')] },
  { key: 'three', steps: [does('a'), below('sub', 'middle')] },
  { key: 'plain', steps: [{ key: 'p', action: 'do', input: { name: 'p' } }, OK] },
  { key: 'over-plain', steps: [does('a'), below('sub', 'plain')] },
  { key: 'bare', steps: [below('sub', 'leaf')] },
  { key: 'breaking', steps: [does('x'), { key: 'pause', action: 'wait' }, breaks] },
  {
    key: 'arms',
    steps: [
      does('a'),
      {
        key: 'all',
        kind: 'branchall',
        branches: [
          { key: 'one', subflow: 'leaf' },
          { key: 'two', subflow: 'breaking' },
          { key: 'three', action: 'wait' },
        ],
      },
    ],
    failureModule: { key: 'tell', action: 'do', input: { name: 'tell' } },
  },
  {
    key: 'loop',
    steps: [
      does('a'),
      {
        key: 'each',
        kind: 'forloop_parallel',
        subflow: 'item',
        atOnce: 3,
        items: [0, 1, 2, 3, 4],
        input: { at: '${item}' },
      },
    ],
  },
  {
    key: 'item',
    steps: [
      does('i', {
        input: { name: '${input.at}' },
        undo: { action: 'undo', input: { name: '${input.at}' } },
      }),
      OK,
    ],
  },
]
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation

describe.each(APP_BACKENDS)('a subflow that is canceled, on %s', (_, open) => {
  let caller: FlowCaller
  let place: AppBackend
  beforeAll(async () => {
    place = await open()
    caller = await openFlowCaller({
      actions: { do: act('do'), undo: act('undo'), wait: () => null },
      flows: FLOWS,
      app: place.app,
    })
  })
  afterAll(async () => {
    await caller.app.close()
    await place.close()
  })
  beforeEach(() => {
    ran.length = 0
  })

  const cancel = (id: string) =>
    caller.call('POST', `${FLOW_RUNS}/${id}/cancel`, { reason: 'enough' })
  const runsOf = (flow: string) =>
    caller.app.deps.db.all(
      sql`SELECT id, status, cancel_reason FROM flow_runs WHERE flow = ${flow} ORDER BY id DESC`,
    )
  const lastOf = async (flow: string) => caller.run(String((await runsOf(flow))[0]?.id))
  const undone = () => ran.filter((each) => each.startsWith('undo'))

  it('undoes its steps before those of the run above', async () => {
    const id = await caller.start('top')
    await caller.work()
    expect((await cancel(id)).json).toMatchObject({
      status: 'running',
      current_step: { key: 'sub' },
    })
    expect((await cancel(id)).json).toMatchObject({ status: 'running' })
    await caller.work()
    expect(undone()).toEqual(['undo c', 'undo b', 'undo a'])
    expect(await caller.run(id)).toMatchObject({
      status: 'canceled',
      error: { name: 'Canceled', message: 'enough' },
      steps: [{ status: 'success' }, { key: 'sub', status: 'canceled' }, { kind: 'undo' }],
    })
    expect(await lastOf('leaf')).toMatchObject({
      status: 'canceled',
      error: { name: 'Canceled' },
      steps: [{}, {}, { key: 'ok', status: 'canceled' }, { kind: 'undo' }, { kind: 'undo' }],
    })
  })

  it('does so at every level', async () => {
    const id = await caller.start('three')
    await caller.work()
    await cancel(id)
    await caller.work()
    expect(undone()).toEqual(['undo c', 'undo b', 'undo m', 'undo a'])
    expect(await caller.run(id)).toMatchObject({ status: 'canceled' })
    expect(await lastOf('middle')).toMatchObject({ status: 'canceled' })
  })

  it('keeps a run that has nothing to undo itself from ending before it', async () => {
    const id = await caller.start('bare')
    await caller.work()
    expect((await cancel(id)).json).toMatchObject({ status: 'running' })
    await caller.work()
    expect(undone()).toEqual(['undo c', 'undo b'])
    expect(await caller.run(id)).toMatchObject({ status: 'canceled' })
  })

  it('ends at once where nothing below is to be undone', async () => {
    const id = await caller.start('over-plain')
    await caller.work()
    await cancel(id)
    expect(await lastOf('plain')).toMatchObject({ status: 'canceled' })
    await caller.work()
    expect(undone()).toEqual(['undo a'])
    expect(await caller.run(id)).toMatchObject({ status: 'canceled' })
  })

  it('discards what its running job returns, and ends the job as canceled', async () => {
    const id = await caller.start('top')
    for (let step = 0; step < 2; step += 1) {
      for (const job of await caller.claim()) await caller.perform(job)
    }
    const [late] = await caller.claim()
    if (late === undefined) throw new Error('The second step of the subflow has a job.')
    await cancel(id)
    await cancelMarkedRuns(caller.app.deps)
    expect(await caller.perform(late)).toBe('canceled')
    await caller.work()
    expect(undone()).toEqual(['undo b', 'undo a'])
    expect(await caller.run(id)).toMatchObject({ status: 'canceled' })
  })

  it('takes the cancel up before the end of a job that comes first', async () => {
    const id = await caller.start('top')
    for (let step = 0; step < 2; step += 1) {
      for (const job of await caller.claim()) await caller.perform(job)
    }
    const [early] = await caller.claim()
    if (early === undefined) throw new Error('The second step of the subflow has a job.')
    await cancel(id)
    await caller.perform(early)
    expect(await lastOf('leaf')).toMatchObject({
      status: 'running',
      steps: [{ status: 'success' }, { key: 'c', status: 'canceled' }, {}, { kind: 'undo' }],
    })
    expect(await runsOf('leaf')).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ status: 'running', cancel_reason: null })]),
    )
    await caller.work()
    expect(undone()).toEqual(['undo b', 'undo a'])
    expect(await caller.run(id)).toMatchObject({ status: 'canceled' })
  })

  it('with siblings, when one of them fails: all have ended before the run above undoes a step', async () => {
    const id = await caller.start('arms')
    await caller.work()
    expect(undone().at(-1)).toBe('undo a')
    expect(undone().toSorted()).toEqual(['undo a', 'undo b', 'undo c', 'undo x'])
    expect(undone().indexOf('undo c')).toBeLessThan(undone().indexOf('undo b'))
    expect(ran.at(-1)).toBe('do tell')
    expect(await caller.run(id)).toMatchObject({
      status: 'failed',
      error: { message: 'fails failed' },
      steps: [{}, { key: 'all', status: 'failure' }, { kind: 'undo' }, { key: 'tell' }],
    })
    expect(await lastOf('leaf')).toMatchObject({ status: 'canceled' })
    expect(await lastOf('breaking')).toMatchObject({ status: 'failed' })
  })

  it('in a loop, undoes those that began and starts no others', async () => {
    const id = await caller.start('loop')
    await caller.work()
    await cancel(id)
    await caller.work()
    expect(undone().slice(0, 3).toSorted()).toEqual(['undo 0', 'undo 1', 'undo 2'])
    expect(undone().slice(3)).toEqual(['undo a'])
    expect(ran.filter((each) => each.startsWith('do'))).toHaveLength(4)
    expect(await caller.run(id)).toMatchObject({ status: 'canceled' })
  })

  it('while it undoes its steps already, undoes each of them once', async () => {
    const id = await caller.start('arms')
    while ((await lastOf('breaking').catch(() => null))?.current_step?.index !== 6) {
      for (const job of await caller.claim(1)) await caller.perform(job)
    }
    await cancel(id)
    await caller.work()
    expect(undone().toSorted()).toEqual(['undo a', 'undo b', 'undo c', 'undo x'])
    expect(undone().at(-1)).toBe('undo a')
    expect(await caller.run(id)).toMatchObject({ status: 'canceled' })
  })
})
