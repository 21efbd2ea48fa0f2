/** How far a loop has come, as its run shows it [flows 7.2]. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#store/sql.ts'
import { type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

const ITEMS = Array.from({ length: 120 }, (_, n) => ({ n }))
const loop = { key: 'each', kind: 'forloop_parallel', action: 'one', atOnce: 10, items: ITEMS }

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
    actions: {
      one: (input) => {
        if (JSON.stringify(input) === '{"n":3}') throw new Error('no')
        return input
      },
      never: () => 1,
      big: (input) => input,
    },
    definitions: {
      big: { inputSchema: { properties: { n: { minimum: 50 } } } },
      one: { retry: { maxAttempts: 2, delayMs: 0, backoffFactor: 1 } },
    },
    flows: [
      {
        key: 'all',
        steps: [
          { ...loop, continueOnError: true },
          { key: 'then', action: 'never' },
        ],
      },
      { key: 'refused', steps: [{ ...loop, action: 'big', continueOnError: true }] },
      { key: 'strict', steps: [loop] },
      { key: 'subflows', steps: [{ ...loop, action: undefined, subflow: 'strict', items: [] }] },
      {
        key: 'runs',
        steps: [{ key: 'each', kind: 'forloop', subflow: 'small', items: [1, 2, 3] }],
      },
      { key: 'small', steps: [{ key: 'one', action: 'one' }] },
    ],
  })
})
afterAll(() => caller.app.close())

const itemsOf = async (id: string): Promise<readonly unknown[]> =>
  (await caller.run(id)).steps.map(({ items }) => items)

it('counts items that wait, run, have ended and have failed, each once', async () => {
  const id = await caller.start('all')
  expect(await itemsOf(id)).toEqual([{ total: 120, done: 0, failed: 0 }, undefined])
  const jobs = await caller.claim(10)
  for (const job of jobs) await caller.perform(job)
  // the one that failed has another attempt
  expect(await itemsOf(id)).toEqual([{ total: 120, done: 9, failed: 0 }, undefined])
  await caller.work()
  expect(await itemsOf(id)).toEqual([{ total: 120, done: 120, failed: 1 }, undefined])
})

it('counts items that could not begin, also after the end of the step', async () => {
  const id = await caller.start('refused')
  expect(await itemsOf(id)).toEqual([{ total: 120, done: 50, failed: 50 }])
  await caller.work()
  expect(await itemsOf(id)).toEqual([{ total: 120, done: 120, failed: 50 }])
  await caller.app.deps.db.write([sql`DELETE FROM jobs WHERE flow_run_id = ${id}`])
  expect(await itemsOf(id)).toEqual([undefined])
})

it('counts the items that had begun when the step failed', async () => {
  const id = await caller.start('strict')
  await caller.work()
  const [items] = await itemsOf(id)
  expect(items).toMatchObject({ failed: expect.any(Number) })
  const { total, done } = Object(items)
  expect(total).toBe(done)
  expect(total).toBeLessThan(120)
})

it('counts subflow runs, and nothing for an empty loop or one whose jobs were deleted', async () => {
  const runs = await caller.start('runs')
  await caller.work()
  expect(await itemsOf(runs)).toEqual([{ total: 3, done: 3, failed: 0 }])
  expect(await itemsOf(await caller.start('subflows'))).toEqual([undefined])
  const id = await caller.start('all')
  await caller.work()
  await caller.app.deps.db.write([sql`DELETE FROM jobs WHERE flow_run_id = ${id}`])
  expect(await itemsOf(id)).toEqual([undefined, undefined])
})
