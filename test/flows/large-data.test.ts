/** Byte limits of flow runs [flows 12.2]: a small definition must not make svc hold or copy large data. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unavailable } from '#core/error.ts'
import { isJsonObject } from '#core/json/value.ts'
import { openClaimedJob } from '#service/flows/open-job.ts'
import { startRun } from '#service/flows/start-run.ts'
import { sql } from '#store/sql.ts'
import { completeJob } from '../support/complete-job.ts'
import { WS } from '../support/create-test-app.ts'
import {
  APP,
  FLOW_RUNS,
  type FlowCaller,
  openFlowCaller,
  type SeenRun,
} from '../support/flow-caller.ts'
import { watchTurns } from '../support/longest-turn.ts'

const ref = (path: string): string => `\${${path}}`
const TEXT = 'x'.repeat(3_500_000)
/** A check by the pattern of `strict` takes more steps than the main thread makes. */
const LONG_TO_CHECK = 'a'.repeat(2_000)
const items = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)
const sum = (input: unknown): number => JSON.stringify(input).length

const loop = (kind: string, count: number, input: unknown) => ({
  key: 'each',
  kind,
  action: 'count',
  items: items(count),
  input,
})

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
    app: { checksBatches: false },
    actions: {
      big: () => ({ s: TEXT }),
      count: sum,
      echo: (input) => input,
      strict: () => 'fits',
      text: (input) => 'y'.repeat(isJsonObject(input) ? Number(input.length) : 0),
    },
    definitions: { strict: { inputSchema: { pattern: '^((a{100}){10})*$' } } },
    flows: [
      {
        key: 'checked',
        steps: [
          { key: 'give', action: 'echo', input: LONG_TO_CHECK },
          { key: 'take', action: 'strict', input: ref('results.give') },
        ],
      },
      { key: 'checked-first', steps: [{ key: 'take', action: 'strict', input: LONG_TO_CHECK }] },
      {
        key: 'bomb',
        steps: [{ key: 'big', action: 'big' }, loop('forloop', 1_000, ref('results.big.s'))],
      },
      {
        key: 'passed-on',
        steps: [
          { key: 'rows', action: 'echo', input: {} },
          { key: 'use', action: 'count', input: ref('results.rows') },
        ],
      },
      {
        key: 'joined-text',
        steps: [
          { key: 'big', action: 'big' },
          { key: 'use', action: 'count', input: ref('results.big.s').repeat(500) },
        ],
      },
      {
        key: 'one-input',
        steps: [
          { key: 'big', action: 'big' },
          { key: 'use', action: 'count', input: [ref('results.big.s'), ref('results.big.s')] },
        ],
      },
      {
        key: 'four',
        steps: [{ key: 'big', action: 'big' }, loop('forloop_parallel', 4, ref('results.big.s'))],
      },
      {
        key: 'list',
        steps: [{ key: 'each', kind: 'forloop_parallel', action: 'big', items: items(170) }],
      },
      {
        key: 'long',
        steps: items(10).map((at) => ({
          key: `s${at}`,
          action: 'text',
          input: { length: 4_000_000 },
        })),
      },
      {
        key: 'shared',
        steps: [
          { key: 'config', action: 'text', input: { length: 20_000 } },
          loop('forloop', 40, { config: ref('results.config'), n: ref('item'), at: ref('index') }),
        ],
      },
    ],
  })
})
afterAll(() => caller.app.close())

const runToEnd = async (flow: string): Promise<SeenRun> => {
  const id = await caller.start(flow)
  // as many jobs at once as a worker runs
  for (let jobs = await caller.claim(8); jobs.length > 0; jobs = await caller.claim(8)) {
    await Promise.all(jobs.map(caller.perform))
  }
  return caller.run(id)
}
const FAILED = { status: 'failed', error: { name: 'FlowDataTooLarge' } }

describe('a run fails with FlowDataTooLarge', () => {
  it.each([
    ['when its loop names a large result for each item', 'bomb', 'each', 16],
    ['when a text of an input joins large results', 'joined-text', 'A text', 4],
    ['when one input is too large', 'one-input', 'use', 4],
    ['when the results of a loop are too large together', 'list', 'each', 16],
    ['when the results of its steps are too large together', 'long', 'this run', 32],
  ])('%s', async (_, flow, what, limit) => {
    const lookAtTurns = watchTurns()
    const run = await runToEnd(flow)
    const longestMs = lookAtTurns()
    expect(run).toMatchObject(FAILED)
    expect(JSON.stringify(run.error)).toContain(what)
    expect(JSON.stringify(run.error)).toContain(`${limit} MiB`)
    // without the limit it took 10 s or never ended; includes the test's own work
    expect(longestMs).toBeLessThan(2_000)
    expect(await caller.claim()).toEqual([])
  })
})

describe('within the budget', () => {
  it('a large result is stored and passed on as the text that the script returned', async () => {
    const id = await caller.start('passed-on')
    const rows = `[ ${'0, '.repeat(60_000)}0 ]`
    for (const resultJson of [rows, '1']) {
      const [job] = await caller.claim(1)
      if (job === undefined) throw new Error('There was nothing to claim.')
      const opened = await openClaimedJob(caller.app.deps, job)
      if (resultJson === '1') expect(opened.inputJson).toBe(rows)
      const outcome = { kind: 'success', resultJson } as const
      await completeJob(caller.app.deps, { job, outcome, retry: null, logs: [] })
    }
    const { text } = await caller.call('GET', `${FLOW_RUNS}/${id}`)
    expect(text).toContain(rows)
  })

  it('large inputs are passed on', async () => {
    const run = await runToEnd('four')
    expect(run).toMatchObject({ status: 'completed', result: items(4).map(() => TEXT.length + 2) })
  })

  it('what the items of a loop share is kept once while they wait', async () => {
    const id = await caller.start('shared')
    const [config] = await caller.claim()
    if (config !== undefined) await caller.perform(config)
    const kept = await caller.app.deps.db.one(
      sql`SELECT count(*) AS rows, sum(length(input)) AS slots,
           (SELECT length(frame) FROM flow_steps WHERE run_id = ${id} AND frame IS NOT NULL) AS frame
         FROM flow_slots WHERE run_id = ${id}`,
    )
    expect(kept).toMatchObject({ rows: 39 })
    expect(Number(kept?.slots)).toBeLessThan(39 * 100)
    expect(Number(kept?.frame)).toBeLessThan(40_000)
    await caller.work()
    const expected = items(40).map((n) => sum({ config: 'y'.repeat(20_000), n, at: n }))
    expect(await caller.run(id)).toMatchObject({ status: 'completed', result: expected })
    const left = sql`SELECT frame FROM flow_steps WHERE run_id = ${id} AND frame IS NOT NULL`
    expect(await caller.app.deps.db.all(left)).toEqual([])
  })
})

describe('what cannot be planned', () => {
  it('fails the run: the job that ended has ended as it did, and no worker counts as lost', async () => {
    const { db } = caller.app.deps
    const id = await caller.start('shared')
    const [config] = await caller.claim()
    if (config !== undefined) await caller.perform(config)
    // as if the database had been changed by others: it can no longer be decrypted
    await db.write([
      sql`UPDATE flow_steps SET frame = 'v2.AAAA' WHERE run_id = ${id} AND frame IS NOT NULL`,
    ])
    const [job] = await caller.claim()
    if (job === undefined) throw new Error('The loop has not begun.')
    expect(await caller.perform(job)).toBe('success')
    const run = await caller.run(id)
    expect(run).toMatchObject({ status: 'failed', error: { name: 'TransitionFailed' } })
    expect(run.steps[1]).toMatchObject({ status: 'failure', error: { name: 'TransitionFailed' } })
    expect(await caller.claim()).toEqual([])
  })

  it('because too many inputs are checked refuses a start, and no job that has run', async () => {
    const { deps } = caller.app
    const checkInput = async (
      ...[, , , mustWait]: Parameters<typeof deps.manifests.checkInput>
    ) => {
      if (!mustWait) throw unavailable('Too many.', { code: 'manifests_busy' })
      return []
    }
    const busy = { ...deps, manifests: { ...deps.manifests, checkInput } }
    const id = await caller.start('checked')
    const [job] = await caller.claim()
    if (job === undefined) throw new Error('The run has not begun.')
    const outcome = { kind: 'success', resultJson: JSON.stringify(LONG_TO_CHECK) } as const
    expect(await completeJob(busy, { job, outcome, retry: null, logs: [] })).toBe('success')
    await caller.work()
    expect(await caller.run(id)).toMatchObject({ status: 'completed', result: 'fits' })
    const by = { triggerKind: 'api', createdBy: 'test', permissionedAs: 'test' } as const
    await expect(
      startRun(busy, { ws: WS, app: APP, flow: 'checked-first', input: {}, ...by }),
    ).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
