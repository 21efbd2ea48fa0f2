import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { tryApp } from '../../try-app.ts'

const { runFlow } = tryApp(join(import.meta.dirname, '..'))

test('a service that comes back is asked until it answers', async () => {
  const { result } = await runFlow('charge', { card: 'visa', failures: 3 })
  assert.deepEqual(result, { charged: 'visa', attempts: 4 })
})

test('one that stays down fails the run after five attempts', async () => {
  const { status, error } = await runFlow('charge', { card: 'visa', failures: 9 })
  assert.equal(status, 'failed')
  assert.deepEqual(error, { name: 'Error', message: 'The service is down.' })
})

test('a final error is not tried again', async () => {
  const { error } = await runFlow('charge', { card: 'stolen', failures: 3 })
  assert.deepEqual(error, { name: 'Declined', message: 'The card was declined.' })
})
