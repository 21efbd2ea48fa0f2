import assert from 'node:assert/strict'
import { test } from 'node:test'
// a project of its own imports '@svc/sdk/testing'
import { testDurable } from '../../../sdk/testing.ts'
import { main as onPayment } from '../actions/on-payment.ts'
import { main } from '../actions/order.ts'

const input = { order: 'o-1', items: ['tea', 'cup'] }

test('a payment within the hour ships the order, also after a crash', async () => {
  const run = await testDurable(main, { input, crashAfter: ['reserve', 'ship'] })
  await run.advance({ minutes: 59 })
  await run.sendEvent('order.paid', { key: 'o-1', data: { amount: 20 } })
  const result = { order: 'o-1', status: 'shipped', reserved: 2, parcel: 'parcel of o-1' }
  assert.deepEqual(run.result, result)
  assert.equal(run.log.filter((line) => line.startsWith('Reserved')).length, 1)
})

test('without one the goods are released after an hour', async () => {
  const run = await testDurable(main, { input })
  await run.advance({ hours: 1 })
  assert.deepEqual(run.result, { order: 'o-1', status: 'expired' })
  assert.equal(run.log.at(-1), 'Released the goods of o-1.')
})

test('the callback sends the event under its own id', async () => {
  const callback = { id: 'cb-1', order: 'o-1', amount: 20 }
  const run = await testDurable(onPayment, { input: callback })
  const data = { key: 'o-1', data: { amount: 20 }, id: 'cb-1' }
  assert.deepEqual(run.started, [{ kind: 'event', target: 'order.paid', data }])
})
