/** The common error body, statuses, and limits of requests [wire 1, 3]. */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTokenText, TOKEN_RANDOM_BYTES } from '#core/access/token-text.ts'
import { unavailable } from '#core/error.ts'
import { json, ok } from '#http/answer.ts'
import { endpoint } from '#http/endpoint.ts'
import { handlers } from '#http/handlers.ts'
import { z } from '#http/schemas/z.ts'
import { type Database, DatabaseError, type DatabaseErrorKind } from '#store/database.ts'
import { createTestApp, type TestApp, type TestRequest, WS } from '../support/create-test-app.ts'

const LIMIT = 2_048
let app: TestApp
let token = ''
/** The error that the database throws instead of doing its work, while a test sets it. */
let failure: Error | null = null

const failing = (db: Database): Database => ({
  ...db,
  one: async (statement) => {
    if (failure !== null) throw failure
    return db.one(statement)
  },
  now: async () => {
    if (failure !== null) throw failure
    return db.now()
  },
})

const fail = async (): Promise<never> => {
  throw new Error('the password is hunter2')
}

const broken = {
  method: 'get',
  admits: ['public'],
  tag: 'Test',
  summary: 'Throws',
  answers: {},
} as const

const testEndpoints = {
  testBroken: endpoint({ ...broken, path: '/broken' }),
  testBrokenToken: endpoint({ ...broken, path: '/broken/{token}' }),
  testBusy: endpoint({ ...broken, path: '/busy' }),
  testRaw: endpoint({
    method: 'post',
    path: '/raw',
    admits: ['public'],
    tag: 'Test',
    summary: 'Counts bytes',
    bodyKind: 'raw',
    answers: { 200: json('The count', z.object({ length: z.int() })) },
  }),
}

const testRoutes = handlers(testEndpoints, () => ({
  testBroken: fail,
  testBrokenToken: fail,
  testBusy: async () => {
    throw unavailable('Too many of these at a time.', { retryAfterS: 5 })
  },
  testRaw: async ({ bodyBytes }) => ok({ length: bodyBytes.length }),
}))

beforeAll(async () => {
  app = await createTestApp({
    maxBodyBytes: LIMIT,
    wrapDatabase: failing,
    moreRoutes: () => testRoutes({}),
    moreEndpoints: testEndpoints,
  })
  token = await app.token(['*'])
})
afterAll(() => app.close())

const VARIABLES = `/api/w/${WS}/variables`
const JSON_TYPE = { 'content-type': 'application/json' } as const
const post = (request: TestRequest) => app.call('POST', VARIABLES, { token, ...request })

it('logs refusals of a busy server as one line without a stack', async () => {
  const errors = app.errors.length
  for (let at = 0; at < 20; at += 1) {
    expect(await app.call('GET', '/busy')).toMatchObject({ status: 503 })
  }
  expect(app.errors).toHaveLength(errors)
  const about = app.warnings.filter(({ fields }) => fields.path === '/busy')
  expect(about).toHaveLength(1)
  expect(about[0]?.fields).not.toHaveProperty('error')
})

describe('every answer', () => {
  it('carries a request id of its own, or the sane one that came', async () => {
    const own = await app.call('GET', '/healthz')
    expect(own.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    const headers = { 'x-request-id': 'trace-1:a.b' }
    for (const path of ['/healthz', '/nowhere', '/broken', VARIABLES]) {
      expect((await app.call('GET', path, { headers })).headers.get('x-request-id')).toBe(
        'trace-1:a.b',
      )
    }
    for (const wrong of ['a b', 'x'.repeat(200), '<script>', '']) {
      const answer = await app.call('GET', '/healthz', { headers: { 'x-request-id': wrong } })
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('carries the headers that keep browsers from guessing, framing and keeping', async () => {
    for (const path of ['/healthz', '/nowhere', '/broken', '/api/docs']) {
      const { headers } = await app.call('GET', path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/)
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('an error', () => {
  it('has the one body', async () => {
    const answer = await app.call('GET', '/nowhere')
    expect(answer.status).toBe(404)
    expect(answer.json).toEqual({
      error: expect.stringMatching(/^[A-Z].*\.$/),
      code: 'not_found',
      request_id: answer.headers.get('x-request-id'),
    })
  })

  it('of svc itself shows the caller only an id, under which the log has all', async () => {
    const answer = await app.call('GET', '/broken')
    expect(answer).toMatchObject({
      status: 500,
      json: { error: 'Internal error.', code: 'internal' },
    })
    expect(answer.text).not.toContain('hunter2')
    const logged = app.errors.at(-1)
    expect(logged?.fields.request_id).toBe(answer.headers.get('x-request-id'))
    expect(String(logged?.fields.error)).toContain('hunter2')
  })

  it('is logged with the trace that its request belongs to', async () => {
    const [trace_id, span_id] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
    const headers = { traceparent: `00-${trace_id}-${span_id}-01` }
    await app.call('GET', '/broken', { headers })
    expect(app.errors.at(-1)?.fields).toMatchObject({ trace_id, span_id })
    await app.call('GET', '/broken')
    expect(app.errors.at(-1)?.fields).not.toHaveProperty('trace_id')
  })

  it('is counted under its route, or under one name for all that is none', async () => {
    await app.call('GET', '/nowhere/1')
    await app.call('PUT', `${VARIABLES}`)
    await app.call('GET', VARIABLES)
    expect(app.ended.slice(-3)).toEqual([
      '404 (none)',
      '405 /api/w/{ws}/variables',
      '401 /api/w/{ws}/variables',
    ])
  })

  it('keeps a token of the path out of the log', async () => {
    const shared = makeTokenText('view_token', randomBytes(TOKEN_RANDOM_BYTES))
    await app.call('GET', `/broken/${shared.text}`)
    const path = String(app.errors.at(-1)?.fields.path)
    expect(path).toContain(shared.prefix)
    expect(path).not.toContain(shared.text)
  })

  it('makes no noise in the log when the caller hung up', async () => {
    const before = app.errors.length
    const { port, hostname } = new URL(await app.listen())
    const socket = connect(Number(port), hostname)
    const head = 'POST /raw HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\n'
    socket.write(`${head}ten of 100`, () => socket.destroy())
    await expect.poll(() => app.ended.at(-1)).toMatch(/\/raw$/)
    expect(app.errors.length).toBe(before)
  })

  it.each([
    ['PUT', '/healthz', 'GET'],
    ['POST', '/api/openapi.json', 'GET'],
    ['PATCH', VARIABLES, 'GET, POST'],
    ['GET', `${VARIABLES}/a`, 'PUT, DELETE'],
    ['OPTIONS', '/api/auth/me', 'GET'],
    ['GET', `/api/w/${WS}/jobs/batch`, 'POST'],
    ['PUT', `/api/w/${WS}/flow-runs/bulk`, 'POST'],
    ['PATCH', `/api/w/${WS}/schedules/preview`, 'POST'],
    ['OPTIONS', `/api/w/${WS}/jobs/summary`, 'GET'],
  ])('for %s %s is 405 and names what is allowed', async (method, path, allow) => {
    const answer = await app.call(method, path, { token })
    expect(answer).toMatchObject({ status: 405, json: { code: 'method_not_allowed' } })
    expect(answer.headers.get('allow')).toBe(allow)
  })

  it('answers HEAD as GET, without the body', async () => {
    const answer = await app.call('HEAD', '/healthz')
    expect(answer).toMatchObject({ status: 200, text: '' })
  })
})

describe('a JSON body', () => {
  it.each([
    ['cut short', '{"key":"a"'],
    ['with a comma too many', '{"key":"a",}'],
    ['of two values', '{} {}'],
    ['that is not JSON', 'key=a'],
    ['with NaN', '{"value": NaN}'],
  ])('%s is 400 with the place', async (_, body) => {
    const answer = await post({ body, headers: JSON_TYPE })
    expect(answer).toMatchObject({ status: 400, json: { code: 'malformed_json' } })
    expect(answer.text).toMatch(/position|end of JSON|not valid JSON/)
  })

  it('is 400 when it is missing', async () => {
    expect(await post({})).toMatchObject({ status: 400 })
    expect(await post({ body: '', headers: JSON_TYPE })).toMatchObject({ status: 400 })
  })

  it('is 400 when it is not UTF-8', async () => {
    const body = new Uint8Array([0x22, 0xff, 0xfe, 0x22])
    expect(await post({ body, headers: JSON_TYPE })).toMatchObject({ status: 400 })
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'text/json-ish',
  ])('sent as %s is 415', async (type) => {
    const answer = await post({ body: '{}', headers: { 'content-type': type } })
    expect(answer).toMatchObject({ status: 415, json: { code: 'unsupported_media_type' } })
  })

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/ld+json',
  ])('may be sent as %s', async (type) => {
    const body = '{"key":"typed","value":"v"}'
    expect((await post({ body, headers: { 'content-type': type } })).status).toBe(201)
  })

  it('is never unpacked: Content-Encoding is 415', async () => {
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' }
    expect((await post({ body: '{}', headers })).status).toBe(415)
  })

  it('nests 64 deep and no deeper', async () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    const resource = (depth: number) =>
      app.call('POST', `/api/w/${WS}/resources`, {
        token,
        body: `{"key":"deep","type":"t","value":${nested(depth - 1)}}`,
        headers: JSON_TYPE,
      })
    expect((await resource(64)).status).toBe(201)
    expect((await resource(65)).status).toBe(400)
  })

  it('pollutes nothing by __proto__', async () => {
    const answer = await app.call('POST', `/api/w/${WS}/resources`, {
      token,
      body: '{"key":"p","type":"t","value":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
      headers: JSON_TYPE,
    })
    expect([201, 400]).toContain(answer.status)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    const outer = await post({
      body: '{"key":"q","value":"v","__proto__":{"secret":false}}',
      headers: JSON_TYPE,
    })
    if (outer.status === 201) expect(outer.json).toMatchObject({ secret: true })
    else expect(outer.status).toBe(400)
  })
})

describe('a body over the limit', () => {
  const large = JSON.stringify({ key: 'large', value: 'x'.repeat(LIMIT) })

  it('is 413 by its announced length', async () => {
    const headers = { ...JSON_TYPE, 'content-length': String(large.length) }
    expect((await post({ body: large, headers })).status).toBe(413)
  })

  it('is 413 by its real length when none is announced', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new Uint8Array(512).fill(0x20))
      },
    })
    expect((await post({ body: endless, headers: JSON_TYPE })).status).toBe(413)
    expect(pulled).toBeLessThan(20)
  })

  it('is 413 on a raw route too, and one byte less passes', async () => {
    const send = (length: number) => app.call('POST', '/raw', { body: new Uint8Array(length) })
    expect((await send(LIMIT + 1)).status).toBe(413)
    expect((await send(LIMIT)).json).toEqual({ length: LIMIT })
  })
})

describe('a database that fails', () => {
  const whileFailing = async (kind: DatabaseErrorKind, path: string, method = 'GET') => {
    failure = new DatabaseError('sqld said: secret detail', { kind, outcome: 'none' })
    try {
      const body = method === 'GET' ? {} : { json: { path: 'a', value: 'b' } }
      return await app.call(method, path, { token, ...body })
    } finally {
      failure = null
    }
  }

  it.each(['unavailable', 'busy', 'full', 'read_only', 'io', 'corrupt', 'missing_table'] as const)(
    '(%s) is 503 with Retry-After',
    async (kind) => {
      const answer = await whileFailing(kind, VARIABLES)
      expect(answer).toMatchObject({ status: 503, json: { code: 'unavailable' } })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(answer.text).not.toContain('secret detail')
    },
  )

  it.each(['constraint', 'other'] as const)('(%s) is a fault of ours', async (kind) => {
    expect(await whileFailing(kind, VARIABLES)).toMatchObject({
      status: 500,
      json: { error: 'Internal error.' },
    })
  })

  it('that takes no larger value is 413 without Retry-After, with what to do', async () => {
    const answer = await whileFailing('too_large', VARIABLES, 'POST')
    expect(answer).toMatchObject({ status: 413, json: { code: 'too_large' } })
    expect(answer.text).toContain('Make the file or the value smaller')
    expect(answer.headers.get('retry-after')).toBeNull()
  })

  it('shows in /healthz', async () => {
    expect(await app.call('GET', '/healthz')).toMatchObject({
      status: 200,
      json: { status: 'ok', version: '0.0.0-test', role: 'server', database: 'ok' },
    })
    expect(await whileFailing('unavailable', '/healthz')).toMatchObject({
      status: 503,
      json: { status: 'unavailable', version: '0.0.0-test', database: 'unavailable' },
    })
  })
})
