/** The steps of a run are subject to the same quota as a run [flows 12.3]: while the queue is full, the run waits for room. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { admitSteps } from '#service/flows/admit-steps.ts'
import { createFlowEngine } from '#service/flows/engine.ts'
import { createQueueGate } from '#service/queue/queue-gate.ts'
import { sql } from '#store/sql.ts'
import { findWorkDue } from '#store/work-due.ts'
import { WS } from '../support/create-test-app.ts'
import { APP, FLOW_RUNS, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

const QUEUE_MAX = 5
const ref = (path: string): string => `\${${path}}`
const ITEMS = Array.from({ length: 20 }, (_, at) => at)

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
    app: { queueMax: QUEUE_MAX },
    actions: { echo: (input) => input, other: (input) => ({ other: input }) },
    flows: [
      {
        key: 'chain',
        steps: [
          { key: 'a', action: 'echo' },
          { key: 'b', action: 'echo', input: { from: ref('results.a') } },
        ],
      },
      { key: 'below', steps: [{ key: 'sub', kind: 'subflow', subflow: 'chain' }] },
      {
        key: 'arms',
        steps: [
          { key: 'a', action: 'echo' },
          {
            key: 'one',
            kind: 'branchone',
            branches: [
              { key: 'no', condition: 'results.a.n == 2', action: 'echo' },
              { key: 'yes', condition: 'results.a.n == 1', action: 'other' },
            ],
          },
          {
            key: 'all',
            kind: 'branchall',
            branches: [
              { key: 'x', action: 'echo', input: 1 },
              { key: 'y', action: 'other', input: 2 },
            ],
          },
        ],
      },
      { key: 'maybe', steps: [{ key: 'one', action: 'echo', skipIf: 'input.skip' }] },
      {
        key: 'last-at-once',
        steps: [
          {
            key: 'each',
            kind: 'forloop',
            subflow: 'maybe',
            items: [{ skip: false }, { skip: true }],
          },
        ],
      },
      {
        key: 'loop',
        steps: [
          { key: 'a', action: 'echo' },
          {
            key: 'each',
            kind: 'forloop_parallel',
            action: 'echo',
            items: ITEMS,
            input: { n: ref('item'), of: ref('results.a.n') },
          },
        ],
      },
    ],
  })
})
afterAll(() => caller.app.close())

const { stringify } = JSON
const queued = async (): Promise<number> => {
  const { db } = caller.app.deps
  const row = await db.one(sql`SELECT count(*) AS n FROM jobs WHERE status = 'queued'`)
  return Number(row?.n)
}
/** Other jobs, as many as the queue takes, which no worker claims. */
const fill = async (): Promise<void> => {
  const { db } = caller.app.deps
  for (let at = await queued(); at < QUEUE_MAX; at += 1) {
    await expect
      .poll(async () => {
        const path = `/api/w/${WS}/jobs/run/${APP}/echo?tag=idle`
        return (await caller.call('POST', path, { at })).status
      })
      .toBe(201)
  }
  expect(await queued()).toBe(QUEUE_MAX)
  const tags = await db.all(sql`SELECT DISTINCT tag FROM jobs WHERE status = 'queued'`)
  expect(stringify(tags)).toContain('idle')
}
const drain = (count: number) =>
  caller.app.deps.db.write([
    sql`DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE status = 'queued'
      AND tag = 'idle' LIMIT ${count})`,
  ])
/** The dependencies of another process, or of this one after a restart. */
const restarted = () => {
  const { deps } = caller.app
  return {
    ...deps,
    gate: createQueueGate(deps),
    flows: createFlowEngine(deps),
  }
}
/** A run whose first step ended while the queue was full. */
const startFull = async (flow: string): Promise<string> => {
  const id = await caller.start(flow, { n: 1 })
  const [first] = await caller.claim()
  if (first === undefined) throw new Error('The run has not begun.')
  await fill()
  expect(await caller.perform(first)).toBe('success')
  return id
}
/** Works and admits until the run has ended. */
const finish = async (id: string) => {
  await expect
    .poll(
      async () => {
        await admitSteps(caller.app.deps)
        expect(await queued()).toBeLessThanOrEqual(QUEUE_MAX)
        await caller.work()
        return (await caller.run(id)).status
      },
      { timeout: 90_000 },
    )
    .not.toBe('running')
  return caller.run(id)
}

beforeEach(async () => {
  await drain(100)
  // the gate caches its last count for a while
  await expect.poll(() => caller.app.deps.gate.room(WS)).toBe(QUEUE_MAX)
})

describe('with the queue full', { timeout: 120_000 }, () => {
  it('the next step waits, and goes on when there is room', async () => {
    const id = await startFull('chain')
    expect(await queued()).toBe(QUEUE_MAX)
    expect(await caller.run(id)).toMatchObject({
      status: 'running',
      steps: [{ status: 'success' }, { status: 'running', job_ids: [] }],
    })
    expect(await admitSteps(restarted())).toBe(true)
    expect(await queued()).toBe(QUEUE_MAX)
    await drain(1)
    expect(await admitSteps(restarted())).toBe(false)
    expect(await queued()).toBe(QUEUE_MAX)
    expect(await caller.work()).toBe(1)
    expect(await caller.run(id)).toMatchObject({
      status: 'completed',
      result: { from: { n: 1 } },
    })
    expect(await admitSteps(restarted())).toBe(false)
  })

  it('arms wait too, and the right one begins', async () => {
    const id = await startFull('arms')
    await drain(100)
    expect(await finish(id)).toMatchObject({
      status: 'completed',
      result: { x: 1, y: { other: 2 } },
      steps: [{}, { result: { other: { n: 1 } }, job_ids: [expect.anything()] }, {}],
    })
  })

  it('a loop has as many items under way as there is room for', async () => {
    const id = await startFull('loop')
    await drain(3)
    // the items that are left need another turn soon
    expect(await admitSteps(restarted())).toBe(true)
    expect(await queued()).toBe(QUEUE_MAX)
    const jobs = await caller.claim()
    expect(jobs).toHaveLength(3)
    for (const job of jobs) await caller.perform(job)
    const run = await finish(id)
    expect(run).toMatchObject({
      status: 'completed',
      result: ITEMS.map((n) => ({ n, of: 1 })),
    })
    expect(run.steps[1]?.job_ids).toHaveLength(ITEMS.length)
  })

  it.each(['loop', 'below'])('a run that waits can be canceled: %s', async (flow) => {
    const id = await startFull(flow)
    const { db } = caller.app.deps
    expect(await findWorkDue(db)).toMatchObject({ hasRunsAwaitingRoom: true })
    expect((await caller.call('POST', `${FLOW_RUNS}/${id}/cancel`, {})).status).toBe(200)
    expect((await caller.run(id)).status).toBe('canceled')
    await drain(100)
    expect(await findWorkDue(db)).toMatchObject({ hasRunsAwaitingRoom: false })
    expect(await db.one(sql`SELECT 1 FROM flow_runs WHERE awaits_room = 1`)).toBeNull()
    expect(await caller.claim()).toEqual([])
  })

  it('a run whose data cannot be read fails, and those behind it go on', async () => {
    const damaged = await caller.start('chain', { n: 1 })
    const behind = await caller.start('chain', { n: 1 })
    const first = await caller.claim()
    await fill()
    await Promise.all(first.map(caller.perform))
    const { db } = caller.app.deps
    const awaits = sql`SELECT id FROM flow_runs WHERE awaits_room = 1 ORDER BY id`
    expect(await db.all(awaits)).toEqual([{ id: damaged }, { id: behind }])
    // as if the database had been changed by others
    await db.write([sql`UPDATE flow_runs SET input = 'v2.AAAA' WHERE id = ${damaged}`])
    await drain(100)
    await admitSteps(restarted())
    await caller.work()
    expect(await caller.run(behind)).toMatchObject({ status: 'completed' })
    const failed = sql`SELECT status FROM flow_runs WHERE id = ${damaged}`
    expect(await db.one(failed)).toEqual({ status: 'failed' })
  })

  it('a loop whose last item ends as it starts ends without room', async () => {
    const id = await startFull('last-at-once')
    expect((await caller.run(id)).status).toBe('running')
    await admitSteps(restarted())
    expect(await queued()).toBe(QUEUE_MAX)
    expect(await caller.run(id)).toMatchObject({
      status: 'completed',
      result: [{ skip: false }, { skip: true }],
    })
  })

  it('a start is refused as before', async () => {
    await fill()
    const answer = await caller.call('POST', `/api/w/${WS}/flows/run/${APP}/chain`, {})
    expect(answer).toMatchObject({ status: 429, json: { code: 'queue_full' } })
  })
})
