import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { tryApp } from '../../try-app.ts'

const { runFlow } = tryApp(join(import.meta.dirname, '..'))
const expense = { title: 'Train', amount: 12.5 }

test('an approved expense is paid', async () => {
  const approve = () => ({ kind: 'approved', values: {}, by: ['ada@example.com'] }) as const
  const { status, result } = await runFlow('expense', expense, approve)
  assert.equal(status, 'completed')
  assert.deepEqual(result, { paid: 1_250 })
})

for (const [decision, event] of [
  ['rejected', { kind: 'rejected', by: 'ada@example.com', reason: 'no receipt' }],
  ['timed_out', { kind: 'wait_timed_out' }],
] as const) {
  test(`a run whose approval is ${decision} goes on and tells the author`, async () => {
    const { status, result } = await runFlow('expense', expense, () => event)
    assert.equal(status, 'completed')
    assert.deepEqual(result, { told: { about: 'Train', decision } })
  })
}
