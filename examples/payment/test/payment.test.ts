import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Json } from '@svc/sdk'
import { tryApp } from '../../try-app.ts'
import { main as cancel } from '../actions/cancel.ts'
import { main as pay } from '../actions/pay.ts'
import type { State } from '../lib/decide.ts'

/** In memory, and as slow as a database. */
const createState = (): State => {
  const values = new Map<string, Json>()
  const update: State['update'] = async (key, change) => {
    await new Promise((resolve) => setImmediate(resolve))
    const next = await change(values.get(key) ?? null)
    values.set(key, next)
    return next
  }
  return { update }
}

test('a second payment of an order is the first one', async () => {
  const state = createState()
  const input = { order: 'a', cents: 500 }
  const first = await pay({ input, state })
  assert.deepEqual(first, { order: 'a', status: 'paid', cents: 500 })
  assert.deepEqual(await pay({ input, state }), first)
})

test('after a payment a cancel learns that it came too late, and the other way round', async () => {
  const state = createState()
  await pay({ input: { order: 'a', cents: 500 }, state })
  assert.equal((await cancel({ input: { order: 'a' }, state })).status, 'paid')
  await cancel({ input: { order: 'b' }, state })
  assert.equal((await pay({ input: { order: 'b', cents: 1 }, state })).status, 'canceled')
})

test('the manifest has both actions', () => {
  const { manifest } = tryApp(join(import.meta.dirname, '..'))
  assert.deepEqual(
    manifest.actions.map(({ key }) => key),
    ['pay', 'cancel'],
  )
})
