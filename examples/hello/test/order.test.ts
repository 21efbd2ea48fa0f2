import assert from 'node:assert/strict'
import { test } from 'node:test'
import { greeting } from '../lib/greeting.ts'
import { checkOrder, summarize } from '../lib/order.ts'

test('a summary adds up by customer', () => {
  const summary = summarize([
    { customer: 'Ada', amount: 2 },
    { customer: 'Ada', amount: 3 },
  ])
  assert.deepEqual(summary, { orders: 2, total: 5, byCustomer: { Ada: 5 } })
})

test('an order without an amount is refused', () => {
  assert.throws(() => checkOrder({ customer: 'Ada', amount: 0 }), /no positive amount/)
})

test('a greeting comes in the language of the caller', () => {
  assert.equal(greeting('Ada', 'ko'), 'Ada님, 안녕하세요!')
})
