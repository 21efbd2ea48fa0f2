import assert from 'node:assert/strict'
import { test } from 'node:test'
import { main } from '../actions/receive.ts'

test('each order gets a job of its own, and gifts wait', async () => {
  const calls: unknown[] = []
  const result = await main({
    input: { orders: [{ id: 'a' }, { id: 'b', isGift: true }] },
    run: async (...call: unknown[]) => ({ jobId: `job-${calls.push(call)}` }),
    startFlow: async () => ({ flowRunId: 'run-1' }),
    log: () => undefined,
  })
  assert.deepEqual(calls, [
    ['ship', { order: { id: 'a' } }, {}],
    ['ship', { order: { id: 'b', isGift: true } }, { delayS: 60 }],
  ])
  assert.deepEqual(result, { jobs: ['job-1', 'job-2'], flowRunId: 'run-1' })
})
