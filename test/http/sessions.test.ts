/** Signing in and out, and what a session opens, as a browser sees it [access 6, 7]. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addMember } from '#service/people/manage-member.ts'
import { createUser, createWorkspace } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import {
  ADMIN,
  createTestApp,
  type TestApp,
  type TestAppOptions,
  WS,
} from '../support/create-test-app.ts'

const PASSWORD = 'correct horse battery'
const SAME_SITE = { 'sec-fetch-site': 'same-origin' }

let app: TestApp
afterEach(() => app.close())

const start = async (options: TestAppOptions = {}): Promise<void> => {
  app = await createTestApp(options)
  await createUser(app.deps, { email: 'ada@example.com', password: PASSWORD, isSuperAdmin: false })
  await addMember(app.deps, { ws: WS, email: 'ada@example.com', role: 'member' })
}
const logIn = (email: string, password: string) =>
  app.call('POST', '/api/auth/login', { json: { email, password } })
/** Signs in. @returns the cookie as a browser sends it back */
const cookieOf = async (email = 'ada@example.com', password = PASSWORD): Promise<string> => {
  const answer = await logIn(email, password)
  expect(answer.status).toBe(200)
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}
const withCookie = (
  method: string,
  path: string,
  cookie: string,
  {
    headers = SAME_SITE,
    json,
  }: Readonly<{ headers?: Record<string, string>; json?: unknown }> = {},
) =>
  app.call(method, path, {
    headers: { ...headers, cookie },
    ...(json === undefined ? {} : { json }),
  })

describe('POST /api/auth/login', () => {
  beforeEach(() => start())

  it('answers who it is and where, and sets a cookie that scripts cannot read', async () => {
    const answer = await logIn(' ADA@example.com', PASSWORD)
    expect(answer).toMatchObject({
      status: 200,
      json: {
        user: { email: 'ada@example.com', super_admin: false },
        workspaces: [{ id: WS, role: 'member' }],
      },
    })
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(
      /^svc_session=svcs_\w+; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  it('shows every workspace to an operator of the instance', async () => {
    await createWorkspace(app.deps, { id: 'other', name: 'Other' })
    expect((await logIn(ADMIN, 'only for tests')).json).toMatchObject({
      user: { super_admin: true },
      workspaces: [
        { id: WS, role: 'admin' },
        { id: 'other', role: 'admin' },
      ],
    })
  })

  it('answers a wrong password, an unknown account, one without a password and a disabled one alike', async () => {
    await createUser(app.deps, { email: 'none@example.com', password: null, isSuperAdmin: false })
    await createUser(app.deps, {
      email: 'off@example.com',
      password: PASSWORD,
      isSuperAdmin: false,
    })
    await app.deps.db.write([sql`UPDATE users SET disabled_at = 1 WHERE email = 'off@example.com'`])
    const answers = [
      await logIn('ada@example.com', 'wrong password'),
      await logIn('nobody@example.com', PASSWORD),
      await logIn('none@example.com', PASSWORD),
      await logIn('off@example.com', PASSWORD),
    ]
    for (const { status, json, headers } of answers) {
      expect(status).toBe(401)
      expect(json).toMatchObject({
        error: 'E-mail address or password is wrong.',
        code: 'wrong_credentials',
      })
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  it('refuses the sixth try after five wrong ones, the right password too, and only that account', async () => {
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await logIn('ada@example.com', `wrong ${tries}`)).status).toBe(401)
    }
    const refused = await logIn('ada@example.com', PASSWORD)
    expect(refused).toMatchObject({ status: 429, json: { code: 'too_many_guesses' } })
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(800)
    expect(wait).toBeLessThanOrEqual(900)
    expect((await logIn(ADMIN, 'only for tests')).status).toBe(200)
    await app.deps.db.write([sql`UPDATE guesses SET at = at - 900000`])
    expect((await logIn('ada@example.com', PASSWORD)).status).toBe(200)
  })

  it('does not count right ones, and lets no more through when they come at once', async () => {
    for (let tries = 0; tries < 8; tries += 1) {
      expect((await logIn('ada@example.com', PASSWORD)).status).toBe(200)
    }
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => logIn('ada@example.com', `guess ${at}`)),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(25)
  })

  it.each([
    {},
    { email: 'ada@example.com' },
    { email: 1, password: 'x' },
    { email: 'a', password: '' },
  ])('answers 400 to %j', async (json) => {
    expect((await app.call('POST', '/api/auth/login', { json })).status).toBe(400)
  })
})

describe('a session', () => {
  beforeEach(() => start())

  it('opens what the role of its user opens, and nothing more', async () => {
    const member = await cookieOf()
    expect((await withCookie('GET', '/api/auth/me', member)).json).toEqual({
      kind: 'session',
      email: 'ada@example.com',
      super_admin: false,
      scopes: [],
    })
    expect((await withCookie('GET', `/api/w/${WS}/whoami`, member)).json).toMatchObject({
      kind: 'session',
      role: 'member',
      workspace: WS,
    })
    expect((await withCookie('GET', `/api/w/${WS}/jobs`, member)).status).toBe(200)
    const json = { key: 'A', value: 'b' }
    const refused = await withCookie('POST', `/api/w/${WS}/variables`, member, { json })
    expect(refused).toMatchObject({ status: 403, json: { code: 'missing_scope' } })
    const admin = await cookieOf(ADMIN, 'only for tests')
    expect((await withCookie('POST', `/api/w/${WS}/variables`, admin, { json })).status).toBe(201)
    expect((await withCookie('GET', '/api/admin/workers', admin)).status).toBe(200)
    expect((await withCookie('GET', '/api/admin/workers', member)).status).toBe(403)
  })

  it('lists the workspaces that it opens; a token its own alone', async () => {
    await createWorkspace(app.deps, { id: 'other', name: 'Other' })
    const list = async (cookie: string) =>
      (await withCookie('GET', '/api/auth/workspaces', cookie)).json
    expect(await list(await cookieOf())).toEqual({ items: [{ id: WS, role: 'member' }] })
    const own = { id: WS, role: 'admin' }
    expect(await list(await cookieOf(ADMIN, 'only for tests'))).toEqual({
      items: [own, { id: 'other', role: 'admin' }],
    })
    const token = await app.token(['workspace:read'])
    expect((await app.call('GET', '/api/auth/workspaces', { token })).json).toEqual({
      items: [own],
    })
    // an empty list of scopes denies everything
    const bare = await app.token([])
    expect(await app.call('GET', '/api/auth/workspaces', { token: bare })).toMatchObject({
      status: 403,
      json: { code: 'missing_scope' },
    })
  })

  it('has no access to a workspace that its user is not a member of', async () => {
    await createWorkspace(app.deps, { id: 'other', name: 'Other' })
    const cookie = await cookieOf()
    for (const ws of ['other', 'not-there']) {
      const answer = await withCookie('GET', `/api/w/${ws}/jobs`, cookie)
      expect(answer).toMatchObject({ status: 403, json: { code: 'wrong_workspace' } })
    }
  })

  it('ends at logout, for good, and takes its cookie away', async () => {
    const cookie = await cookieOf()
    const answer = await withCookie('POST', '/api/auth/logout', cookie)
    expect(answer.status).toBe(204)
    expect(answer.headers.get('set-cookie')).toMatch(/^svc_session=; Max-Age=0;/)
    const after = await withCookie('GET', '/api/auth/me', cookie)
    expect(after).toMatchObject({ status: 401, json: { code: 'session_ended' } })
  })

  it('ends when it expires, and at once when its user is disabled or no member any more', async () => {
    const cookie = await cookieOf()
    const jobs = async () => (await withCookie('GET', `/api/w/${WS}/jobs`, cookie)).status
    expect(await jobs()).toBe(200)
    await app.deps.db.write([sql`UPDATE members SET disabled_at = 1`])
    expect(await jobs()).toBe(403)
    await app.deps.db.write([sql`UPDATE members SET disabled_at = NULL`])
    await app.deps.db.write([sql`UPDATE users SET disabled_at = 1`])
    expect(await jobs()).toBe(401)
    await app.deps.db.write([sql`UPDATE users SET disabled_at = NULL`])
    await app.deps.db.write([sql`UPDATE sessions SET expires_at = 1`])
    expect(await jobs()).toBe(401)
  })

  it('is not used by a page of another site', async () => {
    const cookie = await cookieOf(ADMIN, 'only for tests')
    const json = { key: 'A', value: 'b' }
    const post = async (headers: Record<string, string>) =>
      (await withCookie('POST', `/api/w/${WS}/variables`, cookie, { headers, json })).status
    expect(await post({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await post({ 'sec-fetch-site': 'same-site' })).toBe(403)
    expect(await post({ origin: 'https://evil.example' })).toBe(403)
    expect(await post({ origin: 'null' })).toBe(403)
    expect(await post({})).toBe(403)
    expect(await post({ origin: 'http://localhost', host: 'localhost' })).toBe(201)
    expect(await post({ 'sec-fetch-site': 'same-origin' })).toBe(201)
    const read = await withCookie('GET', `/api/w/${WS}/jobs`, cookie, {
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(read.status).toBe(200)
  })

  it('gives way to a bearer token that comes with it', async () => {
    const cookie = await cookieOf()
    const token = await app.token(['jobs:read'])
    const answer = await app.call('GET', '/api/auth/me', { token, headers: { cookie } })
    expect(answer.json).toMatchObject({ kind: 'api_token' })
    const wrong = await app.call('GET', '/api/auth/me', { token: 'svc_x', headers: { cookie } })
    expect(wrong.status).toBe(401)
  })

  it('leaves its traces in the audit log, without its text', async () => {
    const cookie = await cookieOf(ADMIN, 'only for tests')
    await withCookie('POST', '/api/auth/logout', cookie)
    const rows = await app.deps.db.all(sql`SELECT action, identity FROM audit_log ORDER BY id`)
    expect(rows).toEqual(
      expect.arrayContaining([
        { action: 'session.started', identity: ADMIN },
        { action: 'session.ended', identity: ADMIN },
      ]),
    )
  })
})

describe('the own password', () => {
  beforeEach(() => start())

  it('is changed by who knows it, and ends the other sessions alone', async () => {
    const [mine, other] = [await cookieOf(), await cookieOf()]
    const change = (json: unknown) => withCookie('POST', '/api/auth/password', mine, { json })
    expect((await change({ current: 'wrong', new: 'another long one' })).status).toBe(401)
    expect((await change({ current: PASSWORD, new: 'short' })).status).toBe(400)
    expect((await change({ current: PASSWORD, new: 'another long one' })).status).toBe(204)
    expect((await withCookie('GET', '/api/auth/me', mine)).status).toBe(200)
    expect((await withCookie('GET', '/api/auth/me', other)).status).toBe(401)
    expect((await logIn('ada@example.com', PASSWORD)).status).toBe(401)
    expect((await logIn('ada@example.com', 'another long one')).status).toBe(200)
  })

  it('is changed by one of two requests at the same moment, and the other is refused', async () => {
    const mine = await cookieOf()
    const wanted = ['one long password', 'another long password']
    const answers = await Promise.all(
      wanted.map((next) =>
        withCookie('POST', '/api/auth/password', mine, { json: { current: PASSWORD, new: next } }),
      ),
    )
    const opens = await Promise.all(wanted.map((next) => logIn('ada@example.com', next)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401])
    expect(opens.map(({ status }) => status === 200)).toEqual(
      answers.map(({ status }) => status === 204),
    )
  })

  it('is not changed by a token', async () => {
    const token = await app.token(['*'])
    const json = { current: 'only for tests', new: 'another long one' }
    expect((await app.call('POST', '/api/auth/password', { token, json })).status).toBe(403)
  })
})

describe('POST /api/auth/logout with a token', () => {
  beforeEach(() => start())

  it('revokes the token', async () => {
    const token = await app.token([])
    expect((await app.call('POST', '/api/auth/logout', { token })).status).toBe(204)
    expect((await app.call('GET', '/api/auth/me', { token })).status).toBe(401)
  })
})

it('over https the cookie is for https alone', async () => {
  await start({ baseUrl: 'https://svc.example.com' })
  const answer = await logIn('ada@example.com', PASSWORD)
  expect(answer.headers.get('set-cookie')).toContain('; Secure')
})

describe('the own sessions', () => {
  beforeEach(() => start())

  type Item = Readonly<{ id: string; is_current: boolean }>
  const list = async (cookie: string): Promise<readonly Item[]> =>
    ((await withCookie('GET', '/api/auth/sessions', cookie)).json as { items: Item[] }).items
  const isOpen = async (cookie: string): Promise<boolean> =>
    (await withCookie('GET', '/api/auth/me', cookie)).status === 200

  it('are listed newest first, and one of them ends by its id', async () => {
    const [older, newer] = [await cookieOf(), await cookieOf()]
    const items = await list(older)
    expect(items.map(({ is_current }) => is_current)).toEqual([false, true])
    const path = `/api/auth/sessions/${items[0]?.id}`
    expect((await withCookie('DELETE', path, older)).status).toBe(204)
    expect([await isOpen(older), await isOpen(newer)]).toEqual([true, false])
    expect(await list(older)).toHaveLength(1)
  })

  it('end at once but for the present one', async () => {
    const cookies = [await cookieOf(), await cookieOf(), await cookieOf()]
    const own = cookies[1] ?? ''
    expect((await withCookie('DELETE', '/api/auth/sessions', own)).status).toBe(204)
    expect(await Promise.all(cookies.map(isOpen))).toEqual([false, true, false])
  })

  it('of another person cannot be ended, and a token has none', async () => {
    const [item] = await list(await cookieOf())
    const other = await cookieOf(ADMIN, 'only for tests')
    const path = `/api/auth/sessions/${item?.id}`
    expect((await withCookie('DELETE', path, other)).status).toBe(404)
    const token = await app.token(['*'])
    for (const method of ['GET', 'DELETE']) {
      expect((await app.call(method, '/api/auth/sessions', { token })).status).toBe(403)
    }
  })
})

it.each(['https', 'HTTPS', 'https, http'])(
  'behind a proxy that sends X-Forwarded-Proto: %s the cookie is for https alone',
  async (proto) => {
    await start()
    const answer = await app.call('POST', '/api/auth/login', {
      json: { email: 'ada@example.com', password: PASSWORD },
      headers: { 'x-forwarded-proto': proto },
    })
    expect(answer.headers.get('set-cookie')).toContain('; Secure')
  },
)
