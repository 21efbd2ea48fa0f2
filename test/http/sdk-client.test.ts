/** The client of the SDK against the server from whose routes it was generated. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ApiError, type Client, createClient } from '../../sdk/client.ts'
import { packApp } from '../support/bundle-archive.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

let app: TestApp
let client: Client
beforeAll(async () => {
  app = await createTestApp()
  const url = await app.listen()
  client = createClient({ url, token: await app.token(['*']), workspace: WS })
})
afterAll(() => app.close())

it('deploys, queues, reads, lists and cancels', async () => {
  const bundle = await packApp({
    'app.yaml': 'key: hello\nactions: [{ key: greet, entrypoint: greet.ts }]\n',
    'greet.ts': 'export const main = () => 1',
  })
  const form = new FormData()
  form.append('bundle', new Blob([new Uint8Array(bundle)]), 'bundle.tar.gz')
  expect(await client.post('/deployments', { body: form })).toMatchObject({ actions: ['greet'] })

  const run = { params: { app: 'hello', action: 'greet' }, body: { name: 'Ada' } }
  const { job_id } = await client.post('/jobs/run/{app}/{action}', run)
  const job = await client.get('/jobs/{id}', { params: { id: job_id } })
  expect(job).toMatchObject({ status: 'queued', app: 'hello', input: { name: 'Ada' } })

  const { items } = await client.get('/jobs', { query: { status: 'queued', limit: 1 } })
  expect(items.map(({ id }) => id)).toEqual([job_id])

  await client.post('/jobs/{id}/cancel', { params: { id: job_id }, body: { reason: 'enough' } })
  const events = await client.get('/jobs/{id}/events', { params: { id: job_id } })
  const seen: unknown[] = []
  for await (const { data } of events) seen.push(data)
  expect(seen.at(-1)).toMatchObject({ status: 'canceled' })
})

it('sets, reads and removes a variable', async () => {
  await client.post('/variables', { body: { key: 'greeting', value: 'Hi', secret: false } })
  const { items } = await client.get('/variables')
  expect(items).toMatchObject([{ key: 'greeting', value: 'Hi' }])
  expect(await client.delete('/variables/{key}', { params: { key: 'greeting' } })).toBeUndefined()
})

it('knows a job that is called twice with one key as one', async () => {
  const run = { params: { app: 'hello', action: 'greet' }, body: {}, idempotencyKey: 'once' }
  const first = await client.post('/jobs/run/{app}/{action}', run)
  expect(await client.post('/jobs/run/{app}/{action}', run)).toEqual(first)
})

it('throws a refusal with status, code, message and request id', async () => {
  const id = '019abcde-0000-7000-8000-00000000ffff'
  const error = await client.get('/jobs/{id}', { params: { id } }).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 404, code: 'not_found', requestId: expect.any(String) })
  const bad = client.post('/schedules/preview', { body: { cron: 'never' } })
  await expect(bad).rejects.toMatchObject({ status: 400, message: expect.stringMatching(/./) })
})

it('reaches what belongs to no workspace', async () => {
  expect(await client.get('/healthz')).toMatchObject({ status: 'ok' })
  expect(await client.get('/api/auth/me')).toMatchObject({ workspace: WS })
  const response = await client.fetch('/api/docs')
  expect(await response.text()).toContain('svc API')
})
