/** Functions on svc's own origin: which data of a visitor reaches them, and what their responses may do to a browser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startSession } from '#service/people/start-session.ts'
import { ADMIN, type TestApp, type TestRequest, WS } from '../support/create-test-app.ts'
import { createFunctionApp, type FunctionApp } from '../support/function-app.ts'
import { createTenant } from '../support/tenant.ts'

const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups'

const SOURCES: Readonly<Record<string, string>> = {
  'functions/steal/index.ts': 'export default (ctx) => ctx.headers',
  'functions/page/index.ts': `export default () => new Response('<script>fetch("/api/auth/me")</script>', { headers: [
    ['content-type', 'text/html'], ['set-cookie', 'svc_session=planted; Path=/'], ['set-cookie', 'cart=1'],
    ['service-worker-allowed', '/'], ['clear-site-data', '"*"'], ['strict-transport-security', 'max-age=0'],
    ['alt-svc', 'h3=":9443"'], ['report-to', '{}'], ['nel', '{}'], ['x-content-type-options', 'sniff'],
    ['content-security-policy', "sandbox allow-same-origin allow-scripts; default-src *"], ['x-accel-redirect', '/secret'],
    ['access-control-allow-origin', '*'], ['location', '/elsewhere'], ['x-own', 'kept']] })`,
  'functions/moved/index.ts': `export default () => new Response(null, { status: 302, headers: { location: '/x', 'set-cookie': 'a=1' } })`,
  'functions/drip/index.ts': `export default (ctx) => { ctx.set.headers['Set-Cookie'] = 'svc_session=x'; return new Response(new ReadableStream({ start(out) {
    out.enqueue(new TextEncoder().encode('one ')); setTimeout(() => { out.enqueue(new TextEncoder().encode('two')); out.close() }, 30) } })) }`,
  'functions/boom/index.ts': `export default () => { throw new Error('x') }`,
}

let functions: FunctionApp
let app: TestApp
let session = ''
beforeAll(async () => {
  functions = await createFunctionApp({ baseUrl: 'http://svc.test:3000' })
  app = functions.app
  const { token } = functions
  for (const key of ['shop', 'other']) {
    await app.call('POST', `/api/w/${WS}/apps`, { token, json: { key, name: key } })
  }
  await functions.deploy(SOURCES)
  session = (await startSession(app.deps, { email: ADMIN, address: null })).text
})
afterAll(() => functions.close())

const PATH = `/fn/${WS}/shop`
const HOST = { host: 'shop.apps.test' }
const byPath = (name: string, request: TestRequest = {}, method = 'GET') =>
  app.call(method, `${PATH}/${name}`, request)
const byHost = (name: string, headers: Readonly<Record<string, string>> = {}) =>
  app.call('GET', `/${name}`, { headers: { ...headers, ...HOST } })

describe('svc’s own credentials', () => {
  it('never reach a function, by path or by host, while others do', async () => {
    const { token } = functions
    const me = await app.call('GET', '/api/auth/me', {
      headers: { cookie: `svc_session=${session}` },
    })
    expect(me.status).toBe(200)
    for (const call of [
      (headers: Readonly<Record<string, string>>) => byPath('steal', { headers }),
      (headers: Readonly<Record<string, string>>) => byHost('steal', headers),
    ]) {
      const cookies = await call({ cookie: `cart=7; svc_session=${session}; lang=ko` })
      expect(cookies.json).toMatchObject({ cookie: 'cart=7; lang=ko' })
      const alone = await call({ Cookie: `svc_session=${session}` })
      expect(alone.text).not.toContain('cookie')
      const bearer = await call({ authorization: `Bearer ${token}`, 'x-own': 'kept' })
      expect(bearer.json).toMatchObject({ 'x-own': 'kept' })
      for (const answer of [cookies, alone, bearer]) {
        expect(answer.text).not.toContain(session)
        expect(answer.text).not.toContain(token)
      }
      const foreign = await call({ authorization: 'Bearer sk_live_of_somebody_else' })
      expect(foreign.json).toMatchObject({ authorization: 'Bearer sk_live_of_somebody_else' })
    }
  })

  it('never reach a function over a socket either, where names come as they were written', async () => {
    const url = await app.listen()
    const answer = await fetch(`${url}${PATH}/steal`, {
      headers: {
        COOKIE: `svc_session=${session}; a=1`,
        AUTHORIZATION: `bearer ${functions.token}`,
      },
    })
    const seen = z.record(z.string(), z.string()).parse(await answer.json())
    expect([seen.cookie, seen.authorization]).toEqual(['a=1', undefined])
  })
})

describe('an answer on svc’s own origin', () => {
  it('is sandboxed and loses what would reach other pages of svc', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await byPath('page', {}, method)
      expect(status).toBe(200)
      expect(headers.get('content-security-policy')).toBe(
        `${SANDBOX}, sandbox allow-same-origin allow-scripts; default-src *`,
      )
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.getSetCookie()).toEqual([])
      for (const name of [
        'service-worker-allowed',
        'clear-site-data',
        'strict-transport-security',
        'alt-svc',
        'report-to',
        'nel',
        'x-accel-redirect',
      ]) {
        expect([name, headers.get(name)]).toEqual([name, null])
      }
      expect(headers.get('x-own')).toBe('kept')
      expect(headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  it.each([
    ['moved', 302],
    ['drip', 200],
    ['boom', 500],
    ['none', 404],
    ['steal/deeper', 404],
  ])('/%s (%i) is sandboxed too', async (name, status) => {
    const answer = await byPath(name)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.getSetCookie()).toEqual([])
    if (name === 'drip') expect(answer.text).toBe('one two')
  })

  it('to a method that the function does not take is sandboxed too', async () => {
    const { status, headers } = await byPath('page', {}, 'DELETE')
    expect([status, headers.get('content-security-policy')?.startsWith(SANDBOX)]).toEqual([
      405,
      true,
    ])
  })
})

describe('an app’s own host', () => {
  it('is free, but for svc’s session and for what steers a proxy', async () => {
    const { headers } = await byHost('page')
    expect(headers.get('content-security-policy')).toBe(
      'sandbox allow-same-origin allow-scripts; default-src *',
    )
    expect(headers.getSetCookie()).toEqual(['cart=1'])
    expect(headers.get('service-worker-allowed')).toBe('/')
    expect(headers.get('x-accel-redirect')).toBeNull()
  })

  it('is where a browser is sent for a page', async () => {
    const navigate = { 'sec-fetch-mode': 'navigate', accept: 'text/html' }
    const page = await byPath('page?a=1&b=%20', { headers: navigate })
    expect([page.status, page.headers.get('location')]).toEqual([
      307,
      'http://shop.apps.test:3000/page?a=1&b=%20',
    ])
    expect(page.headers.get('cache-control')).toBe('no-store')
    // requests of programs and of scripts in pages still pass
    expect((await byPath('page', { headers: { accept: '*/*' } })).status).toBe(200)
    const script = { 'sec-fetch-mode': 'cors', accept: 'text/html' }
    expect((await byPath('page', { headers: script })).status).toBe(200)
    expect((await byPath('page', { headers: navigate }, 'POST')).status).toBe(200)
  })

  it('is not where a browser is sent when it leads to another workspace’s app', async () => {
    const rival = await createTenant(app, 'rival')
    const json = { key: 'shop', name: 'Shop' }
    await app.call('POST', `/api/w/${rival.ws}/apps`, { token: rival.token, json })
    await functions.deploy(SOURCES, `/api/w/${rival.ws}/apps/shop/functions`, rival.token)
    const headers = { 'sec-fetch-mode': 'navigate' }
    const answer = await app.call('GET', `/fn/${rival.ws}/shop/page`, { headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-security-policy')).toContain(SANDBOX)
  })
})
