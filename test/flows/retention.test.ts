/** Retention keeps what the current step of a flow run needs [jobs 13.1]. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sweepFlowRuns, sweepJobs } from '#service/sweep.ts'
import { sql } from '#store/sql.ts'
import { type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation
const FLOWS = [
  {
    key: 'loop',
    steps: [
      { key: 'first', action: 'echo' },
      { key: 'each', kind: 'forloop', action: 'echo', items: ['a', 'b', 'c', 'd'] },
    ],
  },
  { key: 'item', steps: [{ key: 'echo', action: 'echo', input: '${input.at}' }] },
  {
    key: 'runs',
    steps: [
      {
        key: 'each',
        kind: 'forloop',
        subflow: 'item',
        items: ['a', 'b', 'c', 'd'],
        input: { at: '${item}' },
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
          { key: 'good', action: 'echo' },
          { key: 'bad', action: 'fail' },
        ],
      },
      { key: 'ask', kind: 'approval' },
    ],
  },
  {
    key: 'failing-arms',
    steps: [
      { key: 'both', kind: 'branchall', branches: [{ key: 'bad', action: 'fail' }] },
      { key: 'never', action: 'echo' },
    ],
    failureModule: { key: 'after', action: 'echo' },
  },
]
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation

const fail = () => {
  throw new Error('It fails on purpose.')
}

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({ flows: FLOWS, actions: { echo: (input) => input, fail } })
})
afterAll(() => caller.app.close())

/** Deletes all that has ended: a window that ends tomorrow. */
const sweepAll = async (): Promise<void> => {
  const turn = { retentionDays: -1, signal: new AbortController().signal }
  await sweepJobs(caller.app.deps, turn)
  await sweepFlowRuns(caller.app.deps, turn)
}
const workOnce = async (): Promise<void> => {
  for (const job of await caller.claim()) await caller.perform(job)
}
const countRows = async (): Promise<unknown> => {
  const { db } = caller.app.deps
  const jobs = sql`SELECT count(*) FROM jobs`
  return (await db.one(sql`SELECT (${jobs}) + (SELECT count(*) FROM flow_runs) AS n`))?.n
}

it.each(['loop', 'runs'])(
  'a step that outlives the retention time of its items keeps their results: %s',
  async (flow) => {
    const id = await caller.start(flow)
    for (let done = 0; done < 3; done += 1) await workOnce()
    await sweepAll()
    await caller.work()
    expect(await caller.run(id)).toMatchObject({
      status: 'completed',
      result: ['a', 'b', 'c', 'd'],
    })
    await sweepAll()
    expect(await countRows()).toBe(0)
  },
)

it('jobs of the steps before are deleted', async () => {
  const id = await caller.start('loop')
  await workOnce()
  await sweepAll()
  expect((await caller.run(id)).steps[0]).toMatchObject({ status: 'success', job_ids: [] })
  await caller.work()
})

it('arms whose jobs were deleted keep the status that their step knows', async () => {
  const id = await caller.start('arms')
  await caller.work()
  const arms = [
    { key: 'good', status: 'success' },
    { key: 'bad', status: 'failure' },
  ]
  expect((await caller.run(id)).steps[0]).toMatchObject({ status: 'success', arms })
  await sweepAll()
  expect((await caller.run(id)).steps[0]).toMatchObject({ status: 'success', job_ids: [], arms })
})

it('arms of a failed step are not listed after their jobs were deleted', async () => {
  const id = await caller.start('failing-arms')
  await workOnce()
  const arms = [{ key: 'bad', status: 'failure' }]
  expect((await caller.run(id)).steps[0]).toMatchObject({ status: 'failure', arms })
  await sweepAll()
  expect((await caller.run(id)).steps[0]).toMatchObject({ job_ids: [], arms: [] })
})
