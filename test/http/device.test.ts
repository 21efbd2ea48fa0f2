/** Device login as a program and a person see it (RFC 8628) [access 8]. */
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { disableUser } from '#service/people/disable-user.ts'
import { addMember, removeMember } from '#service/people/manage-member.ts'
import { startSession } from '#service/people/start-session.ts'
import { createUser, createWorkspace } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

const ADA = 'ada@example.com'

let app: TestApp
let cookie = ''
beforeEach(async () => {
  app = await createTestApp({ baseUrl: 'https://svc.example.com' })
  await createUser(app.deps, { email: ADA, password: 'correct horse battery', isSuperAdmin: false })
  await addMember(app.deps, { ws: WS, email: ADA, role: 'member' })
  cookie = `svc_session=${(await startSession(app.deps, { email: ADA, address: null })).text}`
})
afterEach(() => app.close())

const started = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.number(),
  interval: z.number(),
})
const begin = async () => {
  const answer = await app.call('POST', '/api/auth/device/code', { json: { client_id: 'svc-cli' } })
  expect(answer.status).toBe(200)
  return started.parse(answer.json)
}
const poll = async (deviceCode: string) => {
  // act as if the interval had passed
  await app.deps.db.write([sql`UPDATE device_logins SET last_polled_at = last_polled_at - 60000`])
  return app.call('POST', '/api/auth/device/token', {
    json: { device_code: deviceCode, grant_type: 'urn:ietf:params:oauth:grant-type:device_code' },
  })
}
const decide = (
  json: unknown,
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
) => app.call('POST', '/api/auth/device/approve', { json, headers: { cookie, ...headers } })
const word = (code: string) => ({ status: 400, json: { error: code, code } })

describe('a device login', () => {
  const PASSWORD = 'correct horse battery'
  const asSelf = (method: string, path: string, json?: unknown) =>
    app.call(method, path, {
      headers: { cookie: other, 'sec-fetch-site': 'same-origin' },
      ...(json === undefined ? {} : { json }),
    })
  let other = ''
  const turnFactorOn = async () => {
    const { secret } = z
      .object({ secret: z.string() })
      .parse((await asSelf('POST', '/api/auth/two-factor', { password: PASSWORD })).json)
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    return asSelf('POST', '/api/auth/two-factor/confirm', { code })
  }

  it.each([
    ['ends the other sessions', () => asSelf('DELETE', '/api/auth/sessions')],
    [
      'changes the password',
      () => asSelf('POST', '/api/auth/password', { current: PASSWORD, new: 'a longer password' }),
    ],
    ['turns on the second factor', turnFactorOn],
  ])('that another session has approved gives no token once the person %s', async (_, act) => {
    other = `svc_session=${(await startSession(app.deps, { email: ADA, address: null })).text}`
    const login = await begin()
    expect((await decide({ user_code: login.user_code, approve: true })).status).toBe(200)
    expect((await act()).status).toBeLessThan(300)
    expect(await poll(login.device_code)).toMatchObject(word('access_denied'))
    // the person may log in again
    const next = await begin()
    await asSelf('POST', '/api/auth/device/approve', { user_code: next.user_code, approve: true })
    expect((await poll(next.device_code)).status).toBe(200)
  })

  it('waits, and gives a token of who approved it, once', async () => {
    const login = await begin()
    expect(login).toMatchObject({
      verification_uri: 'https://svc.example.com/device',
      verification_uri_complete: `https://svc.example.com/device?user_code=${login.user_code}`,
      expires_in: 600,
      interval: 5,
    })
    expect(login.user_code).toMatch(/^[B-Z]{4}-[B-Z]{4}$/)
    expect(await poll(login.device_code)).toMatchObject(word('authorization_pending'))
    const typed = login.user_code.toLowerCase().replace('-', ' ')
    expect(await decide({ user_code: typed, approve: true })).toMatchObject({ status: 200 })
    const answer = await poll(login.device_code)
    const expires_in = 90 * 86_400
    expect(answer).toMatchObject({
      status: 200,
      json: { token_type: 'Bearer', workspace: WS, expires_in },
    })
    const kept = await app.deps.db.one(
      sql`SELECT expires_at - created_at AS lifetime FROM tokens WHERE label = 'svc login'`,
    )
    expect(kept?.lifetime).toBe(expires_in * 1_000)
    const { access_token: token } = z.object({ access_token: z.string() }).parse(answer.json)
    expect((await app.call('GET', '/api/auth/me', { token })).json).toMatchObject({ email: ADA })
    expect(await poll(login.device_code)).toMatchObject(word('expired_token'))
  })

  it.each([
    ['removed', () => removeMember(app.deps, { ws: WS, email: ADA, actor: CLI_ACTOR })],
    ['disabled', () => disableUser(app.deps, { email: ADA, isDisabled: true, actor: CLI_ACTOR })],
  ])('is denied when its approver was %s before the next poll', async (_how, end) => {
    const login = await begin()
    expect((await decide({ user_code: login.user_code, approve: true })).status).toBe(200)
    await end()
    expect(await poll(login.device_code)).toMatchObject(word('access_denied'))
  })

  it.each(['code', 'token', 'approve'])(
    'takes %s as JSON and as a form, as RFC 8628 requires',
    async (step) => {
      const { json } = await app.call('GET', '/api/openapi.json')
      const operations = z
        .object({
          paths: z.record(
            z.string(),
            z.object({
              post: z
                .object({
                  requestBody: z.object({ content: z.record(z.string(), z.unknown()) }).optional(),
                })
                .optional(),
            }),
          ),
        })
        .parse(json)
      const { content } = operations.paths[`/api/auth/device/${step}`]?.post?.requestBody ?? {}
      expect(Object.keys(content ?? {}).toSorted()).toEqual([
        'application/json',
        'application/x-www-form-urlencoded',
      ])
      const fields: Record<string, string> = {
        client_id: 'svc-cli',
        device_code: 'x',
        user_code: 'x',
        approve: 'true',
      }
      const headers = { cookie, 'sec-fetch-site': 'same-origin' }
      const path = `/api/auth/device/${step}`
      const asJson = await app.call('POST', path, { json: fields, headers })
      const body = new URLSearchParams(fields).toString()
      const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
      const asForm = await app.call('POST', path, { body, headers: form })
      expect(asForm.status).toBe(asJson.status)
      expect(asJson.status).not.toBe(415)
    },
  )

  it('gives one token to polls that come at once', async () => {
    const login = await begin()
    await decide({ user_code: login.user_code, approve: true })
    const answers = await Promise.all(Array.from({ length: 5 }, () => poll(login.device_code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('is denied, expires, and slows a client that polls too fast', async () => {
    const denied = await begin()
    await decide({ user_code: denied.user_code, approve: false })
    expect(await poll(denied.device_code)).toMatchObject(word('access_denied'))
    const late = await begin()
    await app.deps.db.write([sql`UPDATE device_logins SET expires_at = 1`])
    expect(await poll(late.device_code)).toMatchObject(word('expired_token'))
    const fast = await begin()
    await poll(fast.device_code)
    const json = { device_code: fast.device_code }
    const again = await app.call('POST', '/api/auth/device/token', { json })
    expect(again).toMatchObject(word('slow_down'))
    const interval = await app.deps.db.one(
      sql`SELECT interval_s FROM device_logins WHERE status = 'pending' ORDER BY id DESC LIMIT 1`,
    )
    expect(interval).toEqual({ interval_s: 10 })
    expect(await poll('nonsense')).toMatchObject(word('expired_token'))
  })

  it('is approved by a session alone, from our own page, and for an own workspace', async () => {
    const { user_code } = await begin()
    const json = { user_code, approve: true }
    const token = await app.token(['*'])
    expect((await app.call('POST', '/api/auth/device/approve', { json, token })).status).toBe(403)
    expect((await app.call('POST', '/api/auth/device/approve', { json })).status).toBe(401)
    expect((await decide(json, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    await createWorkspace(app.deps, { id: 'other', name: 'Other' })
    expect(await decide({ ...json, workspace: 'other' })).toMatchObject({
      status: 400,
      json: { code: 'bad_workspace' },
    })
    expect((await decide({ ...json, workspace: WS })).status).toBe(200)
    expect((await decide(json)).status).toBe(404)
  })

  it('limits guesses of codes', async () => {
    const { user_code } = await begin()
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await decide({ user_code: 'BBBB-BBBB', approve: true })).status).toBe(404)
    }
    expect((await decide({ user_code, approve: true })).status).toBe(429)
  })

  it('refuses another client', async () => {
    const json = { client_id: 'somebody' }
    expect((await app.call('POST', '/api/auth/device/code', { json })).status).toBe(400)
  })
})

describe('the page /device', () => {
  const form = (
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ) =>
    app.call('POST', path, {
      body: new URLSearchParams(fields).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
    })

  it('asks a stranger to sign in, and comes back to the code', async () => {
    const { user_code } = await begin()
    const page = await app.call('GET', `/device?user_code=${user_code}`)
    expect(page.text).toContain('type="password"')
    const next = `/device?user_code=${user_code}`
    const wrong = await form('/api/auth/login', { email: ADA, password: 'wrong', next })
    expect(wrong.status).toBe(401)
    expect(wrong.text).toContain('role="alert"')
    const right = await form('/api/auth/login', {
      email: ADA,
      password: 'correct horse battery',
      next,
    })
    expect(right.status).toBe(303)
    expect(right.headers.get('location')).toBe(next)
    expect(right.headers.get('set-cookie')).toContain('svc_session=')
  })

  it('shows the signed-in person the code, and takes the decision without a script', async () => {
    const login = await begin()
    const page = await app.call('GET', `/device?user_code=${login.user_code}`, {
      headers: { cookie },
    })
    expect(page.text).toContain(`value="${login.user_code}"`)
    expect(page.text).toContain(`<option>${WS}</option>`)
    expect(page.text).not.toContain('<script')
    const fields = { user_code: login.user_code, workspace: WS, approve: 'true' }
    const decided = await form('/api/auth/device/approve', fields, { cookie })
    expect(decided).toMatchObject({ status: 200 })
    expect(decided.text).toContain('Approved')
    expect((await poll(login.device_code)).status).toBe(200)
  })

  it('redirects to no other site, and takes no form from one', async () => {
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:x',
    ]) {
      const answer = await form('/api/auth/login', {
        email: ADA,
        password: 'correct horse battery',
        next,
      })
      expect(answer.headers.get('location')).toBe('/device')
    }
    const fields = { email: ADA, password: 'correct horse battery' }
    const elsewhere = await form('/api/auth/login', fields, { 'sec-fetch-site': 'cross-site' })
    expect(elsewhere.status).toBe(403)
  })

  it('shows what was typed as text', async () => {
    const page = await app.call('GET', '/device?user_code="><b>x', { headers: { cookie } })
    expect(page.text).not.toContain('<b>x')
  })
})
