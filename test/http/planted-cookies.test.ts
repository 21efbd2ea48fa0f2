/** Cookies that another host of the same domain has set in a person's browser, and whose session they open. */
import { afterEach, expect, it } from 'vitest'
import { readLinkCookie, readStateCookies, stateCookie } from '#http/admission/session-cookie.ts'
import { startSession } from '#service/people/start-session.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { createTestApp, type TestApp } from '../support/create-test-app.ts'

const PASSWORD = 'correct horse battery'
const SCRIPT = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
const BROWSER = { ...SCRIPT, 'sec-fetch-dest': 'empty' }

let app: TestApp
afterEach(() => app.close())

const MALLORY = 'mallory@example.com'

/** Starts svc at the address. @returns the cookie that Mallory plants */
const start = async (baseUrl: string): Promise<string> => {
  app = await createTestApp({ baseUrl })
  for (const email of [MALLORY, 'ada@example.com']) {
    await createUser(app.deps, { email, password: PASSWORD, isSuperAdmin: false })
  }
  return `svc_session=${(await startSession(app.deps, { email: MALLORY, address: null })).text}`
}

/** The cookies of a sign-in as a browser sends them back. */
const signIn = async (): Promise<readonly string[]> => {
  const json = { email: 'ada@example.com', password: PASSWORD }
  const { headers } = await app.call('POST', '/api/auth/login', { json })
  return headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
}

/** Whose session the cookies open; null for none. */
const opened = async (
  cookies: readonly string[],
  headers: Readonly<Record<string, string>> = BROWSER,
): Promise<unknown> => {
  const { status, json } = await app.call('GET', '/api/auth/me', {
    headers: { ...headers, cookie: cookies.join('; ') },
  })
  return status === 200 && json !== null && typeof json === 'object' && 'email' in json
    ? json.email
    : null
}

it('over https a browser has the session that svc itself has set, whatever else was planted', async () => {
  const planted = await start('https://svc.example.com')
  const own = await signIn()
  expect(own.map((cookie) => cookie.split('=')[0])).toEqual(['svc_session', '__Host-svc_session'])
  for (const cookies of [own, [planted, ...own], [...own, planted], [planted, own[1] ?? '']]) {
    expect(await opened(cookies)).toBe('ada@example.com')
  }
  for (const cookies of [[planted], [planted, own[0] ?? ''], [`__host-${planted}`]]) {
    expect(await opened(cookies)).toBeNull()
  }
})

it('over https a program may send the plain cookie alone', async () => {
  await start('https://svc.example.com')
  const [plain = ''] = await signIn()
  // Node's fetch sends a mode
  expect(await opened([plain], SCRIPT)).toBe('ada@example.com')
})

it('over https a sign-out deletes both cookies', async () => {
  await start('https://svc.example.com')
  const headers = { ...BROWSER, cookie: (await signIn()).join('; ') }
  const { headers: answered } = await app.call('POST', '/api/auth/logout', { headers })
  const deleted = answered.getSetCookie().filter((cookie) => cookie.includes('Max-Age=0'))
  const names = deleted.map((cookie) => cookie.split('=')[0])
  expect(names).toEqual(expect.arrayContaining(['svc_session', '__Host-svc_session']))
})

it('over http two sessions in one request open none, because either may be planted', async () => {
  const planted = await start('http://svc.example.com')
  const [own = ''] = await signIn()
  expect(await opened([own])).toBe('ada@example.com')
  expect(await opened([own, own])).toBe('ada@example.com')
  expect(await opened([planted, own])).toBeNull()
  expect(await opened([own, planted])).toBeNull()
})

it('over https a planted sign-in at a provider, or identity to link, counts for nothing', async () => {
  await start('https://svc.example.com')
  const facts = (cookie: string) => ({
    baseUrl: () => 'https://svc.example.com',
    header: (name: string) => (name === 'cookie' ? cookie : undefined),
  })
  expect(readStateCookies(facts('svc_oidc=planted; svc_oidc_2=planted'))).toEqual([])
  expect(readLinkCookie(facts('svc_oidc_link=planted'))).toBeNull()
  const own = stateCookie('svc_oidc', 'state', { isSecure: true })
  expect(own).toMatch(/^__Host-svc_oidc=state; .*Path=\/; .*Secure/)
  expect(readStateCookies(facts(own.split(';')[0] ?? ''))).toEqual([
    { name: 'svc_oidc', text: 'state' },
  ])
})
