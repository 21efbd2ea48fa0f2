/** Subflows that end in the write that starts them, side by side with others that take their time [flows 2.5, 12.1]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admitSteps } from '#service/flows/admit-steps.ts'
import { INVARIANTS } from '#store/maintenance/invariants.ts'
import { raw, sql } from '#store/sql.ts'
import { type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
const FIFTEEN = Array.from({ length: 15 }, (_, n) => n)
const each = (key: string, subflow: string, input?: string) => ({
  key,
  steps: [
    {
      key: 'each',
      kind: 'forloop_parallel',
      subflow,
      items: FIFTEEN,
      ...(input === undefined ? {} : { input }),
    },
  ],
})

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
    actions: { act: () => 1 },
    flows: [
      { key: 'work', steps: [{ key: 'one', action: 'act' }] },
      { key: 'deep', steps: [{ key: 'down', kind: 'subflow', subflow: 'work' }] },
      { key: 'nothing', steps: [{ key: 'one', action: 'act', skipIf: 'true' }] },
      {
        key: 'next',
        steps: [
          { key: 'down', kind: 'subflow', subflow: 'nothing' },
          { key: 'two', action: 'act' },
        ],
      },
      { key: 'bad', steps: [{ key: 'one', action: 'act', skipIf: 'results.none' }] },
      { key: 'maybe', steps: [{ key: 'one', action: 'act', skipIf: 'input.skip' }] },
      ...['deep', 'next'].map((subflow) => ({
        key: `bad-${subflow}`,
        steps: [
          {
            key: 'all',
            kind: 'branchall',
            branches: [
              { key: 'bad', subflow: 'bad' },
              { key: 'other', subflow },
            ],
          },
        ],
      })),
      {
        key: 'loop',
        steps: [
          {
            key: 'each',
            kind: 'forloop_parallel',
            subflow: 'maybe',
            atOnce: 2,
            items: [false, false, true, true, false, false],
            input: { skip: '${item}' },
          },
        ],
      },
      { key: 'over', steps: [{ key: 'down', kind: 'subflow', subflow: 'nothing' }] },
      each('row', 'over', '${item}'),
      each('square', 'row'),
    ],
  })
})
afterAll(() => caller.app.close())

const broken = async () => {
  const { db } = caller.app.deps
  const found = await Promise.all(
    INVARIANTS.filter(({ id }) => id === 'I2').map(({ query }) => db.all(raw(query))),
  )
  return found.flat()
}

describe('a subflow that fails as it starts', () => {
  it.each(['bad-deep', 'bad-next'])(
    'leaves nothing of its siblings under way: %s',
    async (flow) => {
      const id = await caller.start(flow)
      expect(await caller.run(id)).toMatchObject({ status: 'failed' })
      expect(await broken()).toEqual([])
      expect(await caller.claim()).toEqual([])
    },
  )
})

it('a loop keeps as many items under way as it may, when some end as they start', async () => {
  const id = await caller.start('loop')
  const open = async () =>
    (
      await caller.app.deps.db.one(
        sql`SELECT count(*) AS n FROM flow_runs WHERE parent_run_id = ${id} AND completed_at IS NULL`,
      )
    )?.n
  const [first] = await caller.claim(1)
  if (first === undefined) throw new Error('none')
  await caller.perform(first)
  await admitSteps(caller.app.deps)
  expect(await open()).toBe(2)
  await caller.work()
})

it('a write starts a bounded number of runs, however deep loops of subflows go', async () => {
  const id = await caller.start('square')
  const { db } = caller.app.deps
  const runs = sql`WITH RECURSIVE below (id) AS (SELECT ${id} UNION ALL
      SELECT r.id FROM flow_runs r JOIN below ON r.parent_run_id = below.id)
    SELECT count(*) AS n FROM below`
  expect(Number((await db.one(runs))?.n)).toBeLessThanOrEqual(200)
  while (await admitSteps(caller.app.deps)) expect((await caller.run(id)).status).toBe('running')
  expect(await caller.run(id)).toMatchObject({
    status: 'completed',
    result: FIFTEEN.map(() => FIFTEEN),
  })
  expect(Number((await db.one(runs))?.n)).toBe(1 + 15 + 15 * 15 * 2)
  expect(await broken()).toEqual([])
})
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
