/** Invites, from the admin's request to the new member's session [access 9]. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

const ADA = 'ada@example.com'
const PASSWORD = 'correct horse battery'

let app: TestApp
let token = ''
beforeEach(async () => {
  app = await createTestApp({ baseUrl: 'https://svc.example.com' })
  token = await app.token(['*'])
})
afterEach(() => app.close())

const INVITES = `/api/w/${WS}/invites`
const made = z.object({ id: z.string(), url: z.string(), expires_at: z.string() })

const invite = async (email = ADA, role = 'member') => {
  const answer = await app.call('POST', INVITES, { token, json: { email, role } })
  expect(answer.status).toBe(201)
  const { id, url } = made.parse(answer.json)
  return { id, url, text: new URL(url).searchParams.get('token') ?? '' }
}
const accept = (text: string, password = PASSWORD, name = 'Ada') =>
  app.call('POST', '/api/auth/accept-invite', { json: { token: text, name, password } })
const logIn = (password: string) =>
  app.call('POST', '/api/auth/login', { json: { email: ADA, password } })
const acceptByForm = (
  fields: Record<string, string>,
  headers: Readonly<Record<string, string>> = {},
) =>
  app.call('POST', '/api/auth/accept-invite', {
    body: new URLSearchParams(fields).toString(),
    headers: {
      ...headers,
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
  })

describe('an invite', () => {
  it('makes an account, a member and a session, once', async () => {
    const { url, text } = await invite('ADA@example.com', 'admin')
    expect(url).toMatch(/^https:\/\/svc\.example\.com\/invite\?token=svci_/)
    const answer = await accept(text)
    expect(answer).toMatchObject({ status: 200, json: { workspace: WS, email: ADA } })
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    const who = await app.call('GET', `/api/w/${WS}/whoami`, { headers: { cookie } })
    expect(who.json).toMatchObject({ email: ADA, role: 'admin' })
    const members = await app.call('GET', `/api/w/${WS}/members`, { token })
    expect(members.text).toContain('"name":"Ada"')
    expect(await accept(text)).toMatchObject({ status: 410, json: { code: 'invite_ended' } })
    expect((await logIn(PASSWORD)).status).toBe(200)
  })

  it('never changes the password of an account that is there', async () => {
    await createUser(app.deps, { email: ADA, password: PASSWORD, isSuperAdmin: false })
    const { text } = await invite()
    for (const password of ['another password', PASSWORD]) {
      expect(await accept(text, password)).toMatchObject({
        status: 401,
        json: { code: 'sign_in_first' },
      })
    }
    expect((await logIn(PASSWORD)).status).toBe(200)
    const none = await invite('none@example.com')
    await createUser(app.deps, { email: 'none@example.com', password: null, isSuperAdmin: false })
    expect((await accept(none.text)).status).toBe(401)
  })

  it('is accepted by one of many who try at once', async () => {
    const { text } = await invite()
    const answers = await Promise.all([1, 2, 3].map((at) => accept(text, `${PASSWORD} ${at}`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status } of answers) expect([200, 401, 410]).toContain(status)
  })

  it('ends when it expires or is taken back, and is listed without its link', async () => {
    const { id, text } = await invite()
    const list = await app.call('GET', INVITES, { token })
    expect(list.json).toMatchObject({ items: [{ id, email: ADA, accepted_at: null }] })
    await app.deps.db.write([sql`UPDATE invites SET expires_at = 1 WHERE id = ${id}`])
    expect((await accept(text)).status).toBe(410)
    expect((await app.call('GET', `/invite?token=${text}`)).status).toBe(410)
    const second = await invite()
    expect((await app.call('DELETE', `${INVITES}/${second.id}`, { token })).status).toBe(204)
    expect((await accept(second.text)).status).toBe(404)
    expect((await app.call('DELETE', `${INVITES}/${second.id}`, { token })).status).toBe(404)
  })

  it.each([
    ['a password that is too short', { password: 'short' }],
    ['the address as password', { password: 'ada@example.com' }],
    ['no name', { name: ' ' }],
  ])('refuses %s', async (_, wrong) => {
    const { text } = await invite()
    const json = { token: text, name: 'Ada', password: PASSWORD, ...wrong }
    expect((await app.call('POST', '/api/auth/accept-invite', { json })).status).toBe(400)
    expect((await accept(text)).status).toBe(200)
  })
})

describe('the page of an invite', () => {
  it('is a form that needs no script, and takes what was typed', async () => {
    const { text } = await invite()
    const page = await app.call('GET', `/invite?token=${text}`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toMatch(
      /default-src 'none'; style-src 'sha256-/,
    )
    expect(page.text).toContain(ADA)
    expect(page.text).not.toContain('<script')
    const short = await acceptByForm({ token: text, name: '<b>Ada</b>', password: 'short' })
    expect(short.status).toBe(400)
    expect(short.text).toContain('at least 10')
    expect(short.text).toContain('value="&lt;b&gt;Ada&lt;/b&gt;"')
    const joined = await acceptByForm({ token: text, name: '<b>Ada</b>', password: PASSWORD })
    expect([joined.status, joined.headers.get('location')]).toEqual([303, `/ui/w/${WS}`])
    expect(joined.headers.get('set-cookie')).toContain('svc_session=svcs_')
  })

  it('lets an account sign in first, and then join by one button', async () => {
    await createUser(app.deps, { email: ADA, password: PASSWORD, isSuperAdmin: false })
    const { text } = await invite()
    const page = await app.call('GET', `/invite?token=${text}`)
    expect(page.text).toContain(`<a href="/invite?token=${text}&sign_in=1">`)
    const form = await app.call('GET', `/invite?token=${text}&sign_in=1`)
    expect(form.text).toContain('action="/api/auth/login"')
    expect(form.text).toContain(`name="next" value="/invite?token=${text}"`)
    const cookie = (await logIn(PASSWORD)).headers.get('set-cookie')?.split(';')[0] ?? ''
    const back = await app.call('GET', `/invite?token=${text}`, { headers: { cookie } })
    expect(back.text).not.toContain('type="password"')
    const joined = await acceptByForm({ token: text }, { cookie })
    expect([joined.status, joined.headers.get('location')]).toEqual([303, `/ui/w/${WS}`])
  })

  it('shows what is stored as text, never as markup', async () => {
    await app.deps.db.write([sql`UPDATE workspaces SET name = '<img>'`])
    const { text } = await invite("x'<script>@example.com")
    const page = await app.call('GET', `/invite?token=${text}`)
    expect(page.text).not.toContain('<script>')
    expect(page.text).toContain('&lt;script&gt;@example.com')
  })

  it('speaks Korean to a browser that asks for it, of what is wrong too', async () => {
    const headers = { 'accept-language': 'ko-KR,ko;q=0.9,en;q=0.8' }
    const { text } = await invite()
    const page = await app.call('GET', `/invite?token=${text}`, { headers })
    expect(page.text).toContain('<html lang="ko">')
    expect(page.text).toContain('참여하기')
    await createUser(app.deps, { email: ADA, password: PASSWORD, isSuperAdmin: false })
    const wrong = { token: text, name: 'Ada', password: 'another password' }
    const refused = await acceptByForm(wrong, headers)
    expect(refused.status).toBe(401)
    expect(refused.text).toContain('이 주소로 만든 계정이 있습니다')
    const cookie = (await logIn(PASSWORD)).headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await acceptByForm({ token: text }, { ...headers, cookie })).status).toBe(303)
    const ended = await app.call('GET', `/invite?token=${text}`, { headers })
    expect(ended.status).toBe(410)
    expect(ended.text).toContain('<a href="/ui/">로그인</a>')
  })

  it('leads on to the console when the invite was used, and stays an error for programs', async () => {
    const { text } = await invite()
    await accept(text)
    const again = await acceptByForm({ token: text, name: 'Ada', password: PASSWORD })
    expect(again.status).toBe(410)
    expect(again.text).toContain('<a href="/ui/">Sign in</a>')
    const headers = { accept: 'application/json' }
    const program = await app.call('GET', `/invite?token=${text}`, { headers })
    expect(program).toMatchObject({ status: 410, json: { code: 'invite_ended' } })
  })

  it('answers 404 to a text that is not an invite', async () => {
    expect((await app.call('GET', '/invite?token=nonsense')).status).toBe(404)
    expect((await app.call('GET', '/invite')).status).toBe(400)
  })
})
