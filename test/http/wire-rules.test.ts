/** Rules that hold for every route [wire 1.4, 6.3, 10.1]. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bodyKindOf } from '#http/endpoint.ts'
import { allEndpoints } from '#http/endpoints/all.ts'
import { jsonObject, jsonValue } from '#http/schemas/z.ts'
import {
  createTestApp,
  type TestAnswer,
  type TestApp,
  type TestRequest,
  WS,
} from '../support/create-test-app.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await createTestApp({ rates: { run: 0, other: 1_000, anonymous: 1_000 } })
  token = await app.token(['*'])
})
afterAll(() => app.close())

const WEBHOOK = /\/(?:jobs|flows)\/webhook\/|^\/hook\//
/** Routes that other credentials open, or that end the token's session. */
const isOther = (path: string, scope: string): boolean =>
  scope === 'api_key' || path === '/api/auth/logout' || path.endsWith('/ws')

const send = (method: string, path: string, query: string, json?: unknown): Promise<TestAnswer> =>
  app.call(
    method.toUpperCase(),
    `${path.replace('{ws}', WS).replaceAll(/\{\w+\}/g, 'x')}${query}`,
    {
      token,
      ...(json === undefined ? {} : { json }),
    },
  )

describe('an unknown query field', () => {
  it('is refused by name on every route but webhooks and pages', async () => {
    const checked: string[] = []
    for (const route of app.routes) {
      const answers = allEndpoints[route.operationId]?.answers
      const isPage = [200, 302].some((status) => answers?.[status]?.contentType === 'text/html')
      if (isPage || WEBHOOK.test(route.path) || isOther(route.path, route.admits[0])) continue
      const isJson = bodyKindOf(route) === 'json' || bodyKindOf(route) === 'optional_json'
      const answer = await send(route.method, route.path, '?satus=failed', isJson ? {} : undefined)
      checked.push(`${route.method} ${route.path}`)
      expect(answer, `${route.method} ${route.path}`).toMatchObject({
        status: 400,
        json: {
          error: 'Unknown field: query.satus. Remove it or correct its spelling.',
          code: 'unknown_field',
          details: expect.arrayContaining([
            { path: 'query.satus', message: 'is not a field of this request' },
          ]),
        },
      })
    }
    expect(checked.length).toBeGreaterThan(100)
  })

  it('passes on webhooks, whose senders add fields of their own', async () => {
    const path = `/api/w/${WS}/jobs/webhook/hello/nothing`
    expect(await send('POST', path, '?source=ci', {})).toMatchObject({ status: 404 })
  })

  it('passes on pages, whose links other programs decorate', async () => {
    expect((await app.call('GET', '/api/docs?utm_source=mail')).status).toBe(200)
  })
})

describe('a query field that occurs twice', () => {
  const jobs = (query: string) => app.call('GET', `/api/w/${WS}/jobs${query}`, { token })

  it('is refused by name, because only one value would count', async () => {
    expect(await jobs('?status=failure&limit=5&status=queued')).toMatchObject({
      status: 400,
      json: { details: [{ path: 'query.status', message: 'occurs more than once' }] },
    })
    expect((await jobs('?status=failure&limit=5')).status).toBe(200)
    expect(await jobs('?satus=a&satus=b')).toMatchObject({ json: { code: 'unknown_field' } })
  })

  it('passes on webhooks and pages', async () => {
    const path = `/api/w/${WS}/jobs/webhook/hello/nothing`
    expect(await send('POST', path, '?source=a&source=b', {})).toMatchObject({ status: 404 })
    expect((await app.call('GET', '/api/docs?utm=a&utm=b')).status).toBe(200)
  })
})

describe('an unknown body field', () => {
  it('is refused by name on every route whose body is an object of known fields', async () => {
    const free: string[] = []
    for (const route of app.routes) {
      const isJson = bodyKindOf(route) === 'json' || bodyKindOf(route) === 'optional_json'
      if (!isJson || isOther(route.path, route.admits[0])) continue
      const answer = await send(route.method, route.path, '', { zzz_unknown: 1 })
      const named = answer.text.includes('body.zzz_unknown')
      const hasParamFault = answer.text.includes('params.')
      if (answer.status === 400 && (named || hasParamFault)) continue
      free.push(`${route.method} ${route.path} ${answer.status}`)
    }
    // the body of a run is the input itself
    expect(free.toSorted()).toEqual([
      'post /api/w/{ws}/flows/run/{app}/{flow} 404',
      'post /api/w/{ws}/flows/run/{app}/{flow}/wait 404',
      'post /api/w/{ws}/jobs/run/{app}/{action} 404',
      'post /api/w/{ws}/jobs/run/{app}/{action}/wait 404',
    ])
  })

  it('is refused by name on every route without a body', async () => {
    const free: string[] = []
    for (const route of app.routes) {
      const hasBody = bodyKindOf(route) !== 'none' || route.method === 'get'
      if (hasBody || isOther(route.path, route.admits[0])) continue
      const answer = await send(route.method, route.path, '', { zzz_unknown: 1 })
      const named = answer.text.includes('body.zzz_unknown')
      const hasParamFault = /(?:params|query)\./.test(answer.text)
      if (answer.status === 400 && (named || hasParamFault)) continue
      free.push(`${route.method} ${route.path} ${answer.status}`)
    }
    expect(free).toEqual([])
  })

  it('may be absent on a route without a body, as may the body, and other content is not read', async () => {
    const remove = (request: TestRequest) =>
      app.call('DELETE', `/api/w/${WS}/variables/nothing`, { token, ...request })
    for (const request of [{}, { json: {} }, { json: null }, { body: 'a=b' }]) {
      expect((await remove(request)).status, JSON.stringify(request)).toBe(404)
    }
    const headers = { 'content-type': 'application/json' }
    expect((await remove({ headers })).status).toBe(404)
    expect(await remove({ headers, body: '{' })).toMatchObject({
      status: 400,
      json: { code: 'malformed_json' },
    })
  })

  it('is named with few others, however many there are', async () => {
    const fields = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`unknown${n}`, n]))
    const answer = await send('post', '/v2/certificates/resolve', '', fields)
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({
      code: 'unknown_field',
      error: expect.stringMatching(
        /^Unknown fields: body\.unknown0, .*body\.unknown9 and others\. /,
      ),
    })
    expect(answer.text.length).toBeLessThan(20_000)
  })

  it.each([
    ['/api/auth/login', { email: 'a@example.com', password: 'x' }],
    ['/api/auth/accept-invite', { token: 'svci_x_y' }],
    ['/api/auth/device/approve', { user_code: 'AAAA-BBBB', approve: true }],
  ])('is refused by name at %s, which takes forms too', async (path, fields) => {
    expect(await send('post', path, '', { ...fields, zzz_unknown: 1 })).toMatchObject({
      status: 400,
      json: {
        code: 'unknown_field',
        details: [{ path: 'body.zzz_unknown', message: 'is not a field of this request' }],
      },
    })
  })

  it('passes in the requests of RFC 8628, whose clients may send extensions', async () => {
    const fields = { client_id: 'svc-cli', zzz_unknown: 1 }
    expect((await send('post', '/api/auth/device/code', '', fields)).status).toBe(200)
  })
})

describe('the body of a route that anyone may call', () => {
  it.each([
    '/api/auth/login',
    '/api/auth/accept-invite',
    '/api/auth/device/code',
    '/api/auth/device/token',
    '/api/auth/oidc/backchannel-logout',
    '/v2/certificates/resolve',
  ])('%s takes 64 KiB and no more', async (path) => {
    const post = async (length: number) =>
      (await app.call('POST', path, { json: { zzz: 'x'.repeat(length - 10) } })).status
    expect(await post(65_536)).not.toBe(413)
    expect(await post(65_537)).toBe(413)
  })
})

describe('a JSON body', () => {
  it('is refused before it is read when it holds more than a million values', async () => {
    const body = `[${'[],'.repeat(1_000_000)}[]]`
    const headers = { 'content-type': 'application/json' }
    const path = `/api/w/${WS}/jobs/batch`
    const answer = await app.call('POST', path, { token, body, headers })
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({
      code: 'malformed_json',
      error: 'The JSON holds more than 1000000 values. Send it in parts.',
    })
  })

  it('is refused before it is read when it holds more than 60,000 different keys', async () => {
    const post = (keys: number) => {
      const entries = Array.from({ length: keys }, (_, n) => [`key${n}`, n] as const)
      const item = { app: 'none', action: 'none', input: Object.fromEntries(entries) }
      const path = `/api/w/${WS}/jobs/batch`
      return app.call('POST', path, { token, json: { items: [item] } })
    }
    expect((await post(50_000)).json).toMatchObject({ code: 'app_not_found' })
    expect(await post(70_000)).toMatchObject({
      status: 400,
      json: {
        code: 'malformed_json',
        error: 'The JSON holds more than 60000 different keys. Send it in parts.',
      },
    })
  })

  it('is passed on without a look at each of its values, which would take seconds', async () => {
    const input = Object.defineProperty({}, 'lists', { get: expect.unreachable, enumerable: true })
    expect(jsonObject.parse(input)).toBe(input)
    expect(jsonValue.parse(input)).toBe(input)
    expect(() => jsonValue.parse(undefined)).toThrow('is missing')
    expect(() => jsonObject.parse([])).toThrow('must be an object')
  })
})

describe('a list', () => {
  const fieldsOf = (schema: unknown): readonly string[] =>
    schema instanceof z.ZodObject ? Object.keys(schema.shape) : []

  it('takes limit and cursor, whatever it holds', () => {
    const lists = Object.entries(allEndpoints).filter(([, { answers }]) =>
      fieldsOf(answers[200]?.schema).includes('pagination'),
    )
    expect(lists.length).toBeGreaterThan(25)
    const whole = lists.filter(([, { query }]) => {
      const fields = fieldsOf(query)
      return !(fields.includes('limit') && fields.includes('cursor'))
    })
    // ctx.state reads its keys in pages of a fixed size
    expect(whole.map(([id]) => id)).toEqual(['listStateKeys'])
  })
})

describe('the headers of a limited route', () => {
  it('say how much is left, of the credential or of the address', async () => {
    const fresh = await app.token(['*'])
    const answer = await app.call('GET', '/api/auth/me', { token: fresh })
    expect(answer.headers.get('ratelimit')).toBe('"default";r=999;t=1')
    expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=1000;w=1')
    const unknown = await app.call('GET', `/api/w/${WS}/jobs/nothing`, { token: fresh })
    expect(unknown.status).toBe(404)
    expect(unknown.headers.get('ratelimit')).toMatch(/^"default";r=99\d;t=1$/)
    const stranger = await app.call('GET', '/api/tokens/scopes')
    expect(stranger.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=1$/)
  })

  it('say when the next request may come once there is none left', async () => {
    const slow = await createTestApp({
      rates: { run: 1, other: 0, anonymous: 0 },
    })
    const fresh = await slow.token(['*'])
    const run = () =>
      slow.call('POST', `/api/w/${WS}/jobs/run/hello/nothing`, { token: fresh, json: {} })
    const answers = await Promise.all([run(), run(), run()])
    await slow.close()
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers.get('ratelimit')).toBe('"default";r=0;t=1')
    expect(refused?.headers.get('retry-after')).toBe('1')
  })

  it('are absent on what is not limited', async () => {
    expect((await app.call('GET', '/healthz')).headers.has('ratelimit')).toBe(false)
  })
})

describe('the OpenAPI document', () => {
  const document = z.object({
    servers: z.array(z.object({ url: z.string().min(1) })).min(1),
    paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() }))),
  })

  it('names every operation once, and where the API is served', async () => {
    const { paths } = document.parse((await app.call('GET', '/api/openapi.json')).json)
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/)
  })

  it('has an ETag, and answers 304 to a caller that has it', async () => {
    const first = await app.call('GET', '/api/openapi.json')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.call('GET', '/api/openapi.json', {
        headers: { 'if-none-match': held },
      })
      expect(again).toMatchObject({ status: 304, text: '' })
    }
    const other = await app.call('GET', '/api/openapi.json', {
      headers: { 'if-none-match': '"x"' },
    })
    expect(other.status).toBe(200)
  })
})
