/** A loop may have 10,000 items. Other work goes on while svc stores those that wait, and joins those that it refused. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'
import { leastLongestTurnMs } from '../support/longest-turn.ts'

const MOST_MS = 50
const ITEMS = 10_000
// biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
const INDEX = '${index}'
const NUMBERS = Array.from({ length: ITEMS }, (_, at) => at)

let caller: FlowCaller
beforeAll(async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
  const loop = { key: 'items', kind: 'forloop', items: '${input.items}', continueOnError: true }
  caller = await openFlowCaller({
    // the check writes each batch again
    app: { checksBatches: false },
    actions: { any: () => null, object: () => null },
    definitions: { object: { inputSchema: { type: 'object' } } },
    flows: [
      { key: 'waiting', steps: [{ ...loop, action: 'any' }] },
      { key: 'refused', steps: [{ ...loop, action: 'object' }] },
      { key: 'references', steps: [{ ...loop, action: 'any', input: Array(9_000).fill(INDEX) }] },
    ],
  })
})
afterAll(() => caller.app.close())

it('stores items that wait in portions', async () => {
  const ms = await leastLongestTurnMs(() => caller.start('waiting', { items: NUMBERS }), {
    enoughMs: MOST_MS,
  })
  expect(ms).toBeLessThan(MOST_MS)
})

it('makes the inputs of items in portions', async () => {
  const items = NUMBERS.slice(0, 300)
  const ms = await leastLongestTurnMs(() => caller.start('references', { items }), {
    enoughMs: MOST_MS,
  })
  expect(ms).toBeLessThan(MOST_MS)
})

it('stores and joins items that it refused in portions', async () => {
  let runId = ''
  const refuse = async (): Promise<void> => {
    runId = await caller.start('refused', { items: [{}, ...NUMBERS.slice(1)] })
    for (const job of await caller.claim()) {
      if (job.action === 'object') await caller.perform(job)
    }
  }
  const ms = await leastLongestTurnMs(refuse, { enoughMs: MOST_MS })
  expect(ms).toBeLessThan(MOST_MS)
  const { status, result } = await caller.run(runId)
  expect(status).toBe('completed')
  expect(result).toHaveLength(ITEMS)
  expect(result).toMatchObject({ 0: { ok: true }, [ITEMS - 1]: { ok: false } })
})
