import assert from 'node:assert/strict'
import { test } from 'node:test'
// a project of its own imports '@svc/sdk/testing'
import { testDurable } from '../../../sdk/testing.ts'
import { main } from '../actions/book.ts'

test('all parts are booked once, whatever crashes', async () => {
  const crashAfter = ['book flight', 'book hotel', 'book car']
  const run = await testDurable(main, { input: { trip: 't1' }, crashAfter })
  assert.deepEqual(run.result, { trip: 't1', status: 'booked' })
  assert.deepEqual(run.log, ['books flight', 'books hotel', 'books car'])
})

test('a part that is sold out cancels what was booked, in reverse, and is tried once, whatever crashes', async () => {
  const input = { trip: 't2', soldOut: 'car' }
  const run = await testDurable(main, { input, crashAfter: ['cancel hotel'] })
  assert.deepEqual(run.result, { trip: 't2', status: 'canceled', because: 'No car is left.' })
  const booked = ['books flight', 'books hotel', 'books car']
  assert.deepEqual(run.log, [...booked, 'canceled car', 'canceled hotel', 'canceled flight'])
})
