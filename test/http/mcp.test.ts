/** Agents call actions and flows as tools, with the official client of the protocol over HTTP [agents 1 to 4]. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import type { GrantedScope } from '#core/access/scope.ts'
import { deleteApp } from '#service/apps/manage-app.ts'
import {
  createConsumer,
  issueConsumerKey,
  replaceGrants,
} from '#service/customers/manage-consumer.ts'
import type { RunOutcome } from '#service/queue/complete-job.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { insertLogChunk } from '#store/jobs/log.ts'
import { claimJobs } from '../support/claim-jobs.ts'
import { completeJob } from '../support/complete-job.ts'
import { createTestApp, type TestAnswer, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { leastLongestTurnMs } from '../support/longest-turn.ts'

const SCHEMA = {
  type: 'object',
  required: ['to'],
  properties: { to: { type: 'string' }, anything: true },
}

/** Replaces the default of 25 s. */
const TOOL_WAIT_MS = 5_000

let app: TestApp
let url: URL
const clients: Client[] = []

const REFUND = { type: 'object', properties: { won: { type: 'integer' } } }

beforeAll(async () => {
  app = await createTestApp({ toolWaitMs: TOOL_WAIT_MS })
  const mcp = { mcp: true, description: 'Ships an order.' }
  await deployActions(
    app.deps,
    [
      { ws: WS, app: 'shop', key: 'ship_now', tag: 'ship', expose: mcp, inputSchema: SCHEMA },
      { ws: WS, app: 'shop', key: 'slow', tag: 'slow', expose: { mcp: true } },
      {
        ws: WS,
        app: 'shop',
        key: 'refund',
        tag: 'refund',
        expose: { ...mcp, approval: true },
        inputSchema: REFUND,
      },
      { ws: WS, app: 'shop', key: 'hidden' },
    ],
    [
      {
        key: 'order',
        inputSchema: SCHEMA,
        expose: { mcp: true, description: 'Orders.' },
        steps: [{ key: 'a', kind: 'action', action: 'ship_now' }],
      },
      {
        key: 'asks',
        expose: { mcp: true },
        steps: [{ key: 'ok', kind: 'approval', approval: { allowSelfApproval: true } }],
      },
    ],
  )
  url = new URL(`${await app.listen()}/mcp/${WS}`)
})
afterAll(async () => {
  for (const client of clients) await client.close()
  await app.close()
})

const connect = async (token: string): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  clients.push(client)
  return client
}
const connectWith = async (scopes: readonly GrantedScope[]): Promise<Client> =>
  connect(await app.token(scopes))

const claim = async (tag: string): Promise<ClaimedJob> => {
  const deadline = performance.now() + 10_000
  while (performance.now() < deadline) {
    const request = { worker: 'w1', tags: [tag], limit: 1, leaseMs: 60_000 }
    const [job] = await claimJobs(app.deps, request)
    if (job !== undefined) return job
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`No job waits under ${tag}.`)
}
const end = async (job: ClaimedJob, outcome: RunOutcome): Promise<void> => {
  await completeJob(app.deps, { job, outcome, retry: null, logs: [] })
}
const succeed = async (tag: string, result: unknown): Promise<ClaimedJob> => {
  const job = await claim(tag)
  await end(job, { kind: 'success', resultJson: JSON.stringify(result) })
  return job
}

const answered = z.looseObject({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  isError: z.boolean().optional(),
})
const textOf = (result: unknown): string => answered.parse(result).content[0]?.text ?? ''
const jsonOf = (result: unknown): unknown => JSON.parse(textOf(result))

const started = z.looseObject({ job_id: z.uuid().optional(), flow_run_id: z.uuid().optional() })

const listed = z.object({
  result: z.object({
    tools: z.array(z.looseObject({ name: z.string() })),
    nextCursor: z.string().optional(),
  }),
})

describe('tools/list', () => {
  it('names what is exposed, with descriptions and schemas, for any valid credential', async () => {
    const client = await connectWith([])
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'get_job',
      'get_job_logs',
      'list_jobs',
      'shop_asks',
      'shop_order',
      'shop_refund',
      'shop_ship_now',
      'shop_slow',
    ])
    const ship = tools.find(({ name }) => name === 'shop_ship_now')
    expect(ship).toMatchObject({
      description: 'Ships an order.',
      inputSchema: { type: 'object', required: ['to'], properties: { anything: {} } },
    })
    expect(tools.find(({ name }) => name === 'shop_slow')?.inputSchema).toEqual({ type: 'object' })
  })

  it('refuses a request without a credential, of another site, or by another method', async () => {
    const token = await app.token(['*'])
    const path = `/mcp/${WS}`
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect((await app.call('POST', path, { json })).status).toBe(401)
    const headers = { origin: 'https://evil.example' }
    const foreign = await app.call('POST', path, { token, json, headers })
    expect(foreign).toMatchObject({ status: 403, json: { code: 'foreign_origin' } })
    expect((await app.call('GET', path, { token })).status).toBe(405)
    expect((await app.call('POST', '/mcp/other', { token, json })).status).toBe(403)
  })

  it('answers plain JSON to a client that takes no event stream', async () => {
    const token = await app.token([])
    const json = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
    const headers = { accept: 'application/json' }
    const answer = await app.call('POST', `/mcp/${WS}`, { token, json, headers })
    expect(answer).toMatchObject({
      status: 200,
      json: { id: 7, result: { tools: [{}, {}, {}, {}, {}, {}, {}, {}] } },
    })
    const call = '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"arguments":{"n":1e999}}}'
    const deep = call.replace('1e999', `${'['.repeat(70)}${']'.repeat(70)}`)
    for (const body of ['{', call, deep]) {
      const broken = await app.call('POST', `/mcp/${WS}`, {
        token,
        body,
        headers: { 'content-type': 'application/json' },
      })
      expect(broken).toMatchObject({ status: 400, json: { error: { code: -32700 } } })
    }
  })
})

describe('a long list of tools', () => {
  const APPS = ['large-1', 'large-2']
  const names = (app: string) => Array.from({ length: 30 }, (_, at) => `${app}_tool-${at + 10}`)

  beforeAll(async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [
        `field-${at}`,
        { type: 'string', description: 'A field.', maxLength: at },
      ]),
    )
    for (const key of APPS) {
      const [first, ...others] = names(key).map((name) => ({
        ws: WS,
        app: key,
        key: name.slice(key.length + 1),
        expose: { mcp: true },
        inputSchema: { type: 'object', properties },
      }))
      if (first !== undefined) await deployActions(app.deps, [first, ...others])
    }
  })
  afterAll(async () => {
    for (const key of APPS) await deleteApp(app.deps, { ws: WS, key, actor: CLI_ACTOR })
  })

  const page = async (cursor?: string) => {
    const token = await app.token([])
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor } }
    const headers = { accept: 'application/json' }
    return await app.request('POST', `/mcp/${WS}`, { token, json, headers })
  }

  it('has pages of limited size, which together contain each tool once', async () => {
    const found: string[] = []
    let pages = 0
    for (let cursor: string | undefined; pages === 0 || cursor !== undefined; pages += 1) {
      const answer = await page(cursor)
      const text = await answer.text()
      // without a length, unsent answers would not count
      expect(answer.headers.get('content-length')).toBe(String(text.length))
      const { tools, nextCursor } = listed.parse(JSON.parse(text)).result
      expect(JSON.stringify(tools).length).toBeLessThan(1_300_000)
      found.push(...tools.map(({ name }) => name))
      cursor = nextCursor
    }
    expect(pages).toBeGreaterThan(5)
    expect(found.filter((name) => name.startsWith('large-'))).toEqual(APPS.flatMap(names))
    expect(new Set(found).size).toBe(found.length)
    expect(found).toContain('shop_ship_now')
  })

  it('does not block the node', async () => {
    expect(await leastLongestTurnMs(async () => (await page()).text())).toBeLessThan(50)
  })
})

describe('tools/call', () => {
  it('runs an action and answers its result', async () => {
    const client = await connectWith(['jobs:run'])
    const called = client.callTool({ name: 'shop_ship_now', arguments: { to: 'Seoul' } })
    const job = await succeed('ship', { parcel: 7 })
    const result = await called
    expect(jsonOf(result)).toEqual({ parcel: 7 })
    expect(result).toMatchObject({ structuredContent: { parcel: 7 }, _meta: { job_id: job.id } })
    expect(result.isError).toBeFalsy()
  })

  it('answers the failure of a job as an error that names the job', async () => {
    const client = await connectWith(['jobs:run'])
    const called = client.callTool({ name: 'shop_slow', arguments: {} })
    const job = await claim('slow')
    await end(job, {
      kind: 'failure',
      isFinal: true,
      error: { name: 'Broken', message: 'no stock' },
    })
    const result = await called
    expect(result.isError).toBe(true)
    expect(jsonOf(result)).toMatchObject({
      job_id: job.id,
      status: 'failure',
      error: { name: 'Broken', message: 'no stock' },
    })
  })

  it('names a missing scope, a fault of the arguments, and refuses unknown tools', async () => {
    const reader = await connectWith(['jobs:read'])
    const missing = await reader.callTool({ name: 'shop_slow', arguments: {} })
    expect(missing.isError).toBe(true)
    expect(textOf(missing)).toContain('jobs:run')
    expect(textOf(await reader.callTool({ name: 'shop_asks', arguments: {} }))).toContain(
      'flows:run',
    )
    expect(textOf(await reader.callTool({ name: 'shop_refund', arguments: {} }))).toContain(
      'jobs:run',
    )
    const runner = await connectWith(['jobs:run', 'flows:run'])
    expect(textOf(await runner.callTool({ name: 'list_jobs' }))).toContain('jobs:read')
    for (const name of ['shop_ship_now', 'shop_order']) {
      const bad = await runner.callTool({ name, arguments: { to: 7 } })
      expect(bad.isError).toBe(true)
      expect(textOf(bad)).toMatch(/input_schema[\s\S]*to must be a string/)
    }
    const refund = await runner.callTool({ name: 'shop_refund', arguments: { won: 'all' } })
    expect(textOf(refund)).toContain('does not fit the schema of shop/refund. (input_schema)')
    const list = { name: 'list_jobs', arguments: { limit: 0 } }
    expect(textOf(await reader.callTool(list))).toContain('The arguments of the tool are not valid')
    for (const name of ['shop_hidden', 'shop_nothing', 'nothing', 'shop_approve:refund']) {
      await expect(runner.callTool({ name, arguments: {} })).rejects.toThrow('There is no tool')
    }
  })

  it('waits for a flow, and answers its result', async () => {
    const client = await connectWith(['flows:run'])
    const called = client.callTool({ name: 'shop_order', arguments: { to: 'Busan' } })
    await succeed('ship', 'sent')
    expect(jsonOf(await called)).toBe('sent')
  })

  it('answers the error of a flow run that failed', async () => {
    const client = await connectWith(['flows:run'])
    const called = client.callTool({ name: 'shop_order', arguments: { to: 'Busan' } })
    const error = { name: 'Broken', message: 'no stock' }
    await end(await claim('ship'), { kind: 'failure', isFinal: true, error })
    const result = await called
    expect(result.isError).toBe(true)
    expect(jsonOf(result)).toMatchObject({ status: 'failed', error })
  })

  it('answers a link where a person must approve, and goes on after', async () => {
    const client = await connectWith(['jobs:run', 'jobs:read', 'flows:read'])
    const asked = z
      .object({
        flow_run_id: z.uuid(),
        status: z.literal('waiting_approval'),
        approval_url: z.url(),
      })
      .loose()
      .parse(jsonOf(await client.callTool({ name: 'shop_refund', arguments: { won: 5 } })))
    expect(asked.approval_url).toBe(`${url.origin}/ui/w/${WS}/flow-runs/${asked.flow_run_id}`)
    const person = await app.token(['*'])
    const listed = await app.call('GET', `/api/w/${WS}/flows`, { token: person })
    expect(listed.text).not.toContain('approve:')
    const answer = await app.call('POST', `/api/w/${WS}/flow-runs/${asked.flow_run_id}/approve`, {
      token: person,
      json: {},
    })
    expect(answer.status).toBe(200)
    const job = await claim('refund')
    const row = await app.call('GET', `/api/w/${WS}/jobs/${job.id}`, { token: person })
    expect(row.json).toMatchObject({ input: { won: 5 } })
    await end(job, { kind: 'success', resultJson: '"refunded"' })
    const read = await client.callTool({
      name: 'get_job',
      arguments: { job_id: asked.flow_run_id },
    })
    expect(jsonOf(read)).toMatchObject({ status: 'completed', result: 'refunded' })
  })

  it('answers the id of a flow run that waits for a person', async () => {
    const client = await connectWith(['flows:run'])
    const result = jsonOf(await client.callTool({ name: 'shop_asks', arguments: {} }))
    expect(started.parse(result)).toMatchObject({ status: 'waiting_approval' })
  })

  it('reads a flow run for a caller who may read flow runs alone', async () => {
    const client = await connectWith(['flows:run', 'flows:read'])
    const { flow_run_id: id } = started.parse(
      jsonOf(await client.callTool({ name: 'shop_asks', arguments: {} })),
    )
    const read = await client.callTool({ name: 'get_job', arguments: { job_id: id } })
    expect(jsonOf(read)).toMatchObject({ id, status: 'waiting_approval' })
    const unknown = await client.callTool({
      name: 'get_job',
      arguments: { job_id: app.deps.newId() },
    })
    expect(textOf(unknown)).toContain('jobs:read')
  })

  it('reads jobs, their lists and logs', async () => {
    const client = await connectWith(['jobs:run', 'jobs:read'])
    const called = client.callTool({ name: 'shop_slow', arguments: { a: 1 } })
    const job = await claim('slow')
    const bytes = new TextEncoder().encode('one\ntwo\n')
    await app.deps.db.write([insertLogChunk({ claim: job, seq: 0, bytes })])
    await end(job, { kind: 'success', resultJson: '1' })
    await called
    const read = await client.callTool({ name: 'get_job', arguments: { job_id: job.id } })
    expect(jsonOf(read)).toMatchObject({ id: job.id, status: 'success', result: 1 })
    const log = await client.callTool({
      name: 'get_job_logs',
      arguments: { job_id: job.id, tail_bytes: 4 },
    })
    expect(textOf(log)).toBe('two\n')
    const list = await client.callTool({
      name: 'list_jobs',
      arguments: { status: 'success', app: 'shop', limit: 1 },
    })
    expect(jsonOf(list)).toMatchObject({ items: [{ id: expect.any(String) }] })
    const labeled = await client.callTool({ name: 'list_jobs', arguments: { label: 'none' } })
    expect(jsonOf(labeled)).toMatchObject({ items: [] })
    const unknown = await client.callTool({ name: 'list_jobs', arguments: { colour: 'red' } })
    expect(unknown.isError).toBe(true)
    expect(textOf(unknown)).toContain('arguments.colour')
  })

  it('refuses an unknown id as that of a job, and of a flow run where the caller may read those', async () => {
    const read = async (scopes: readonly GrantedScope[], id: string) => {
      const client = await connectWith(scopes)
      return textOf(await client.callTool({ name: 'get_job', arguments: { job_id: id } }))
    }
    for (const id of [app.deps.newId(), 'none']) {
      expect(await read(['jobs:read'], id)).toContain('Job not found.')
      expect(await read(['jobs:read', 'flows:read'], id)).toContain('Job or flow run not found.')
    }
  })
})

describe('a long call', () => {
  it('reports progress, then answers the id of its job when its time is over', async () => {
    const client = await connectWith(['jobs:run'])
    const progress: number[] = []
    const startedAt = performance.now()
    const result = await client.callTool({ name: 'shop_slow', arguments: {} }, undefined, {
      onprogress: ({ progress: done }) => progress.push(done),
    })
    const tookMs = performance.now() - startedAt
    expect(tookMs).toBeGreaterThan(TOOL_WAIT_MS - 100)
    expect(tookMs).toBeLessThan(TOOL_WAIT_MS + 4_000)
    expect(jsonOf(result)).toMatchObject({ job_id: expect.any(String), status: 'queued' })
    expect(progress.length).toBeGreaterThan(1)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    await succeed('slow', null)
  }, 40_000)

  it('is canceled with its job, by a message of its own', async () => {
    const client = await connectWith(['jobs:run'])
    const canceled = new AbortController()
    let isStarted = (): void => undefined
    const going = new Promise<void>((resolve) => {
      isStarted = resolve
    })
    const called = client.callTool({ name: 'shop_slow', arguments: {} }, undefined, {
      signal: canceled.signal,
      onprogress: () => isStarted(),
    })
    await going
    const { id } = await app.deps.db
      .one({ sql: "SELECT id FROM jobs WHERE status = 'queued' AND action = 'slow'", args: [] })
      .then((row) => z.object({ id: z.string() }).parse(row))
    canceled.abort('enough')
    await expect(called).rejects.toThrow()
    const token = await app.token(['jobs:read'])
    await expect
      .poll(async () => (await app.call('GET', `/api/w/${WS}/jobs/${id}`, { token })).json, {
        timeout: 5_000,
      })
      .toMatchObject({ status: 'canceled' })
  })
})

describe('a customer key', () => {
  it('sees and calls what it is granted, and reads its own jobs', async () => {
    const request = { ws: WS, name: 'Acme', externalRef: null, actor: CLI_ACTOR }
    const { id } = await createConsumer(app.deps, request)
    const act = { ws: WS, id, actor: CLI_ACTOR }
    await replaceGrants(app.deps, act, [
      { app: 'shop', action: 'ship_now' },
      { app: 'shop', action: 'refund' },
      { app: 'shop', action: 'hidden' },
    ])
    const { text } = await issueConsumerKey(app.deps, act, { label: 'k', expiresInDays: null })
    const client = await connect(text)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['get_job', 'get_job_logs', 'shop_ship_now'])
    const called = client.callTool({ name: 'shop_ship_now', arguments: { to: 'Jeju' } })
    const job = await succeed('ship', 1)
    expect(jsonOf(await called)).toBe(1)
    const own = await client.callTool({ name: 'get_job', arguments: { job_id: job.id } })
    expect(jsonOf(own)).toMatchObject({ customer_id: id })
    for (const name of ['shop_slow', 'shop_refund', 'shop_order', 'list_jobs']) {
      await expect(client.callTool({ name, arguments: {} })).rejects.toThrow('There is no tool')
    }
  })
})

describe('a message with many fields', () => {
  const FIELDS = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field-${at}`, 0]))
  const MOST_MS = 50
  const send = async (message: unknown) => {
    const token = await app.token(['jobs:run'])
    return app.call('POST', `/mcp/${WS}`, {
      token,
      json: { jsonrpc: '2.0', id: 1, ...Object(message) },
    })
  }
  const errorOf = ({ json }: TestAnswer) =>
    z.object({ error: z.object({ message: z.string() }) }).parse(json).error.message

  it('does not block the node while its arguments are read', async () => {
    const params = { name: 'shop_unknown', arguments: FIELDS }
    const ms = await leastLongestTurnMs(() => send({ method: 'tools/call', params }))
    expect(ms).toBeLessThan(MOST_MS)
  })

  it.each([
    ['the message', { method: 'tools/list', ...FIELDS }],
    ['its parameters', { method: 'tools/list', params: FIELDS }],
    ['its _meta', { method: 'tools/call', params: { name: 'x', _meta: FIELDS } }],
    ['its list of arguments', { method: 'tools/call', params: { arguments: [FIELDS] } }],
  ])('is refused if %s has them', async (_where, message) => {
    const answer = await send(message)
    expect([answer.status, errorOf(answer)]).toEqual([400, expect.stringContaining('2000 values')])
  })

  it.each([
    ['id', { id: 'x'.repeat(1_001), method: 'ping' }],
    ['progress token', { method: 'ping', params: { _meta: { progressToken: 'x'.repeat(1_001) } } }],
  ])('is refused if its %s is long, because answers repeat it', async (_what, message) => {
    const answer = await send(message)
    expect([answer.status, errorOf(answer)]).toEqual([400, expect.stringContaining('at most 1000')])
    const token = await app.token([])
    const list = [{ jsonrpc: '2.0', id: 1, ...message }]
    expect((await app.call('POST', `/mcp/${WS}`, { token, json: list })).status).toBe(400)
  })

  it('has its arguments and its result in full', async () => {
    const client = await connectWith(['jobs:run'])
    const call = client.callTool({
      name: 'shop_ship_now',
      arguments: { to: 'x', anything: FIELDS },
    })
    const { inputJson } = await succeed('ship', FIELDS)
    expect(JSON.parse(inputJson)).toEqual({ to: 'x', anything: FIELDS })
    const result = await call
    expect(jsonOf(result)).toEqual(FIELDS)
    // the package copies the fields of an object one by one
    expect(result).not.toHaveProperty('structuredContent')
  })
})
