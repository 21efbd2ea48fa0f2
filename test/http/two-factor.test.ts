/** Two-factor sign-in [access 22]: set-up, challenge, codes that count once, limits, recovery, reset. */
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { createTestApp, type TestApp } from '../support/create-test-app.ts'

const EMAIL = 'ada@example.com'
const PASSWORD = 'correct horse battery'
const PATH = '/api/auth/two-factor'
const STEP_MS = 30_000

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
  await createUser(app.deps, { email: EMAIL, password: PASSWORD, isSuperAdmin: false })
})
afterEach(() => app.close())

const logIn = (code?: string, headers: Record<string, string> = {}) =>
  app.call('POST', '/api/auth/login', {
    json: { email: EMAIL, password: PASSWORD, ...(code === undefined ? {} : { code }) },
    headers,
  })

const signIn = async (code?: string, headers: Record<string, string> = {}): Promise<string> => {
  const answer = await logIn(code, headers)
  expect(answer.status).toBe(200)
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

const call = (cookie: string, method: string, path: string, json?: unknown) =>
  app.call(method, path, {
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
    ...(json === undefined ? {} : { json }),
  })

/**
 * The code that the authenticator app shows the given number of intervals from
 * now. The server accepts those next to the current one.
 */
const codeAt = (secret: string, steps: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * STEP_MS,
  })

const offered = z.object({ secret: z.string(), uri: z.string() })
const confirmed = z.object({ recovery_codes: z.array(z.string()).length(10) })

/** Turns two-factor sign-in on with the code of the previous interval. */
const turnOn = async () => {
  const cookie = await signIn()
  const { secret, uri } = offered.parse(
    (await call(cookie, 'POST', PATH, { password: PASSWORD })).json,
  )
  const answer = await call(cookie, 'POST', `${PATH}/confirm`, { code: codeAt(secret, -1) })
  expect(answer.status).toBe(200)
  return { cookie, secret, uri, codes: confirmed.parse(answer.json).recovery_codes }
}

const auditOf = async (action: string): Promise<number> =>
  (
    await app.deps.db.all(
      sql`SELECT 1 FROM audit_log WHERE action = ${action} AND target = ${EMAIL}`,
    )
  ).length

describe('two-factor sign-in', () => {
  it('counts after a first code proved that the app has the secret, and ends other sessions', async () => {
    const other = await signIn()
    const cookie = await signIn()
    expect((await call(cookie, 'POST', PATH, { password: 'wrong' })).status).toBe(401)
    const { secret, uri } = offered.parse(
      (await call(cookie, 'POST', PATH, { password: PASSWORD })).json,
    )
    expect(uri).toContain(`secret=${secret}`)
    expect((await call(cookie, 'GET', PATH)).json).toEqual({
      enabled: false,
      recovery_codes_left: null,
      has_password: true,
    })
    expect((await call(cookie, 'POST', `${PATH}/confirm`, { code: '000000' })).status).toBe(401)
    expect((await logIn()).status).toBe(200)
    const answer = await call(cookie, 'POST', `${PATH}/confirm`, { code: codeAt(secret, 0) })
    expect(new Set(confirmed.parse(answer.json).recovery_codes).size).toBe(10)
    expect((await call(cookie, 'GET', PATH)).json).toEqual({
      enabled: true,
      recovery_codes_left: 10,
      has_password: true,
    })
    expect((await call(other, 'GET', '/api/auth/me')).status).toBe(401)
    expect((await call(cookie, 'POST', PATH, { password: PASSWORD })).json).toMatchObject({
      code: 'two_factor_on',
    })
    expect(await auditOf('two_factor.enabled')).toBe(1)
    const stored = JSON.stringify(await app.deps.db.all(sql`SELECT * FROM two_factors`))
    expect(stored).not.toContain(secret)
  })

  it('asks for a code after the right password alone, and takes each code once', async () => {
    const { secret } = await turnOn()
    expect((await logIn()).json).toMatchObject({ code: 'two_factor_required' })
    expect(
      (
        await app.call('POST', '/api/auth/login', {
          json: { email: EMAIL, password: 'wrong', code: codeAt(secret, 0) },
        })
      ).json,
    ).toMatchObject({ code: 'wrong_credentials' })
    // the code that turned it on
    expect((await logIn(codeAt(secret, -1))).json).toMatchObject({ code: 'wrong_code' })
    const both = await Promise.all([logIn(codeAt(secret, 0)), logIn(codeAt(secret, 0))])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect((await logIn(codeAt(secret, 0))).json).toMatchObject({ code: 'wrong_code' })
    await signIn(codeAt(secret, 1))
  })

  it('takes each recovery code once, as people type it, and records its use', async () => {
    const { cookie, codes } = await turnOn()
    const typed = ` ${codes[3]?.toUpperCase().replace('-', ' ')}`
    const both = await Promise.all([logIn(typed), logIn(typed)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect((await logIn(codes[3])).status).toBe(401)
    expect((await call(cookie, 'GET', PATH)).json).toMatchObject({ recovery_codes_left: 9 })
    expect(await auditOf('two_factor.recovery_code_used')).toBe(1)
  })

  it('refuses the sixth guess within a quarter of an hour, also a right one', async () => {
    const { secret } = await turnOn()
    for (let guess = 0; guess < 5; guess += 1)
      expect((await logIn(`00000${guess}`)).status).toBe(401)
    expect((await logIn(codeAt(secret, 0))).json).toMatchObject({ code: 'too_many_guesses' })
    // the password was right each time, so the limit does not apply to it
    expect((await logIn()).json).toMatchObject({ code: 'two_factor_required' })
  })

  it('is turned off by a code, by an operator, and goes with the account', async () => {
    const { cookie, secret, codes } = await turnOn()
    const off = (code: string) => call(cookie, 'POST', `${PATH}/disable`, { code })
    expect((await off('000000')).status).toBe(401)
    expect((await off(codeAt(secret, -1))).status).toBe(401)
    expect((await logIn()).status).toBe(401)
    expect((await off(codes[0] ?? '')).status).toBe(204)
    expect(await auditOf('two_factor.disabled')).toBe(1)
    expect((await off(codes[1] ?? '')).json).toMatchObject({ code: 'two_factor_off' })
    const again = await turnOn()
    const path = `/api/admin/users/${encodeURIComponent(EMAIL)}`
    expect((await call(again.cookie, 'DELETE', `${path}/two-factor`)).status).toBe(403)
    const token = await app.token(['*'], { isAdmin: true })
    expect((await app.call('DELETE', `${path}/two-factor`, { token })).status).toBe(204)
    expect(await auditOf('two_factor.reset')).toBe(1)
    await turnOn()
    expect((await app.call('DELETE', path, { token })).status).toBe(204)
    for (const table of [sql`two_factors`, sql`recovery_codes`]) {
      expect(await app.deps.db.all(sql`SELECT 1 FROM ${table} WHERE email = ${EMAIL}`)).toEqual([])
    }
  })

  it('asks on the form of hosted pages too', async () => {
    const { secret } = await turnOn()
    const send = (code?: string) =>
      app.call('POST', '/api/auth/login', {
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
        },
        body: new URLSearchParams({
          email: EMAIL,
          password: PASSWORD,
          next: '/device',
          ...(code === undefined ? {} : { code }),
        }).toString(),
      })
    const asked = await send()
    expect([asked.status, asked.text]).toEqual([401, expect.stringContaining('name="code"')])
    expect((await send(codeAt(secret, 0))).status).toBe(303)
  })
})

describe('a session', () => {
  it('names browser and system', async () => {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const cookie = await signIn(undefined, { 'user-agent': agent })
    const { json } = await call(cookie, 'GET', '/api/auth/sessions')
    expect(json).toMatchObject({ items: [{ device: 'Firefox, Linux', is_current: true }] })
  })
})
