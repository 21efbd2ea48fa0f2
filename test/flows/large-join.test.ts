/** The results of a step's children may have 16 MiB together. Other work goes on while they become the result of the step. */
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { completeJob } from '../support/complete-job.ts'
import { type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'
import { leastLongestTurnMs } from '../support/longest-turn.ts'

const MOST_MS = 50
const ITEMS = 5
const ROWS = Array.from({ length: 32_000 }, (_, id) => ({
  id,
  name: `Customer "${id}"`,
  tags: ['new', 'paid', String(id % 97)],
}))
const RESULT = JSON.stringify(ROWS)

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({
    // the check writes each batch again
    app: { checksBatches: false },
    actions: { rows: () => null },
    flows: [
      {
        key: 'large',
        steps: [
          {
            key: 'pages',
            kind: 'forloop_parallel',
            action: 'rows',
            items: Array.from({ length: ITEMS }, (_, at) => at),
          },
        ],
      },
    ],
  })
})
afterAll(() => caller.app.close())

it('joins large results in portions', async () => {
  const { deps } = caller.app
  let runId = ''
  const joined = async (): Promise<void> => {
    runId = await caller.start('large')
    for (const job of await caller.claim()) {
      const outcome = { kind: 'success', resultJson: RESULT } as const
      await completeJob(deps, { job, outcome, retry: null, logs: [] })
    }
  }
  const ms = await leastLongestTurnMs(joined, { enoughMs: MOST_MS })
  expect(RESULT.length * ITEMS).toBeGreaterThan(8_000_000)
  expect(ms).toBeLessThan(MOST_MS)
  const { status, result } = await caller.run(runId)
  expect(status).toBe('completed')
  // the comparison of Vitest takes seconds
  expect(isDeepStrictEqual(result, Array(ITEMS).fill(ROWS))).toBe(true)
})
