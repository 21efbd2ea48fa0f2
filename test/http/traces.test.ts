/** The header `traceparent` of every request that starts work [jobs 19]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#store/sql.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { createFunctionApp, type FunctionApp } from '../support/function-app.ts'

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const HEADERS = { traceparent: TRACE }

describe('a request that starts work', () => {
  let app: TestApp
  let token = ''
  beforeAll(async () => {
    app = await createTestApp()
    token = await app.token(['*'])
    await deployActions(
      app.deps,
      [{ ws: WS, app: 'shop', key: 'pay' }],
      [{ key: 'order', steps: [{ key: 'pay', action: 'pay' }] }],
      [
        { key: 'job', action: 'pay', verify: { scheme: 'none' } },
        { key: 'flow', flow: 'order', verify: { scheme: 'none' } },
      ],
    )
  })
  afterAll(() => app.close())

  const traces = async () => {
    const rows = await app.deps.db.all(sql`SELECT owner_id, traceparent FROM traces`)
    await app.deps.db.write([sql`DELETE FROM traces`])
    return rows
  }

  it.each([
    `/api/w/${WS}/jobs/run/shop/pay`,
    `/api/w/${WS}/jobs/webhook/shop/pay`,
    `/api/w/${WS}/flows/run/shop/order`,
    `/api/w/${WS}/flows/webhook/shop/order`,
    `/hook/${WS}/shop/job`,
    `/hook/${WS}/shop/flow`,
  ])('%s gives its trace on', async (path) => {
    const answer = await app.call('POST', path, { token, json: {}, headers: HEADERS })
    const [id] = Object.values(Object(answer.json))
    expect(await traces()).toEqual([{ owner_id: id, traceparent: TRACE }])
  })

  it('has no trace without the header, or with one that is malformed', async () => {
    const path = `/api/w/${WS}/jobs/run/shop/pay`
    await app.call('POST', path, { token, json: {} })
    const headers = { traceparent: TRACE.slice(1) }
    expect(await app.call('POST', path, { token, json: {}, headers })).toMatchObject({
      status: 201,
    })
    expect(await traces()).toEqual([])
  })
})

describe('a function', () => {
  let functions: FunctionApp
  beforeAll(async () => {
    functions = await createFunctionApp()
    const json = { key: 'shop', name: 'Shop' }
    await functions.app.call('POST', `/api/w/${WS}/apps`, { token: functions.token, json })
    await functions.deploy({
      'functions/trace/index.ts': `import process from 'node:process'
        globalThis.fetch = async (_, init) => new Headers(init?.headers).get('traceparent')
        export default async (ctx) => ({ env: process.env.TRACEPARENT ?? null, sent: await ctx.fetch('http://a.test/') })`,
    })
  })
  afterAll(() => functions.close())

  it('has the trace of its request, and none of the one before', async () => {
    const call = (headers: Readonly<Record<string, string>>) =>
      functions.app.call('GET', `/fn/${WS}/shop/trace`, { headers })
    expect((await call(HEADERS)).json).toEqual({ env: TRACE, sent: TRACE })
    expect((await call({})).json).toEqual({ env: null, sent: null })
  })
})
