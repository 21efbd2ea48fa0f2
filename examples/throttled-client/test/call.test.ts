import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
// a project of its own imports '@svc/sdk/testing'
import { testDurable } from '../../../sdk/testing.ts'
import { tryApp } from '../../try-app.ts'
import { main } from '../actions/call.ts'

const input = { customer: 'acme', path: '/orders' }

test('an answer is passed on', async () => {
  const fetch = async (url: unknown) => Response.json({ url: String(url) })
  const run = await testDurable(main, { input, fetch })
  assert.deepEqual(run.result, { status: 200, body: { url: 'https://api.example.com/orders' } })
})

test('what is refused for now and what is missing are different errors', async () => {
  const answers = (status: number) => async () => new Response('', { status })
  const busy = await testDurable(main, { input, fetch: answers(429) })
  assert.deepEqual(busy.error, { name: 'ApiError', message: 'The API answered 429.' })
  const missing = await testDurable(main, { input, fetch: answers(404) })
  assert.equal(missing.error?.name, 'NotFound')
})

test('each customer has a rate of its own, and its turn', () => {
  const { manifest } = tryApp(join(import.meta.dirname, '..'))
  const [action] = manifest.actions
  const key = ['$', '{input.customer}'].join('')
  assert.deepEqual(action?.rate, { limit: 10, perS: 1, key })
  assert.equal(action?.fairKey, key)
})
