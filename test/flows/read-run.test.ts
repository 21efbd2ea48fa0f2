/** Reading a flow run of the largest size lets other work run: a file database lets nothing else run during a statement. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { raw, sql } from '#store/sql.ts'
import { FLOW_RUNS, type FlowCaller, openFlowCaller, runShape } from '../support/flow-caller.ts'
import { leastLongestTurnMs } from '../support/longest-turn.ts'

/** A loop has up to 10,000 items. */
const ITEMS = 10_000
const LOOPS = 2
const MOST_MS = 50
const TEXT = 'x'.repeat(2_800_000)
const at = (length: number) => Array.from({ length }, (_, index) => index)

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
    app: { checksBatches: false },
    actions: { text: () => TEXT, one: () => 1 },
    flows: [
      {
        key: 'loops',
        steps: at(LOOPS).map((index) => ({
          key: `loop${index}`,
          kind: 'forloop_parallel',
          action: 'one',
          items: [1, 2],
        })),
      },
      {
        key: 'large',
        steps: [
          ...at(10).map((index) => ({ key: `s${index}`, action: 'text', input: {} })),
          {
            key: 'branch',
            kind: 'branchone',
            branches: [
              { key: 'never', condition: 'results.s1 == 1', action: 'one' },
              { key: 'otherwise', action: 'one' },
            ],
          },
        ],
      },
    ],
  })
})
afterAll(() => caller.app.close())

/** Makes the run's first job the first of many: in each loop one for each item, and two attempts of the last item. */
const fillLoops = async (runId: string): Promise<void> => {
  const { db } = caller.app.deps
  const found = await db.all(sql`SELECT name FROM pragma_table_info('jobs')`)
  const names = found.map(({ name }) => String(name))
  const changed: Readonly<Record<string, string>> = {
    // the second attempt of the last item has the least id, as if the clock had been set back
    id: `substr(id, 1, 20) || format('%03x-', loop) || iif(slot = ${ITEMS}, '0000', '0001') || format('%08x', slot)`,
    flow_index: 'loop',
    flow_slot: `min(slot, ${ITEMS} - 1)`,
    flow_attempt: `iif(slot = ${ITEMS}, 2, 1)`,
  }
  await db.write([
    sql`INSERT INTO jobs (${raw(names.join(', '))})
      WITH RECURSIVE slots (slot) AS (SELECT 2 UNION ALL SELECT slot + 1 FROM slots WHERE slot < ${ITEMS}),
        loops (loop) AS (SELECT 0 UNION ALL SELECT loop + 1 FROM loops WHERE loop < ${LOOPS} - 1)
      SELECT ${raw(names.map((name) => changed[name] ?? name).join(', '))}
      FROM loops, slots, (SELECT * FROM jobs WHERE flow_run_id = ${runId} AND flow_slot = 0)`,
  ])
}

const longestTurnOf = (path: string): Promise<number> =>
  leastLongestTurnMs(
    async () => {
      const { body } = await caller.app.request('GET', path, { token: caller.token })
      await body?.pipeTo(new WritableStream())
    },
    { enoughMs: MOST_MS },
  )

describe('a flow run', () => {
  it('with large results and a branch is read in portions', async () => {
    const id = await caller.start('large')
    await caller.work()
    expect(await longestTurnOf(`${FLOW_RUNS}/${id}`)).toBeLessThan(MOST_MS)
    const { json } = await caller.call('GET', `${FLOW_RUNS}/${id}`)
    const run = runShape.parse(json)
    expect(run).toMatchObject({ status: 'completed', result: 1 })
    expect(run.steps.at(-2)?.result).toBe(TEXT)
    expect(run.steps.at(-1)?.arms).toEqual([
      { key: 'never', status: 'skipped' },
      { key: 'otherwise', status: 'success' },
    ])
  })

  it('of loops with 10,000 items is read in portions, with its jobs by item and attempt', async () => {
    const id = await caller.start('loops')
    await fillLoops(id)
    expect(await longestTurnOf(`${FLOW_RUNS}/${id}`)).toBeLessThan(MOST_MS)
    expect(await longestTurnOf(`${FLOW_RUNS}/${id}/graph`)).toBeLessThan(MOST_MS)
    const [first, ...others] = (await caller.run(id)).steps
    expect(others.map(({ job_ids: ids, attempt }) => [ids.length, attempt])).toEqual(
      at(LOOPS - 1).map(() => [ITEMS - 1, 2]),
    )
    const slots = first?.job_ids.slice(2).map((job) => Number.parseInt(job.slice(-8), 16)) ?? []
    expect(slots).toEqual(at(ITEMS - 1).map((index) => index + 2))
  })
})
