/**
 * A person becomes a member only by accepting, signed in with the address [access 9]. The cases are those of an attacker
 * who made an account with another person's address.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { addMember } from '#service/people/manage-member.ts'
import { startSession } from '#service/people/start-session.ts'
import { createUser, createWorkspace } from '#service/workspaces/create-workspace.ts'
import { ADMIN, createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

const CFO = 'cfo@bigcorp.test'
const SQUATTER_PASSWORD = 'password of the squatter'
const MINE = 'mallory'
const VICTIM = 'bigcorp'

const inviteShape = z.object({ id: z.uuid(), url: z.url(), expires_at: z.iso.datetime() })

let app: TestApp
let tokens: Readonly<Record<string, string>> = {}
beforeEach(async () => {
  app = await createTestApp({ baseUrl: 'https://svc.example.com' })
  await createWorkspace(app.deps, { id: MINE, name: 'Mallory' })
  await createWorkspace(app.deps, { id: VICTIM, name: 'Bigcorp' })
  const made: Record<string, string> = {}
  for (const ws of [MINE, VICTIM]) {
    const email = `admin@${ws}.test`
    await createUser(app.deps, { email, password: null, isSuperAdmin: false })
    await addMember(app.deps, { ws, email, role: 'admin' })
    made[ws] = await app.token(['*'], { ws, email, isAdmin: true })
  }
  tokens = made
})
afterEach(() => app.close())

const add = (ws: string, email: string) =>
  app.call('POST', `/api/w/${ws}/members`, {
    token: tokens[ws] ?? '',
    json: { email, role: 'admin' },
  })

/** @returns the text in the link */
const invite = async (ws: string, email: string): Promise<string> => {
  const answer = await add(ws, email)
  expect(answer.status).toBe(201)
  const { invite: made } = z.strictObject({ invite: inviteShape }).parse(answer.json)
  return new URL(made.url).searchParams.get('token') ?? ''
}

const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }

const accept = (json: unknown, cookie?: string, headers: Record<string, string> = OWN_PAGE) =>
  app.call('POST', '/api/auth/accept-invite', {
    json,
    headers: cookie === undefined ? headers : { ...headers, cookie },
  })

const cookieOf = async (email: string): Promise<string> =>
  `svc_session=${(await startSession(app.deps, { email, address: null })).text}`

const statusIn = async (ws: string, cookie: string): Promise<number> =>
  (await app.call('GET', `/api/w/${ws}/jobs`, { headers: { cookie } })).status

/** Mallory invites the address into his own workspace and accepts it himself. @returns the cookie */
const squat = async (): Promise<string> => {
  const token = await invite(MINE, CFO)
  const answer = await accept({ token, name: 'Not the CFO', password: SQUATTER_PASSWORD })
  expect(answer.status).toBe(200)
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

describe('an address that another person has taken', () => {
  it('does not become a member of another workspace because its admin adds it', async () => {
    const squatter = await squat()
    await invite(VICTIM, CFO)
    expect(await statusIn(MINE, squatter)).toBe(200)
    expect(await statusIn(VICTIM, squatter)).toBe(403)
    const again = await app.call('POST', '/api/auth/login', {
      json: { email: CFO, password: SQUATTER_PASSWORD },
    })
    expect(again.json).toMatchObject({ workspaces: [{ id: MINE }] })
    const members = await app.call('GET', `/api/w/${VICTIM}/members`, {
      token: tokens[VICTIM] ?? '',
    })
    expect(members.text).not.toContain(CFO)
  })

  it('is not opened by the link: the password of an account stays, and the link alone is 401', async () => {
    await squat()
    const token = await invite(VICTIM, CFO)
    for (const json of [
      { token },
      { token, name: 'The CFO', password: 'password of the owner' },
      { token, name: 'The CFO', password: SQUATTER_PASSWORD },
    ]) {
      expect(await accept(json)).toMatchObject({ status: 401, json: { code: 'sign_in_first' } })
    }
    const login = (password: string) =>
      app.call('POST', '/api/auth/login', { json: { email: CFO, password } })
    expect((await login('password of the owner')).status).toBe(401)
    expect((await login(SQUATTER_PASSWORD)).status).toBe(200)
  })

  it('is made a member by no operator either, once an invite elsewhere has made the account', async () => {
    await squat()
    await expect(
      addMember(app.deps, { ws: VICTIM, email: CFO, role: 'member' }),
    ).rejects.toMatchObject({ code: 'unproven_address' })
  })

  it('is given back to its owner: a super admin removes the account, and the link makes a new one', async () => {
    const squatter = await squat()
    const stolen = await app.token(['*'], { ws: MINE, email: CFO })
    const token = await invite(VICTIM, CFO)
    const root = await app.token(['*'])
    const users = await app.call('GET', '/api/admin/users', { token: root })
    expect(users.text).toContain(
      `"email":"${CFO}","super_admin":false,"disabled":false,"invited_by":"${MINE}"`,
    )
    const remove = () => app.call('DELETE', `/api/admin/users/${CFO}`, { token: root })
    expect((await remove()).status).toBe(204)
    expect(await remove()).toMatchObject({ status: 404, json: { code: 'user_not_found' } })
    expect(await statusIn(MINE, squatter)).toBe(401)
    const owner = await accept({ token, name: 'The CFO', password: 'password of the owner' })
    expect(owner.status).toBe(200)
    const cookie = owner.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await statusIn(VICTIM, cookie)).toBe(200)
    expect(await statusIn(MINE, cookie)).toBe(403)
    // no session and no token of the former account works again
    expect(await statusIn(MINE, squatter)).toBe(401)
    expect((await app.call('GET', '/api/auth/me', { token: stolen })).status).toBe(401)
  })
})

describe('POST /members', () => {
  it('answers the same to a known, an unknown and a super admin’s address, and enrols none of them', async () => {
    await createUser(app.deps, { email: 'known@x.test', password: null, isSuperAdmin: false })
    const bodies: unknown[] = []
    for (const email of ['known@x.test', 'nobody@x.test', ADMIN]) {
      const answer = await add(VICTIM, email)
      expect(answer.status).toBe(201)
      bodies.push(z.strictObject({ invite: z.strictObject(inviteShape.shape) }).parse(answer.json))
    }
    expect(bodies).toHaveLength(3)
    const members = await app.call('GET', `/api/w/${VICTIM}/members`, {
      token: tokens[VICTIM] ?? '',
    })
    expect(members.json).toMatchObject({ items: [{ email: `admin@${VICTIM}.test` }] })
  })

  it.each(['members', 'invites'])(
    'is 409 for a member, disabled or not, as POST /%s is',
    async (path) => {
      const email = 'ada@x.test'
      await createUser(app.deps, { email, password: null, isSuperAdmin: false })
      await addMember(app.deps, { ws: VICTIM, email, role: 'member' })
      const token = tokens[VICTIM] ?? ''
      const post = () =>
        app.call('POST', `/api/w/${VICTIM}/${path}`, { token, json: { email, role: 'admin' } })
      expect(await post()).toMatchObject({ status: 409, json: { code: 'member_exists' } })
      await app.call('PATCH', `/api/w/${VICTIM}/members/${email}`, {
        token,
        json: { disabled: true },
      })
      expect(await post()).toMatchObject({
        status: 409,
        json: { code: 'member_exists', error: expect.stringContaining('disabled. An admin') },
      })
    },
  )
})

describe('an account that exists', () => {
  const email = 'ada@x.test'
  beforeEach(() => createUser(app.deps, { email, password: null, isSuperAdmin: false }))

  it('joins with its own session, and keeps it', async () => {
    const token = await invite(VICTIM, email)
    const cookie = await cookieOf(email)
    const answer = await accept({ token }, cookie)
    expect(answer).toMatchObject({ status: 200, json: { workspace: VICTIM, email } })
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await statusIn(VICTIM, cookie)).toBe(200)
    expect(await accept({ token }, cookie)).toMatchObject({ status: 410 })
  })

  it('is not joined by the session of another, a bearer token or a page elsewhere', async () => {
    const token = await invite(VICTIM, email)
    const other = await cookieOf(`admin@${MINE}.test`)
    expect(await accept({ token }, other)).toMatchObject({
      status: 403,
      json: { code: 'wrong_account' },
    })
    const bearer = await app.token(['*'])
    const json = { token }
    expect(
      await app.call('POST', '/api/auth/accept-invite', { token: bearer, json }),
    ).toMatchObject({ status: 401, json: { code: 'sign_in_first' } })
    const own = await cookieOf(email)
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.test' },
    ]) {
      expect(await accept({ token }, own, headers)).toMatchObject({
        status: 403,
        json: { code: 'cross_site' },
      })
    }
    expect(await statusIn(VICTIM, own)).toBe(403)
  })

  it('cannot lift its own suspension by a second invite', async () => {
    const [first, second] = [await invite(VICTIM, email), await invite(VICTIM, email)]
    const cookie = await cookieOf(email)
    expect((await accept({ token: first }, cookie)).status).toBe(200)
    const token = tokens[VICTIM] ?? ''
    const path = `/api/w/${VICTIM}/members/${email}`
    await app.call('PATCH', path, { token, json: { role: 'member', disabled: true } })
    expect(await accept({ token: second }, cookie)).toMatchObject({
      status: 409,
      json: { code: 'member_exists' },
    })
    expect(await statusIn(VICTIM, cookie)).toBe(403)
  })

  it('that was removed needs a new invite, and its old tokens stay dead', async () => {
    const spare = await invite(VICTIM, email)
    const cookie = await cookieOf(email)
    await accept({ token: await invite(VICTIM, email) }, cookie)
    const old = await app.token(['*'], { ws: VICTIM, email })
    const path = `/api/w/${VICTIM}/members/${email}`
    expect((await app.call('DELETE', path, { token: tokens[VICTIM] ?? '' })).status).toBe(204)
    expect((await accept({ token: spare }, cookie)).status).toBe(404)
    expect((await accept({ token: await invite(VICTIM, email) }, cookie)).status).toBe(200)
    expect((await app.call('GET', '/api/auth/me', { token: old })).status).toBe(401)
  })
})

describe('a link', () => {
  it('does not tell its maker whether the address has an account', async () => {
    await createUser(app.deps, { email: 'known@x.test', password: null, isSuperAdmin: false })
    const probe = async (email: string) => {
      const token = await invite(VICTIM, email)
      const page = await app.call('GET', `/invite?token=${token}`)
      const tries = [
        await accept({ token }),
        await accept({ token, name: 'x', password: 'short' }),
        await accept({ token, name: 'x' }),
      ]
      const shown = [page, ...tries].map(({ status, text }) =>
        `${status} ${text}`
          .replaceAll(email, '<address>')
          .replaceAll(token, '<token>')
          .replaceAll(/"request_id":"[^"]+"/g, ''),
      )
      return shown
    }
    expect(await probe('known@x.test')).toEqual(await probe('nobody@x.test'))
  })
})

describe('the removal of an account', () => {
  it('is for super admins, and never takes themselves or the last one', async () => {
    const root = await app.token(['*'])
    const remove = (token: string, email: string) =>
      app.call('DELETE', `/api/admin/users/${encodeURIComponent(email)}`, { token })
    expect((await remove(tokens[MINE] ?? '', CFO)).status).toBe(403)
    expect(await remove(root, ADMIN)).toMatchObject({ status: 409, json: { code: 'own_account' } })
    await createUser(app.deps, { email: 'root@x.test', password: null, isSuperAdmin: true })
    expect((await remove(root, 'root@x.test')).status).toBe(204)
    expect((await app.call('GET', `/api/w/${WS}/jobs`, { token: root })).status).toBe(200)
  })
})
