/**
 * Hostile hosts, and cookies and bearers in any spelling: svc keeps its own address, no function receives a visitor's
 * credentials, and no response of a function on svc's origin escapes its sandbox.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSession } from '#service/people/start-session.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, type TestApp, WS } from '../support/create-test-app.ts'
import { createFunctionApp, type FunctionApp } from '../support/function-app.ts'
import { runs } from '../support/runs.ts'
import { createTenant } from '../support/tenant.ts'

const REQUESTS = runs({ short: 150, long: 400 })
const PATIENT = { timeout: 300_000 }
const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups'

const OWN_HOSTS = ['svc.example.com', 'localhost', 'apps.test', '127.0.0.1', '[::1]', '203.0.113.9']

/** Returns its owner and the request it got, with every header that could have an effect beyond its own response. */
const hostile = (owner: string): string => `export default (ctx) => {
  for (const name of ${JSON.stringify([
    'Set-Cookie',
    'Service-Worker-Allowed',
    'Clear-Site-Data',
    'Content-Security-Policy',
    'X-Content-Type-Options',
    'Strict-Transport-Security',
  ])}) ctx.set.headers[name] = ctx.query.value ?? 'svc_session=x'
  ctx.set.headers['content-type'] = 'text/html'
  return JSON.stringify({ owner: '${owner}', ...ctx.headers })
}`

let functions: FunctionApp
let app: TestApp
let session = ''
beforeAll(async () => {
  functions = await createFunctionApp({ baseUrl: 'https://svc.example.com' })
  app = functions.app
  session = (await startSession(app.deps, { email: ADMIN, address: null })).text
  const { ws, token } = await createTenant(app, 'rival')
  for (const [owner, as] of [
    [ws, token],
    [WS, functions.token],
  ] as const) {
    await app.call('POST', `/api/w/${owner}/apps`, { token: as, json: { key: 'shop', name: 'S' } })
    const source = { 'functions/hostile/index.ts': hostile(owner) }
    await functions.deploy(source, `/api/w/${owner}/apps/shop/functions`, as)
  }
  // as an earlier version allowed an admin to store them
  await app.deps.db.write(
    [...OWN_HOSTS, 'shop.apps.test'].map(
      (host) =>
        sql`INSERT INTO app_host_claims (host, ws, app, txt_value, proof, created_at)
         VALUES (${host}, 'rival', 'shop', 'x', 'upgrade', 0)`,
    ),
  )
})
afterAll(() => functions.close())

const spelled = (host: string): fc.Arbitrary<string> =>
  fc
    .record({
      upper: fc.array(fc.boolean(), { minLength: host.length, maxLength: host.length }),
      dot: host.startsWith('[') ? fc.constant('') : fc.constantFrom('', '.'),
      port: fc.constantFrom('', ':80', ':3000', ':65535'),
    })
    .map(({ upper, dot, port }) => {
      const letters = [...host].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter))
      return `${letters.join('')}${dot}${port}`
    })

test(
  'svc’s own hosts lead to svc, whatever is stored and however they are spelled',
  PATIENT,
  async () => {
    const request = fc.record({
      host: fc.constantFrom(...OWN_HOSTS).chain(spelled),
      path: fc.constantFrom('/healthz', '/api/config', '/api/auth/me', '/hostile'),
    })
    await fc.assert(
      fc.asyncProperty(request, async ({ host, path }) => {
        const answer = await app.call('GET', path, {
          headers: { host, cookie: `svc_session=${session}` },
        })
        expect(answer.status, `${host}${path}`).toBe(path === '/hostile' ? 404 : 200)
        expect(answer.headers.get('content-security-policy')).not.toContain('sandbox')
      }),
      { numRuns: REQUESTS },
    )
  },
)

test('another tenant’s live address stays that tenant’s', PATIENT, async () => {
  await fc.assert(
    fc.asyncProperty(spelled('shop.apps.test'), async (host) => {
      const answer = await app.call('GET', '/hostile', { headers: { host } })
      expect(answer.text).toContain(`"owner":"${WS}"`)
      expect((await app.call('GET', `/api/w/${WS}/whoami`, { headers: { host } })).status).toBe(404)
    }),
    { numRuns: 20 },
  )
})

/** The text, followed by everything in it that decodes as base64. */
const readings = (text: string): string =>
  [
    text,
    ...[...text.matchAll(/[\w+/-]{16,}={0,2}/g)].map(([part]) =>
      Buffer.from(part, 'base64').toString('latin1'),
    ),
  ].join('\n')

test(
  'no spelling of a credential of svc’s reaches a function, and its answer stays in its sandbox',
  PATIENT,
  async () => {
    const { token } = functions
    const blank = fc.constantFrom('', ' ', '  ')
    const other = fc.constantFrom('a=1', 'theme="x; y"', 'svc_sessions=1', 'x', '=', '__Host-id=2')
    const own = fc
      .tuple(blank, fc.constantFrom('svc_session', ' svc_session', 'copy', 'SVC_SESSION'), blank)
      .map(([before, name, after]) => `${before}${name}${after}=${after}${session}`)
    const cookie = fc
      .tuple(
        fc.array(fc.oneof(other, own), { maxLength: 4 }),
        own,
        fc.constantFrom(';', '; ', ' ;'),
      )
      .map(([pairs, last, joint]) => [...pairs, last].join(joint))
    const credential = fc.constantFrom(token, session)
    const authorization = fc.oneof(
      fc
        .tuple(fc.constantFrom('Bearer', 'bearer', 'BEARER', 'Token', ''), blank, credential)
        .map(([scheme, more, text]) => `${scheme} ${more}${text}`.trim()),
      fc
        .tuple(fc.constantFrom('Basic', 'basic'), fc.constantFrom('', 'git', 'svc'), credential)
        .map(([scheme, user, text]) => `${scheme} ${btoa(`${user}:${text}`)}`),
    )
    const request = fc.record({
      cookie,
      authorization,
      header: fc.constantFrom('authorization', 'Authorization', 'Proxy-Authorization', 'x-api-key'),
      method: fc.constantFrom('GET', 'POST'),
      value: fc.constantFrom('svc_session=x', 'sandbox allow-same-origin', '*', ''),
      isHosted: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(request, async (made) => {
        const query = `?value=${encodeURIComponent(made.value)}`
        const path = made.isHosted ? `/hostile${query}` : `/fn/rival/shop/hostile${query}`
        const answer = await app.call(made.method, path, {
          headers: {
            cookie: made.cookie,
            [made.header]: made.authorization,
            host: made.isHosted ? 'shop.apps.test' : 'svc.example.com',
          },
        })
        expect(answer.status).toBe(200)
        const seen = readings(answer.text)
        for (const secret of [token, session]) expect(seen).not.toContain(secret.slice(14, 40))
        if (made.isHosted) return
        const policy = answer.headers.get('content-security-policy') ?? ''
        expect(policy === SANDBOX || policy.startsWith(`${SANDBOX}, `)).toBe(true)
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
        for (const name of ['set-cookie', 'service-worker-allowed', 'clear-site-data']) {
          expect(answer.headers.has(name)).toBe(false)
        }
      }),
      { numRuns: REQUESTS },
    )
    expect(app.errors).toEqual([])
  },
)
