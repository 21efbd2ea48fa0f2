/** Several messages in one request of the Model Context Protocol, as its old versions allow [agents 3.1]. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const MEGABYTE = 1_048_576
const APP = 'shop'
const ACTION = 'list'

let app: TestApp
let token: string

beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['jobs:run', 'jobs:read'])
  await deployActions(app.deps, [{ ws: WS, app: APP, key: ACTION, expose: { mcp: true } }])
})
afterAll(() => app.close())

const answers = z.array(
  z.looseObject({
    id: z.int().nullable(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  }),
)
const send = (messages: readonly unknown[]) =>
  app.call('POST', `/mcp/${WS}`, { token, json: messages })
const listTools = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' })
const NOTIFICATION = { jsonrpc: '2.0', method: 'notifications/initialized' }

it('are answered in their order, each by itself', async () => {
  const { status, json } = await send([listTools(1), NOTIFICATION, 7, [listTools(2)], listTools(3)])
  expect(status).toBe(200)
  const found = answers.parse(json).map(({ id, error }) => [id, error?.code])
  expect(found).toEqual([
    [1, undefined],
    [null, -32_600],
    [null, -32_600],
    [3, undefined],
  ])
})

it('need no answer if they are notifications', async () => {
  const { status, text } = await send([NOTIFICATION, NOTIFICATION])
  expect([status, text]).toEqual([202, ''])
})

it('are at most ten', async () => {
  const { status, text } = await send(Array.from({ length: 11 }, (_, at) => listTools(at)))
  expect(status).toBe(400)
  expect(text).toContain('A list has at most 10 messages.')
})

it('count as requests, all before the first is answered', async () => {
  const limited = await createTestApp({ rates: { other: 5 } })
  try {
    const own = await limited.token(['jobs:run'])
    const sendOwn = (count: number) => {
      const json = Array.from({ length: count }, (_, at) => listTools(at))
      return limited.call('POST', `/mcp/${WS}`, { token: own, json })
    }
    expect((await sendOwn(10)).status).toBe(429)
  } finally {
    await limited.close()
  }
})

it('get no more large answers than one message does', async () => {
  const run = await app.call('POST', `/api/w/${WS}/jobs/run/${APP}/${ACTION}`, { token, json: {} })
  const { job_id } = z.object({ job_id: z.uuid() }).parse(run.json)
  const request = { worker: 'w1', tags: ['default'], limit: 1, leaseMs: 60_000 }
  const [job] = await claimJobs(app.deps, request)
  if (job === undefined) throw new Error('There was nothing to claim.')
  const outcome = { kind: 'success', resultJson: JSON.stringify('x'.repeat(3 * MEGABYTE)) } as const
  await completeJob(app.deps, { job, outcome, retry: null, logs: [] })
  const params = { name: 'get_job', arguments: { job_id } }
  const calls = Array.from({ length: 10 }, (_, id) => ({
    ...listTools(id),
    method: 'tools/call',
    params,
  }))
  const { json, text } = await send(calls)
  expect(text.length).toBeLessThan(8 * MEGABYTE)
  const [, second, ...rest] = answers.parse(json)
  expect(second).toMatchObject({ id: 1, result: {} })
  const error = { code: -32_600, message: expect.stringContaining('Send this message alone.') }
  expect(rest).toEqual(rest.map((_, at) => ({ jsonrpc: '2.0', error, id: at + 2 })))
})
