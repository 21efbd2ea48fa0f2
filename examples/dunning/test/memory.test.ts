import assert from 'node:assert/strict'
import { test } from 'node:test'
// a project of its own imports '@svc/sdk/testing'
import { testDurable } from '../../../sdk/testing.ts'
import { main } from '../actions/dunning.ts'

test('a reminder goes out once, though the worker is lost, and the payment ends it', async () => {
  const run = await testDurable(main, { input: { invoice: 'i1' }, crashAfter: ['remind-0'] })
  assert.deepEqual(
    run.waitingFor.map(({ event }) => event),
    [{ name: 'invoice.paid', key: 'i1' }],
  )
  await run.advance({ days: 3 })
  assert.deepEqual(run.log, ['Reminder 1 for i1.'])
  await run.sendEvent('invoice.paid', { key: 'i1', data: { amount: 5 } })
  assert.deepEqual(run.result, { invoice: 'i1', status: 'paid', reminders: 1 })
})

test('after three reminders the invoice is handed over', async () => {
  const actions = { escalate: () => ({ by: 'collections' }) }
  const run = await testDurable(main, { input: { invoice: 'i2' }, actions })
  await run.advance({ days: 24 })
  assert.deepEqual(run.result, {
    invoice: 'i2',
    status: 'escalated',
    handed: { by: 'collections' },
    reminders: 3,
  })
  assert.equal(run.log.length, 3)
})
