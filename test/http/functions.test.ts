/** HTTP functions: deployed, called by path and host, answered, recorded. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '#store/sql.ts'
import { packApp, toUpload } from '../support/bundle-archive.ts'
import { type TestApp, type TestRequest, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { createFunctionApp, type FunctionApp, MAX_FUNCTION_BODY } from '../support/function-app.ts'

const APP = 'shop'
const FUNCTIONS = `/api/w/${WS}/apps/${APP}/functions`

const SOURCES: Readonly<Record<string, string>> = {
  'functions/echo/index.ts': `export default (ctx) => ({
    query: ctx.query, body: ctx.body, headers: ctx.headers, method: ctx.method, id: ctx.requestId,
    request: { url: ctx.request.url, path: ctx.request.path, hostname: ctx.request.hostname, protocol: ctx.request.protocol, method: ctx.request.method, ip: ctx.request.ip },
    files: ctx.files.map((file) => ({ ...file, buffer: file.buffer.toString('utf8') })),
  })`,
  'functions/value/index.ts': `const VALUES = { text: 'plain', bytes: new Uint8Array([1, 2, 255]), nothing: undefined, list: [1], zero: 0, no: null }
  export const main = (ctx) => VALUES[ctx.query.of]`,
  'functions/set/index.ts': `export default (ctx) => { ctx.set.status = 418; ctx.set.headers['X-Tea'] = 'green'; ctx.set.headers['content-type'] = 'text/x-tea'; return 'tea' }`,
  'functions/raw/index.ts': `export default (ctx) => new Response(ctx.query.status === '204' ? null : 'made', { status: Number(ctx.query.status ?? 201), headers: [['set-cookie', 'a=1'], ['set-cookie', 'b=2'], ['location', '/x']] })`,
  'functions/common/index.ts': `module.exports = () => 'common'`,
  'functions/large/index.ts': `export default (ctx) => 'x'.repeat(Number(ctx.query.size))`,
  'functions/stream/index.ts': `export default () => new Response(new ReadableStream({ async start(out) {
    for (const part of ['one ', 'two ', 'three']) { out.enqueue(new TextEncoder().encode(part)); await new Promise((go) => setTimeout(go, 30)) }
    out.close()
  } }))`,
  'functions/control/index.ts': `export default (ctx) => {
    const body = ctx.query.of === 'stream' ? new ReadableStream({ pull: (out) => out.enqueue(new Uint8Array(10)) }) : 'x'
    return new Response(body, { headers: { 'x-text': 'a\\x01b' } })
  }`,
  'functions/untyped/index.ts': `export default (ctx) => new Response(ctx.query.of === 'nothing' ? null : new Uint8Array([1, 255]))`,
  'functions/endless/index.ts': `export default () => new Response(new ReadableStream({ pull: (out) => out.enqueue(new Uint8Array(10)) }))`,
  'functions/empty/index.ts': `export default (ctx) => { ctx.set.status = 204; return 'x'.repeat(3_000_000) }`,
  'functions/torn/index.ts': `export default () => new Response(new ReadableStream({ start(out) { out.enqueue(new Uint8Array(10)); setTimeout(() => out.error(new Error('torn')), 20) } }))`,
  'functions/boom/index.ts': `export default () => { console.log('before'); throw new TypeError('a secret cause') }`,
  'functions/slow/index.ts': `export default () => new Promise(() => setInterval(() => undefined, 1000))`,
  'functions/slow/function.yaml': 'timeoutS: 1\n',
  'functions/multi/index.ts': `import { check } from './lib/check'\nexport const main = ({ variables }) => check(variables.greeting)`,
  'functions/multi/lib/check.ts':
    "export const check = (text: string): string => 'checked ' + text\n",
  'functions/multi/function.yaml': 'description: Checks\nmethods: [put]\ntags: [a, b]\n',
  'functions/bump/index.ts': `export default async (ctx) => ctx.state.update('bumped', (n) => (n ?? 0) + 1)`,
  'functions/start/index.ts': `export default async (ctx) => {
    try { return await ctx.run(ctx.query.target, { n: 1 }) } catch ({ code }) { return { code } }
  }`,
  'functions/send/index.ts': `export default async (ctx) => {
    try { return await ctx.sendEvent(ctx.query.name, { key: 'k', data: { n: 1 } }) } catch ({ code }) { return { code } }
  }`,
  'functions/count/index.ts': `export default async (ctx) => { const count = ((await ctx.state.get('n')) ?? 0) + 1; await ctx.state.set('n', count); return count }`,
}

let functions: FunctionApp
let app: TestApp
let token: string
let deploy: FunctionApp['deploy']
beforeAll(async () => {
  functions = await createFunctionApp()
  app = functions.app
  token = functions.token
  deploy = functions.deploy
  await app.call('POST', `/api/w/${WS}/apps`, { token, json: { key: APP, name: 'Shop' } })
  await app.call('PUT', `/api/w/${WS}/variables/greeting`, { token, json: { value: 'hello' } })
  expect(await deploy(SOURCES)).toMatchObject({ status: 200 })
})
afterAll(() => functions.close())

const call = (name: string, method = 'GET', request: TestRequest = {}) =>
  app.call(method, `/fn/${WS}/${APP}/${name}`, request)

describe('a function', () => {
  it('sees its request, member by member', async () => {
    const { json } = await call('echo?a=1&b=%20x&a=2', 'POST', {
      json: { deep: [1] },
      headers: { 'User-Agent': 'me', 'X-Forwarded-For': '10.1.1.1' },
    })
    expect(json).toMatchObject({
      query: { a: '2', b: ' x' },
      body: { deep: [1] },
      headers: {
        'user-agent': 'me',
        'content-type': 'application/json',
        'x-forwarded-for': '10.1.1.1',
      },
      method: 'POST',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      request: {
        url: `/fn/${WS}/${APP}/echo?a=1&b=%20x&a=2`,
        path: `/fn/${WS}/${APP}/echo`,
        hostname: 'localhost',
        protocol: 'http',
        method: 'POST',
      },
      files: [],
    })
  })

  it.each(['text', 'stream'])(
    'fails with a header that HTTP cannot carry, with a %s',
    async (of) => {
      const answer = await fetch(`${await app.listen()}/fn/${WS}/${APP}/control?of=${of}`)
      expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'function_failed' }])
      expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox/)
      const record = async () =>
        (await app.call('GET', `${FUNCTIONS}/control/calls?limit=1`, { token })).json
      const error =
        'InvalidAnswer: The response of the function has a value of the header "x-text" that HTTP cannot carry.'
      const request_id = answer.headers.get('x-request-id')
      await expect.poll(record).toMatchObject({ items: [{ request_id, status: 500, error }] })
    },
  )

  it.each([
    ['application/x-www-form-urlencoded', 'a=1&b=x+y', { a: '1', b: 'x y' }],
    ['text/plain', 'just text', 'just text'],
    ['application/vnd.api+json', '[1]', [1]],
  ])('reads a body of %s', async (type, body, expected) => {
    const { json } = await call('echo', 'POST', { body, headers: { 'content-type': type } })
    expect(json).toMatchObject({ body: expected })
  })

  it('is given uploaded files', async () => {
    const form = new FormData()
    form.set('name', 'Ada')
    form.set('file', new Blob(['content'], { type: 'text/csv' }), 'ä b.csv')
    form.set('not chosen', new Blob([]), '')
    const made = new Response(form)
    const { json } = await call('echo', 'POST', {
      body: new Uint8Array(await made.arrayBuffer()),
      headers: { 'content-type': made.headers.get('content-type') ?? '' },
    })
    expect(json).toMatchObject({
      body: { name: 'Ada' },
      files: [
        {
          fieldname: 'file',
          originalname: 'ä b.csv',
          size: 7,
          mimetype: 'text/csv',
          buffer: 'content',
        },
      ],
    })
  })

  it.each([
    ['application/json', '{"a":', 'The body is not valid JSON.', 'malformed_json'],
    [
      'application/json',
      '{"a": -1e999}',
      'The body holds a number that is too large. Send it as a string.',
      'malformed_json',
    ],
    [
      'multipart/form-data; boundary=x',
      '--y\r\nbroken',
      'The multipart body is broken.',
      'malformed_form',
    ],
  ])('with a broken %s answers 400 in the form of every error', async (type, body, error, code) => {
    const headers = { 'content-type': type, 'x-request-id': 'mine' }
    const answer = await call('echo', 'POST', { body, headers })
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ error, code, request_id: 'mine' })
  })

  it.each([
    ['text', 200, 'text/plain; charset=utf-8', 'plain'],
    ['bytes', 200, 'application/octet-stream', '\u0001\u0002\ufffd'],
    ['nothing', 204, null, ''],
    ['list', 200, 'application/json; charset=utf-8', '[1]'],
    ['zero', 200, 'application/json; charset=utf-8', '0'],
    ['no', 200, 'application/json; charset=utf-8', 'null'],
  ])('that returns %s answers %i', async (of, status, type, text) => {
    const answer = await call(`value?of=${of}`)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.text).toBe(text)
  })

  it('sets status and headers, or answers a Response as it is', async () => {
    const set = await call('set')
    expect([
      set.status,
      set.headers.get('x-tea'),
      set.headers.get('content-type'),
      set.text,
    ]).toEqual([418, 'green', 'text/x-tea', 'tea'])
    const raw = await call('raw?status=302')
    expect([raw.status, raw.headers.get('location')]).toEqual([302, '/x'])
    expect((await call('raw?status=204')).text).toBe('')
    expect(raw.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each([
    ['bytes', 'application/octet-stream'],
    ['nothing', null],
  ])('never has the %s of an untyped Response called text', async (of, type) => {
    const { headers } = await call(`untyped?of=${of}`)
    expect(headers.get('content-type')).toBe(type)
  })

  it('answers more than fits one piece, and in pieces as they come', async () => {
    expect((await call('large?size=3000000')).text).toHaveLength(3_000_000)
    const response = await app.request('GET', `/fn/${WS}/${APP}/stream`)
    const parts: string[] = []
    const decoder = new TextDecoder()
    for await (const part of response.body ?? []) parts.push(decoder.decode(part))
    expect(parts.join('')).toBe('one two three')
    expect(parts.length).toBeGreaterThan(1)
    const torn = await app.request('GET', `/fn/${WS}/${APP}/torn`)
    await expect(torn.arrayBuffer()).rejects.toThrow()
    expect((await call('value?of=text')).status).toBe(200)
  })

  it.each([
    ['endless', 'HEAD', 200],
    ['empty', 'GET', 204],
  ])('%s by %s ends at once, because its body has no reader', async (name, method, status) => {
    expect((await call(name, method)).status).toBe(status)
    const list = async () => {
      await functions.flushCalls()
      return (await app.call('GET', `${FUNCTIONS}/${name}/calls`, { token })).json
    }
    const ended = { items: [{ status, error: null }] }
    await expect.poll(list, { timeout: 15_000 }).toMatchObject(ended)
  })

  it('updates state at once with other calls, and none is lost', async () => {
    const calls = await Promise.all(Array.from({ length: 8 }, () => call('bump')))
    expect(calls.map(({ json }) => Number(json)).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('keeps state, and knows the variables of its workspace', async () => {
    expect((await call('count')).text).toBe('1')
    expect((await call('count')).text).toBe('2')
    expect((await call('multi', 'PUT')).text).toBe('checked hello')
    expect((await call('common')).text).toBe('common')
  })

  it('starts jobs as its deployer, each call for itself', async () => {
    await deployActions(app.deps, [{ ws: WS, app: 'tasks', key: 'ship' }])
    const started = [await call('start?target=tasks/ship'), await call('start?target=tasks/ship')]
    const rows = await app.deps.db.all(
      sql`SELECT id, trigger_kind, created_by, permissioned_as, chain_depth FROM jobs WHERE app = 'tasks' ORDER BY id`,
    )
    expect(started.map(({ json }) => json)).toEqual(rows.map(({ id }) => ({ jobId: id })))
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatchObject({
      trigger_kind: 'function',
      created_by: `function:${APP}/start`,
      permissioned_as: 'admin@localhost',
      chain_depth: 0,
    })
    expect(await call('start?target=tasks/missing')).toMatchObject({
      json: { code: 'action_not_found' },
    })
  })

  it('sends events, each call its own', async () => {
    const sent = [await call('send?name=order.paid'), await call('send?name=order.paid')]
    const rows = await app.deps.db.all(
      sql`SELECT id, name, key, sent_by, chain_depth FROM events ORDER BY rowid`,
    )
    expect(sent.map(({ json }) => json)).toEqual(rows.map(({ id }) => ({ eventId: id })))
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatchObject({
      name: 'order.paid',
      key: 'k',
      sent_by: `function:${APP}/send`,
      chain_depth: 0,
    })
    expect(await call('send?name=Order')).toMatchObject({ json: { code: 'invalid' } })
  })

  it('that throws answers 500 and keeps the cause for the log', async () => {
    const answer = await call('boom')
    expect(answer.status).toBe(500)
    expect(answer.json).toEqual({
      error: 'The function failed.',
      code: 'function_failed',
      request_id: expect.any(String),
    })
    expect(functions.warnings.join()).toContain('a secret cause')
  })

  it('that a newer svc deployed with an unknown field is answered 503', async () => {
    const { db } = app.deps
    const write = (definition: string) =>
      db.write([sql`UPDATE app_functions SET definition = ${definition} WHERE name = 'echo'`])
    const stored = await db.one(sql`SELECT definition FROM app_functions WHERE name = 'echo'`)
    const definition = z.string().parse(stored?.definition)
    await write(JSON.stringify({ ...z.looseObject({}).parse(JSON.parse(definition)), auth: 'key' }))
    try {
      expect(await call('echo')).toMatchObject({ status: 503, json: { code: 'newer_svc' } })
    } finally {
      await write(definition)
    }
    expect((await call('echo')).status).toBe(200)
  })

  it('that takes too long answers 504', async () => {
    expect((await call('slow')).status).toBe(504)
  })

  it.each([
    ['none', 'GET', 404],
    ['echo/deeper', 'GET', 404],
    ['', 'GET', 404],
    ['echo', 'DELETE', 405],
    ['multi', 'GET', 405],
    ['echo', 'HEAD', 200],
  ])('/%s by %s answers %i', async (name, method, status) => {
    const answer = await call(name, method)
    expect(answer.status).toBe(status)
    if (status === 405) {
      expect(answer.headers.get('allow')).toBe(name === 'multi' ? 'PUT' : 'GET, POST')
    }
  })

  it('refuses a body beyond the limit', async () => {
    expect((await call('echo', 'POST', { body: 'x'.repeat(MAX_FUNCTION_BODY + 1) })).status).toBe(
      413,
    )
  })
})

describe('a host name', () => {
  const at = (host: string, path: string) => app.call('GET', path, { headers: { host } })

  it('of the apps’ domain leads to the app, and to nothing else', async () => {
    expect((await at(`${APP}.apps.test`, '/value?of=text')).text).toBe('plain')
    expect((await at(`${APP.toUpperCase()}.APPS.test:3000`, '/value?of=text')).text).toBe('plain')
    expect((await at(`${APP}.apps.test`, '/healthz')).status).toBe(404)
    expect((await at(`${APP}.apps.test`, '/api/docs')).status).toBe(404)
    expect((await at('other.apps.test', '/value')).status).toBe(404)
    expect((await at('apps.test', '/api/config')).status).toBe(200)
  })
})

describe('a deployment', () => {
  it('changes what changed, and leaves the rest', async () => {
    const same = await deploy({ 'functions/set/index.ts': SOURCES['functions/set/index.ts'] ?? '' })
    expect(same.json).toEqual({ deployed: [], skipped: ['set'] })
    const changed = await deploy({ 'functions/set/index.ts': "export default () => 'new'\n" })
    expect(changed.json).toMatchObject({ deployed: [{ name: 'set' }], skipped: [] })
    expect((await call('set')).text).toBe('new')
    expect((await call('value?of=text')).text).toBe('plain')
  })

  it('refuses a file that came as text: it would be left out', async () => {
    const form = new FormData()
    form.append('functions/echo/index.ts', 'export default () => 1')
    const sent = new Response(form)
    const answer = await app.call('POST', `${FUNCTIONS}/deploy`, {
      token,
      headers: { 'content-type': sent.headers.get('content-type') ?? '' },
      body: new Uint8Array(await sent.arrayBuffer()),
    })
    expect(answer).toMatchObject({
      status: 400,
      json: { code: 'not_a_file', error: expect.stringContaining('functions/echo/index.ts=@') },
    })
  })

  it('lists sources and hashes, so that another machine can pull them', async () => {
    const { json } = await app.call('GET', FUNCTIONS, { token })
    const shape = z.object({
      items: z.array(
        z.looseObject({
          name: z.string(),
          hash: z.string(),
          files: z.record(z.string(), z.string()),
        }),
      ),
    })
    const { items } = shape.parse(json)
    const multi = items.find(({ name }) => name === 'multi')
    expect(multi).toMatchObject({ description: 'Checks', methods: ['PUT'], tags: ['a', 'b'] })
    expect(Object.keys(multi?.files ?? {})).toEqual(['index.ts', 'lib/check.ts', 'function.yaml'])
    expect(atob(multi?.files['lib/check.ts'] ?? '')).toBe(SOURCES['functions/multi/lib/check.ts'])
  })

  it.each([
    [
      { 'functions/a/index.ts': 'export default 1', 'functions/a/b.ts': '' },
      'Validation failed: multi-file function must include function.yaml or openapi.yaml',
    ],
    [{ 'functions/a/other.ts': '' }, 'no index.ts'],
    [{ 'functions/a b/index.ts': '' }, 'function name'],
    [{ 'README.md': 'x' }, 'no functions/<name>/index.ts'],
    [
      { 'functions/a/index.ts': "import x from 'validator'\nexport default x" },
      'Cannot find module "validator". Use a relative import such as ./validator.',
    ],
    [
      { 'functions/a/index.ts': 'export default 1', 'functions/a/function.yaml': 'methods: [FLY]' },
      'must be one of GET',
    ],
    [
      { 'functions/a/index.ts': 'export default 1', 'functions/a/function.yaml': 'method: GET' },
      'is not a field of function.yaml',
    ],
    [{ 'functions/a/index.ts': 'export default (' }, 'functions/a/index.ts:1:'],
    ...['export const handler = () => 1', 'console.log(1)'].map(
      (code): [Record<string, string>, string] => [
        { 'functions/a/index.ts': code },
        'must export a function as default or as "main"',
      ],
    ),
    [{ 'functions/../../etc/index.ts': 'x' }, 'plain path'],
    [{ 'functions/a/.git/config': 'x' }, 'belongs to a git repository'],
    [{ 'functions/a/index.ts': "import '../../secret'" }, 'Cannot find "../../secret"'],
  ])('of %j is refused', async (files, text) => {
    const answer = await deploy(files)
    expect(answer.status).toBe(422)
    expect(answer.text.replaceAll('\\"', '"')).toContain(text)
  })

  it('of an app brings its functions, all of them', async () => {
    const files = {
      'app.yaml': 'key: whole\nactions: []\n',
      'functions/one/index.ts': "export default () => 'one'\n",
      'functions/two/index.ts': "export default () => 'two'\n",
    }
    const upload = async (of: Readonly<Record<string, string>>) =>
      app.call('POST', `/api/w/${WS}/deployments`, {
        token,
        ...(await toUpload(await packApp(of))),
      })
    const first = await upload(files)
    expect(first.json).toMatchObject({ functions: ['one', 'two'] })
    expect((await app.call('GET', `/fn/${WS}/whole/one`)).text).toBe('one')
    const { 'functions/one/index.ts': _, ...rest } = files
    await upload(rest)
    expect((await app.call('GET', `/fn/${WS}/whole/one`)).status).toBe(404)
    expect((await app.call('GET', `/fn/${WS}/whole/two`)).text).toBe('two')
    // redeploying the first deployment brings the function back
    const { deployment_id: id } = z.looseObject({ deployment_id: z.string() }).parse(first.json)
    await app.call('POST', `/api/w/${WS}/deployments/${id}/redeploy`, { token })
    expect((await app.call('GET', `/fn/${WS}/whole/one`)).text).toBe('one')
    await app.call('DELETE', `/api/w/${WS}/apps/whole`, { token })
    expect((await app.call('GET', `/fn/${WS}/whole/two`)).status).toBe(404)
  })
})

it('records each call, without what it was sent', async () => {
  await functions.flushCalls()
  const { json } = await app.call('GET', `${FUNCTIONS}/boom/calls`, { token })
  expect(json).toMatchObject({
    items: [
      {
        method: 'GET',
        status: 500,
        error: 'TypeError: a secret cause',
        log: expect.stringContaining('before'),
        duration_ms: expect.any(Number),
      },
    ],
  })
  expect((await app.call('GET', `${FUNCTIONS}/none/calls`, { token })).status).toBe(404)
})

it('records calls whose callers send the same request id, newest first', async () => {
  const headers = { 'x-request-id': 'chosen-by-the-caller' }
  for (const value of ['list', 'zero']) await call(`value?of=${value}`, 'GET', { headers })
  const last = await call('value?of=no')
  await functions.flushCalls()
  const { json } = await app.call('GET', `${FUNCTIONS}/value/calls?limit=3`, { token })
  const shown = z.object({ items: z.array(z.object({ id: z.uuid(), request_id: z.string() })) })
  const { items } = shown.parse(json)
  expect(items.map(({ request_id }) => request_id)).toEqual([
    last.headers.get('x-request-id'),
    ...Array(2).fill(headers['x-request-id']),
  ])
})
