import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { tryApp } from '../../try-app.ts'
import { main } from '../actions/on-stripe.ts'

const event = (type: string) => ({
  id: 'evt_1',
  type,
  data: { object: { id: 'cs_7', amount_total: 900 } },
})

const receive = async (type: string) => {
  const calls: unknown[] = []
  const run = async (...call: unknown[]) => ({ jobId: `job-${calls.push(call)}` })
  return { result: await main({ input: event(type), run, log: () => undefined }), calls }
}

test('a paid checkout starts one job for its order', async () => {
  const { result, calls } = await receive('checkout.session.completed')
  assert.deepEqual(calls, [
    ['fulfil', { order: 'cs_7', cents: 900 }, { idempotencyKey: 'order cs_7' }],
  ])
  assert.deepEqual(result, { started: 'job-1' })
})

test('other events start nothing', async () => {
  assert.deepEqual(await receive('invoice.created'), { result: { started: null }, calls: [] })
})

test('the webhook checks the signature and knows a repeated event', () => {
  const { manifest } = tryApp(join(import.meta.dirname, '..'))
  const [webhook] = manifest.webhooks
  assert.equal(webhook?.verify.scheme, 'stripe')
  assert.deepEqual(webhook?.dedupe, { body: 'id' })
})
