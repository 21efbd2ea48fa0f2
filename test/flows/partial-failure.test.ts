/** Loops and arms that continue after failures and that run subflows, over HTTP [flows 2.6, 2.10]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonValue } from '#core/json/value.ts'
import { admitSteps } from '#service/flows/admit-steps.ts'
import { sql } from '#store/sql.ts'
import { WS } from '../support/create-test-app.ts'
import { type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
const row = z.object({ n: z.number() })

const isBad = (input: JsonValue): boolean => row.parse(input).n % 2 === 1

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
    actions: {
      list: () => [{ n: 2 }, { n: 1 }, { m: 4 }, { n: 4 }, { n: 'x' }],
      take: (input) => {
        if (isBad(input)) throw new Error(`${row.parse(input).n} is odd`)
        return row.parse(input).n
      },
    },
    definitions: {
      take: {
        inputSchema: {
          type: 'object',
          properties: { n: { type: 'number' } },
          required: ['n'],
        },
      },
    },
    flows: [
      ...(['forloop', 'forloop_parallel'] as const).map((kind) => ({
        key: kind,
        steps: [
          { key: 'rows', action: 'list' },
          {
            key: 'each',
            kind,
            action: 'take',
            items: '${results.rows}',
            input: { n: '${item.n}' },
            retry: { maxAttempts: 2, delayMs: 0 },
            continueOnError: true,
          },
        ],
      })),
      {
        key: 'none',
        steps: [
          { key: 'each', kind: 'forloop', action: 'take', items: [{}, {}], continueOnError: true },
        ],
      },
      {
        key: 'three',
        steps: [
          {
            key: 'each',
            kind: 'forloop_parallel',
            action: 'take',
            items: [{ n: 2 }, { n: 4 }, { n: 6 }],
            continueOnError: true,
          },
        ],
      },
      {
        key: 'arms',
        steps: [
          {
            key: 'both',
            kind: 'branchall',
            continueOnError: true,
            branches: [
              { key: 'good', action: 'take', input: { n: 2 } },
              { key: 'bad', action: 'take', input: { n: 3 } },
              { key: 'below', subflow: 'below', input: { n: 5 } },
            ],
          },
        ],
      },
      { key: 'below', steps: [{ key: 'one', action: 'take' }] },
      { key: 'nothing', steps: [{ key: 'one', action: 'take', skipIf: 'input.n != 2' }] },
      ...['below', 'nothing'].flatMap((subflow) =>
        ['forloop', 'forloop_parallel'].map((kind) => ({
          key: `${kind}-${subflow}`,
          steps: [
            {
              key: 'each',
              kind,
              subflow,
              items: [1, 2, 3, 4, 5, 6],
              input: { n: '${item}' },
              ...(kind === 'forloop' ? {} : { atOnce: 2 }),
              continueOnError: true,
            },
          ],
        })),
      ),
    ],
  })
})
afterAll(() => caller.app.close())

const failed = (name: string, message: unknown = expect.any(String)) => ({
  ok: false,
  error: { name, message },
})

/** Works until the run is over. Runs that wait for their next turn get it. */
const finish = async (id: string) => {
  for (let turn = 0; turn < 20; turn += 1) {
    await caller.work()
    const run = await caller.run(id)
    if (run.status !== 'running') return run
    await admitSteps(caller.app.deps)
  }
  throw new Error('The run never ended.')
}

describe('a step that goes on after failures', () => {
  it.each(['forloop', 'forloop_parallel'])('is a %s with an item for each row', async (flow) => {
    const run = await finish(await caller.start(flow))
    expect(run).toMatchObject({ status: 'completed' })
    expect(run.result).toEqual([
      { ok: true, value: 2 },
      failed('Error', '1 is odd'),
      failed('MissingReference'),
      { ok: true, value: 4 },
      failed('InvalidInput'),
    ])
    expect(run.steps[1]).toMatchObject({ status: 'success', attempt: 2, max_attempts: 2 })
    expect(run.steps[1]?.job_ids).toHaveLength(4)
    const left = await caller.app.deps.db.all(sql`SELECT * FROM flow_slots`)
    expect(left).toEqual([])
  })

  it('ends at once when no item can begin', async () => {
    const run = await caller.run(await caller.start('none'))
    expect(run).toMatchObject({ status: 'completed' })
    expect(run.result).toEqual([failed('InvalidInput'), failed('InvalidInput')])
  })

  it('counts an item once that is canceled twice at the same moment', async () => {
    const id = await caller.start('three')
    const [first] = (await caller.run(id)).steps[0]?.job_ids ?? []
    const cancel = () => caller.call('POST', `/api/w/${WS}/jobs/${first}/cancel`, {})
    await Promise.all([cancel(), cancel(), cancel()])
    expect(await caller.run(id)).toMatchObject({ status: 'running' })
    expect((await finish(id)).result).toEqual([
      failed('Canceled'),
      { ok: true, value: 4 },
      { ok: true, value: 6 },
    ])
  })

  it('is a branchall with an item for each arm, of actions and subflows', async () => {
    const run = await finish(await caller.start('arms'))
    expect(run.result).toEqual({
      good: { ok: true, value: 2 },
      bad: failed('Error', '3 is odd'),
      below: failed('Error', '5 is odd'),
    })
    expect(run.steps[0]?.arms).toEqual([
      { key: 'good', status: 'success' },
      { key: 'bad', status: 'failure' },
      { key: 'below', status: 'failure' },
    ])
    expect(run.steps[0]?.flow_run_ids).toHaveLength(1)
  })
})

describe.each(['forloop', 'forloop_parallel'])('a %s of subflows', (kind) => {
  it('has the result of each run in the order of the items', async () => {
    const run = await finish(await caller.start(`${kind}-below`))
    expect(run.result).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) =>
        n % 2 === 1 ? failed('Error', `${n} is odd`) : { ok: true, value: n },
      ),
    )
    expect(run.steps[0]?.flow_run_ids).toHaveLength(6)
  })

  it('ends also where its runs end as they start', async () => {
    const run = await finish(await caller.start(`${kind}-nothing`))
    expect(run.result).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => ({ ok: true, value: n === 2 ? 2 : { n } })),
    )
  })
})
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
