import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { tryApp } from '../../try-app.ts'

const { runFlow } = tryApp(join(import.meta.dirname, '..'))

test('a trip books flight, hotel and car', async () => {
  const { status, result } = await runFlow('trip', { flight: 'ICN', hotel: 'Inn', car: 'small' })
  assert.equal(status, 'completed')
  assert.deepEqual(result, { booking: 'car-small' })
})

test('without a car, hotel and flight are canceled in this order', async () => {
  const wish = { flight: 'ICN', hotel: 'Inn', car: 'sold out' }
  const { status, error, steps } = await runFlow('trip', wish)
  assert.equal(status, 'failed')
  assert.deepEqual(error, { name: 'SoldOut', message: 'There is no car left.' })
  assert.deepEqual(steps, [
    'flight success',
    'hotel success',
    'car failure',
    'undo of hotel success',
    'undo of flight success',
  ])
})
