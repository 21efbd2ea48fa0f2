/** Sign-in by OpenID Connect, against a provider program as people's browsers use it [access 21]. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import Provider from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLI_ACTOR } from '#core/actor.ts'
import type { SignInWays } from '#http/handlers/oidc.ts'
import { createOidcClient } from '#outbound/oidc-client.ts'
import { createUser } from '#service/create-workspace.ts'
import { disableUser } from '#service/disable-user.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

const PASSWORD = 'a long enough password'

let app: TestApp
let base = ''
let issuer = ''
let server: Server
let ways: { oidc: SignInWays['oidc']; passwordLogin: boolean }

const makeKey = async (kid: string): Promise<JWK> => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }
}

/** Accounts are named by their address; one that begins with `unverified` is not verified. */
const startProvider = async (key: JWK, port: number): Promise<void> => {
  server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'svc',
        client_secret: 'secret',
        redirect_uris: [`${base}/api/auth/oidc/callback`],
      },
    ],
    jwks: { keys: [key] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['only for tests'] },
    scopes: ['openid', 'email', 'profile'],
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: id, email_verified: !id.startsWith('unverified') }),
    }),
  })
  server.on('request', provider.callback())
}

class Browser {
  readonly #jar = new Map<string, Map<string, string>>()
  /** One request. */
  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url)
    const jar = this.#jar.get(origin) ?? new Map<string, string>()
    this.#jar.set(origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = {
      ...Object.fromEntries(new Headers(init.headers)),
      cookie,
      accept: 'text/html',
    }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...rest] = line.split(';')
      const at = pair.indexOf('=')
      const isOver = rest.some((part) => /max-age=0|1970/i.test(part))
      if (isOver) jar.delete(pair.slice(0, at))
      else jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
  /** Follows redirects until `stop`, or a page. */
  async go(
    url: string,
    init: RequestInit = {},
  ): Promise<Readonly<{ url: string; response: Response }>> {
    let at = url
    let response = await this.send(at, init)
    for (let hops = 0; hops < 15; hops += 1) {
      const location = response.headers.get('location')
      if (location === null || at.includes('/callback')) break
      at = new URL(location, at).href
      response = await this.send(at)
    }
    return { url: at, response }
  }
  async submit(page: string, fields: Readonly<Record<string, string>>) {
    return this.go(page, { method: 'POST', body: new URLSearchParams(fields) })
  }
}

/** Signs in at the provider as a person does. @returns the answer of svc's callback, and its address */
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
  await startProvider(await makeKey('first'), 0)
  ways.oidc = {
    client: createOidcClient({ issuer, clientId: 'svc', clientSecret: 'secret' }),
    issuer,
    allowedDomains: ['example.com'],
    autoJoin: { ws: WS, role: 'member' },
  }
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
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

  it('is sent to no other site, and loses its session when it is disabled', async () => {
    const { browser, response } = await signIn('kim@example.com', new Browser(), '//evil.test')
    expect(response.headers.get('location')).toBe('/ui/')
    await disableUser(app.deps, { email: 'kim@example.com', isDisabled: true, actor: CLI_ACTOR })
    expect(await me(browser)).not.toMatchObject({ email: 'kim@example.com' })
    expect((await signIn('kim@example.com')).response.status).toBe(403)
  })
})

describe('the state', () => {
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

it('keys of the provider may change between two sign-ins', async () => {
  const port = Number(new URL(issuer).port)
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  await startProvider(await makeKey('second'), port)
  expect((await signIn('ada@example.com')).response.status).toBe(302)
})

it('answers 404 where no provider is set', async () => {
  const { oidc } = ways
  ways.oidc = null
  const headers = { accept: 'application/json' }
  expect(await app.call('GET', '/api/auth/oidc/login', { headers })).toMatchObject({ status: 404 })
  ways.oidc = oidc
})
