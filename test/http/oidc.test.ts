/** Sign-in by OpenID Connect, against a real provider program, as browsers use it [access 21]. */
import { decodeJwt, importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import type { SignInWays } from '#http/handlers/oidc.ts'
import { createOidcClient } from '#outbound/oidc-client.ts'
import { disableUser } from '#service/people/disable-user.ts'
import { finishSignIn } from '#service/people/sign-in-by-oidc.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { Browser, makeKey, type RunningProvider, startProvider } from '../support/oidc-browser.ts'

const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout'
const PASSWORD = 'a long enough password'

let app: TestApp
let base = ''
let provider: RunningProvider
let ways: { oidc: SignInWays['oidc']; passwordLogin: boolean }

/** Signs in at the provider as a person does. @returns the response of svc's callback, and its address */
const signIn = async (email: string, browser = new Browser(), next = '/ui/w/default') => {
  const start = `${base}/api/auth/oidc/login?next=${encodeURIComponent(next)}`
  let step = await browser.go(start)
  for (const prompt of ['login', 'consent']) {
    if (!step.url.includes('/interaction/')) break
    await step.response.text()
    step = await browser.submit(step.url, { prompt, login: email, password: 'any' })
  }
  expect(step.url).toContain('/api/auth/oidc/callback')
  return { browser, ...step }
}
const me = async (browser: Browser) => (await browser.send(`${base}/api/auth/me`)).json()

const openClient = () =>
  createOidcClient({ issuer: provider.issuer, clientId: 'svc', clientSecret: 'secret' })

beforeAll(async () => {
  ways = { oidc: null, passwordLogin: true }
  app = await createTestApp({
    signIn: {
      get oidc() {
        return ways.oidc
      },
      get passwordLogin() {
        return ways.passwordLogin
      },
    },
  })
  base = await app.listen()
  provider = await startProvider(base, await makeKey('first'), 0)
  const { issuer } = provider
  ways.oidc = {
    client: openClient(),
    issuer,
    allowedDomains: ['example.com'],
    autoJoin: { ws: WS, role: 'member' },
  }
})
afterAll(async () => {
  await provider.close()
  await app.close()
})

describe('a person without an account', () => {
  it('gets one with a membership, and goes on to the wanted page', async () => {
    const { browser, response } = await signIn('ada@example.com')
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('/ui/w/default')
    const cookies = response.headers.getSetCookie()
    expect(cookies.find((cookie) => cookie.startsWith('svc_session='))).toMatch(
      /HttpOnly.*SameSite=Lax/,
    )
    expect(await me(browser)).toMatchObject({ email: 'ada@example.com' })
    const again = await signIn('ada@example.com')
    expect(again.response.status).toBe(302)
  })

  it('is refused with another domain, an unverified address, or without a way to join', async () => {
    for (const email of [
      'eve@sub.example.com',
      'eve@example.com.evil.test',
      'unverified@example.com',
    ]) {
      const { response, browser } = await signIn(email)
      expect([email, response.status]).toEqual([email, 403])
      expect(await me(browser)).toMatchObject({ code: 'unauthenticated' })
    }
    const { oidc } = ways
    if (oidc === null) throw new Error('No provider.')
    ways.oidc = { ...oidc, autoJoin: null }
    expect((await signIn('zoe@example.com')).response.status).toBe(403)
    ways.oidc = oidc
  })

  it('is refused in words if the workspace to join does not exist', async () => {
    const { oidc } = ways
    if (oidc === null) throw new Error('No provider.')
    ways.oidc = { ...oidc, autoJoin: { ws: 'nosuch', role: 'member' } }
    const { response } = await signIn('noa@example.com')
    ways.oidc = oidc
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('does not exist. Ask the operator to correct')
  })

  it('comes back to a page whose address is not ASCII, and to none of another site', async () => {
    const pages = [
      ['/ui/w/default/jobs?q=한글', '/ui/w/default/jobs?q=%ED%95%9C%EA%B8%80'],
      ['/ui/..//evil.test', '/ui/'],
      ['/.//evil.test', '/ui/'],
      [`/ui/${'가'.repeat(990)}`, '/ui/'],
    ]
    for (const [next, page] of pages) {
      const { response } = await signIn('ada@example.com', new Browser(), next)
      expect([response.status, response.headers.get('location')]).toEqual([302, page])
    }
  })

  it('is sent to no other site, and loses its session when it is disabled', async () => {
    const { browser, response } = await signIn('kim@example.com', new Browser(), '//evil.test')
    expect(response.headers.get('location')).toBe('/ui/')
    await disableUser(app.deps, { email: 'kim@example.com', isDisabled: true, actor: CLI_ACTOR })
    expect(await me(browser)).not.toMatchObject({ email: 'kim@example.com' })
    expect((await signIn('kim@example.com')).response.status).toBe(403)
  })
})

const auditOf = async (email: string) =>
  (
    await app.deps.db.all(
      sql`SELECT ws, action, target FROM audit_log WHERE identity = ${email} ORDER BY action`,
    )
  ).map(({ ws, action, target }) => [ws, action, action === 'session.started' ? '' : target])

describe('the audit log', () => {
  it('has the account, the membership and the link of a first sign-in', async () => {
    const email = 'eun@example.com'
    await signIn(email)
    await signIn(email)
    expect(await auditOf(email)).toEqual([
      [null, 'identity.linked', email],
      [WS, 'member.added', email],
      [null, 'session.started', ''],
      [null, 'session.started', ''],
      [null, 'user.created', email],
    ])
  })
})

it('an account that gets a password during the first sign-in is not linked without it', async () => {
  const email = 'fay@example.com'
  let writes = 0
  const db = new Proxy(app.deps.db, {
    get: (target, name) => {
      if (name !== 'write') return Reflect.get(target, name)
      return async (...args: Parameters<typeof target.write>) => {
        writes += 1
        // the first write takes the state, the second one joins
        if (writes === 2) {
          await createUser(app.deps, { email, password: PASSWORD, isSuperAdmin: false })
        }
        return target.write(...args)
      }
    },
  })
  const { oidc } = ways
  if (oidc === null) throw new Error('No provider.')
  const client = {
    ...oidc.client,
    identify: async () => ({ claims: { sub: email, email, email_verified: true }, idToken: 'i' }),
  }
  const back = {
    begun: { state: 'of fay', nonce: 'n', verifier: 'v', next: '/' },
    ...{
      code: 'c',
      error: undefined,
      issuer: undefined,
      redirectUri: 'r',
      address: null,
      userAgent: null,
    },
    passwordLogin: true,
  }
  const deps = { ...app.deps, db, home: db }
  await expect(finishSignIn(deps, { ...oidc, client }, back)).rejects.toMatchObject({
    code: 'oidc_state',
  })
  expect((await signIn(email)).response.status).toBe(401)
})

describe('the state', () => {
  it('leads a person who is signed in on when the browser repeats its address', async () => {
    const { browser, url } = await signIn('lee@example.com')
    const page = { headers: { accept: 'text/html' } }
    const again = await browser.send(url, page)
    expect([again.status, again.headers.get('location')]).toEqual([302, '/ui/'])
    expect(await me(browser)).toMatchObject({ email: 'lee@example.com' })
    const stranger = await new Browser().send(url, page)
    expect([stranger.status, await stranger.text()]).toEqual([
      401,
      expect.stringContaining('This sign-in was used or has expired.'),
    ])
  })

  it('is HttpOnly and SameSite=Lax, of one browser, and good once', async () => {
    const browser = new Browser()
    const begun = await browser.send(`${base}/api/auth/oidc/login`)
    const cookie = begun.headers.getSetCookie()[0] ?? ''
    expect(cookie).toMatch(/^svc_oidc=.+HttpOnly.*SameSite=Lax/)
    const { url } = await signIn('lee@example.com')
    expect((await new Browser().send(url)).status).toBe(401)
    expect((await browser.send(url)).status).toBe(401)
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state')
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    const path = `/api/auth/oidc/callback?state=${state}&error=access_denied`
    expect(
      await app.call('GET', path, { headers: { ...headers, accept: 'application/json' } }),
    ).toMatchObject({
      status: 401,
      json: { code: 'oidc_denied' },
    })
    expect(
      await app.call('GET', path, { headers: { ...headers, accept: 'application/json' } }),
    ).toMatchObject({
      status: 401,
      json: { code: 'oidc_state' },
    })
  })

  it('is that of each tab, for four tabs at once', async () => {
    const browser = new Browser()
    const begin = () => browser.send(`${base}/api/auth/oidc/login`, { headers: { accept: 'x' } })
    const names = []
    for (let tab = 0; tab < 5; tab += 1) {
      names.push((await begin()).headers.getSetCookie()[0]?.split('=')[0])
    }
    expect(names).toEqual(['svc_oidc', 'svc_oidc_2', 'svc_oidc_3', 'svc_oidc_4', 'svc_oidc'])
  })

  it('of a caller without a code is stored for an hour at most', async () => {
    const kept = Buffer.from(JSON.stringify(['made-up', 'n', 'v', '/'])).toString('base64url')
    const headers = { cookie: `svc_oidc=${kept}`, accept: 'application/json' }
    const before = Date.now()
    await app.call('GET', '/api/auth/oidc/callback?state=made-up', { headers })
    const row = await app.deps.db.one(sql`SELECT max(expires_at) AS latest FROM oidc_states`)
    expect(Number(row?.latest) - before).toBeLessThan(3_660_000)
  })
})

describe('an account with a password', () => {
  it('is linked after the person signs in with the password once', async () => {
    const email = 'bea@example.com'
    await createUser(app.deps, { email, password: PASSWORD, isSuperAdmin: false })
    const { browser, response } = await signIn(email)
    expect(response.status).toBe(401)
    expect(await response.text()).toContain('action="/api/auth/login"')
    const wrong = await browser.submit(`${base}/api/auth/login`, {
      email,
      password: 'wrong',
      next: '/',
    })
    expect(wrong.response.status).toBe(401)
    expect((await signIn(email)).response.status).toBe(401)
    const right = await browser.send(`${base}/api/auth/login`, {
      method: 'POST',
      body: new URLSearchParams({ email, password: PASSWORD, next: '/ui/' }),
    })
    expect(right.status).toBe(303)
    const later = await signIn(email)
    expect(later.response.status).toBe(302)
    expect(await me(later.browser)).toMatchObject({ email })
  })

  it('opens by the provider alone where passwords are off', async () => {
    const email = 'cho@example.com'
    await createUser(app.deps, { email, password: PASSWORD, isSuperAdmin: false })
    ways.passwordLogin = false
    const json = { email, password: PASSWORD }
    expect(await app.call('POST', '/api/auth/login', { json })).toMatchObject({
      status: 403,
      json: { code: 'password_login_off' },
    })
    expect((await signIn(email)).response.status).toBe(302)
    ways.passwordLogin = true
  })
})

it('an account that an invite created is taken from its creator by the owner of the address', async () => {
  const email = 'dan@example.com'
  const invite = await app.call('POST', `/api/w/${WS}/invites`, {
    token: await app.token(['*']),
    json: { email, role: 'member' },
  })
  const { url } = z.object({ url: z.string() }).parse(invite.json)
  const json = { token: new URL(url).searchParams.get('token'), name: 'Eve', password: PASSWORD }
  const taken = await app.call('POST', '/api/auth/accept-invite', { json })
  const cookie = (taken.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const old = async () => (await app.call('GET', '/api/auth/me', { headers: { cookie } })).status
  expect(await old()).toBe(200)
  ways.passwordLogin = false
  const { browser } = await signIn(email)
  ways.passwordLogin = true
  expect(await me(browser)).toMatchObject({ email })
  expect(await old()).toBe(401)
  const password = { email, password: PASSWORD }
  expect((await app.call('POST', '/api/auth/login', { json: password })).status).toBe(401)
  expect((await signIn(email)).response.status).toBe(302)
})

describe('the end of a session', () => {
  const logOut = (browser: Browser) =>
    browser.send(`${base}/api/auth/logout`, { method: 'POST', headers: { origin: base } })

  it('leads to the provider, which ends its own and every session of svc', async () => {
    const email = 'max@example.com'
    const { browser } = await signIn(email)
    const phone = await signIn(email)
    const other = await signIn('mia@example.com')
    const ended = await logOut(browser)
    expect(ended.status).toBe(200)
    const { provider_logout_url: url } = z
      .object({ provider_logout_url: z.string() })
      .parse(await ended.json())
    const { searchParams } = new URL(url)
    expect(searchParams.get('post_logout_redirect_uri')).toBe(`${base}/ui/sign-in`)
    expect(decodeJwt(searchParams.get('id_token_hint') ?? '')).toMatchObject({ sub: email })
    expect(await me(browser)).toMatchObject({ code: 'unauthenticated' })
    expect(await me(phone.browser)).toMatchObject({ email })
    // the provider asks the person to confirm
    const asked = await browser.send(url)
    const page = await asked.text()
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const action = /action="([^"]+)"/.exec(page)?.[1] ?? ''
    const back = await browser.send(action, {
      method: 'POST',
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    })
    expect(back.headers.get('location')).toBe(`${base}/ui/sign-in`)
    await vi.waitFor(
      async () => expect(await me(phone.browser)).toMatchObject({ code: 'session_ended' }),
      { timeout: 20_000 },
    )
    expect(await me(other.browser)).toMatchObject({ email: 'mia@example.com' })
    expect((await logOut(browser)).status).toBe(401)
  })

  it('does not lead to the provider if it began with a password, also in a browser that was there', async () => {
    const { browser } = await signIn('ovi@example.com')
    const email = 'pia@example.com'
    await createUser(app.deps, { email, password: PASSWORD, isSuperAdmin: false })
    const fields = { email, password: PASSWORD, next: '/' }
    expect((await browser.submit(`${base}/api/auth/login`, fields)).response.status).toBeLessThan(
      500,
    )
    expect(await me(browser)).toMatchObject({ email })
    expect((await logOut(browser)).status).toBe(204)
  })

  it('comes by a logout token of the provider, which is verified and good once', async () => {
    const email = 'noa@example.com'
    const { browser } = await signIn(email)
    const key = await makeKey('logout')
    const send = (token: string) =>
      app.call('POST', '/api/auth/oidc/backchannel-logout', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: token }).toString(),
      })
    const own = await importJWK(key, 'RS256')
    const sign = (claims: Readonly<Record<string, unknown>>) =>
      new SignJWT({ sub: email, jti: 'j1', events: { [LOGOUT]: {} }, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'logout' })
        .setIssuedAt()
        .setIssuer(provider.issuer)
        .setAudience('svc')
        .setExpirationTime('2m')
        .sign(own)
    // signed with a key that is not the provider's
    expect(await send(await sign({}))).toMatchObject({
      status: 400,
      json: { code: 'bad_logout_token' },
    })
    expect(await me(browser)).toMatchObject({ email })
    const port = Number(new URL(provider.issuer).port)
    await provider.close()
    provider = await startProvider(base, key, port)
    // the old client does not look for this key again within 5 s
    if (ways.oidc !== null) ways.oidc = { ...ways.oidc, client: openClient() }
    for (const claims of [{ nonce: 'n' }, { events: {} }, { jti: undefined }, { sub: undefined }]) {
      expect((await send(await sign(claims))).status).toBe(400)
    }
    expect(await me(browser)).toMatchObject({ email })
    const token = await sign({})
    expect(await send(token)).toMatchObject({ status: 200 })
    expect(await me(browser)).toMatchObject({ code: 'session_ended' })
    const again = await signIn(email)
    expect(await send(token)).toMatchObject({ status: 200 })
    expect(await me(again.browser)).toMatchObject({ email })
    expect(await send(await sign({ jti: 'j2', sub: 'stranger' }))).toMatchObject({ status: 200 })
    const audit = await app.deps.db.all(
      sql`SELECT target FROM audit_log WHERE action = 'session.ended_by_provider' AND target <> 'max@example.com'`,
    )
    expect(audit).toEqual([{ target: email }])
  })
})

describe('where passwords are off', () => {
  it('an invited person joins by the provider, and no password makes an account', async () => {
    const { oidc } = ways
    if (oidc === null) throw new Error('No provider.')
    Object.assign(ways, { oidc: { ...oidc, autoJoin: null }, passwordLogin: false })
    const email = 'ida@example.com'
    const token = await app.token(['*'])
    const made = await app.call('POST', `/api/w/${WS}/invites`, {
      token,
      json: { email, role: 'member' },
    })
    const { url } = z.object({ url: z.string() }).parse(made.json)
    const text = new URL(url).searchParams.get('token') ?? ''
    const json = { token: text, name: 'Ida', password: PASSWORD }
    expect(await app.call('POST', '/api/auth/accept-invite', { json })).toMatchObject({
      status: 403,
      json: { code: 'password_login_off' },
    })
    const page = `/invite?token=${encodeURIComponent(text)}`
    const shown = await app.call('GET', page, { headers: { accept: 'text/html' } })
    expect(shown.text).toContain(`/api/auth/oidc/login?next=${encodeURIComponent(page)}`)
    expect(shown.text).not.toContain('type="password"')
    const device = await app.call('GET', '/device?user_code=AAAA-BBBB', {
      headers: { accept: 'text/html' },
    })
    expect(device.text).not.toContain('type="password"')
    const { browser, response } = await signIn(email, new Browser(), page)
    expect(response.headers.get('location')).toBe(page)
    const joined = await browser.send(`${base}/api/auth/accept-invite`, {
      method: 'POST',
      body: new URLSearchParams({ token: text }),
      headers: { origin: base },
    })
    expect(joined.status).toBe(303)
    expect(await me(browser)).toMatchObject({ email })
    expect((await signIn('uninvited@example.com')).response.status).toBe(403)
    Object.assign(ways, { oidc, passwordLogin: true })
  })
})

it('keys of the provider may change between two sign-ins', async () => {
  const port = Number(new URL(provider.issuer).port)
  await provider.close()
  provider = await startProvider(base, await makeKey('second'), port)
  expect((await signIn('ada@example.com')).response.status).toBe(302)
})

it('answers 404 where no provider is set', async () => {
  const { oidc } = ways
  ways.oidc = null
  const headers = { accept: 'application/json' }
  expect(await app.call('GET', '/api/auth/oidc/login', { headers })).toMatchObject({ status: 404 })
  ways.oidc = oidc
})
