import assert from 'node:assert/strict'
import { test } from 'node:test'
// a project of its own imports '@svc/sdk/testing'
import { testDurable } from '../../../sdk/testing.ts'
import { main } from '../actions/subscription.ts'

const charged = () => {
  const months: unknown[] = []
  return { months, actions: { charge: ({ month }: { month?: unknown }) => months.push(month) } }
}

test('an upgrade ends the trial early, and a cancel ends the charges', async () => {
  const { months, actions } = charged()
  const run = await testDurable(main, { input: { account: 'acme' }, actions })
  await run.advance({ days: 3 })
  await run.sendEvent('trial.ended', { key: 'acme', data: 'upgraded' })
  assert.deepEqual(months, [1])
  await run.advance({ days: 70 })
  assert.deepEqual(months, [1, 2, 3])
  await run.sendEvent('plan.canceled', { key: 'acme' })
  assert.deepEqual(run.result, { account: 'acme', paidMonths: 3, status: 'canceled' })
})

test('a cancel in the trial charges nothing', async () => {
  const { months, actions } = charged()
  const run = await testDurable(main, { input: { account: 'acme' }, actions })
  await run.sendEvent('trial.ended', { key: 'acme', data: 'canceled' })
  await run.advance({ days: 100 })
  assert.deepEqual(run.result, { account: 'acme', paidMonths: 0, status: 'canceled' })
  assert.deepEqual(months, [])
})

test('a year passes', async () => {
  const { months, actions } = charged()
  const run = await testDurable(main, { input: { account: 'acme' }, actions })
  await run.advance({ days: 365 })
  await run.advance({ days: 30 })
  assert.deepEqual(run.result, { account: 'acme', paidMonths: 12, status: 'ended' })
  assert.equal(months.length, 12)
})
