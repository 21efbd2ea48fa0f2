/** Changes whose answer from the database is lost: they are made once, recorded once, and answered as if nothing had happened. */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createInvite } from '#service/people/invite.ts'
import { addMember } from '#service/people/manage-member.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { losingAnswers } from '../support/lost-answers.ts'
import { actorFor } from '../support/test-workspace.ts'

const PASSWORD = 'correct horse battery'
const NEXT_PASSWORD = 'another horse battery'

let app: TestApp
let token = ''
let isLosing = false
let people = 0
beforeAll(async () => {
  app = await createTestApp({ wrapDatabase: (db) => losingAnswers(db, () => isLosing) })
  token = await app.token(['*'], { isAdmin: true })
})
afterAll(() => app.close())

/** Sends a request whose writes all lose their answers. */
const send = async (method: string, path: string, more: Parameters<TestApp['call']>[2] = {}) => {
  isLosing = true
  return app.call(method, path, more).finally(() => {
    isLosing = false
  })
}
const countOf = async (action: string, target: string): Promise<number> => {
  const where = sql`action = ${action} AND target = ${target}`
  return (await app.deps.db.all(sql`SELECT 1 FROM audit_log WHERE ${where}`)).length
}
const addPerson = async (): Promise<string> => {
  people += 1
  const email = `person-${people}@example.com`
  await createUser(app.deps, { email, password: PASSWORD, isSuperAdmin: false })
  await addMember(app.deps, { ws: WS, email, role: 'member' })
  return email
}
const logIn = (email: string, password = PASSWORD) =>
  send('POST', '/api/auth/login', { json: { email, password } })
const asPerson = async (email: string) => {
  const answer = await logIn(email)
  expect(answer.status).toBe(200)
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  return (method: string, path: string, json: unknown) =>
    send(method, path, { headers: { cookie, 'sec-fetch-site': 'same-origin' }, json })
}

it('a right password does not count as a guess, however often it is sent', async () => {
  const email = await addPerson()
  for (let time = 0; time < 6; time += 1) expect(await logIn(email)).toMatchObject({ status: 200 })
})

it('the second factor shows its recovery codes, and is turned off', async () => {
  const email = await addPerson()
  const call = await asPerson(email)
  const offer = await call('POST', '/api/auth/two-factor', { password: PASSWORD })
  const { secret } = z.object({ secret: z.string() }).parse(offer.json)
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const answer = await call('POST', '/api/auth/two-factor/confirm', { code })
  const codes = z.object({ recovery_codes: z.array(z.string()).length(10) }).parse(answer.json)
  expect(await countOf('two_factor.enabled', email)).toBe(1)
  const [recovery] = codes.recovery_codes
  const off = await call('POST', '/api/auth/two-factor/disable', { code: recovery })
  expect(off.status).toBe(204)
  expect(await countOf('two_factor.disabled', email)).toBe(1)
})

it('a password is changed', async () => {
  const email = await addPerson()
  const call = await asPerson(email)
  const change = { current: PASSWORD, new: NEXT_PASSWORD }
  expect((await call('POST', '/api/auth/password', change)).status).toBe(204)
  expect(await countOf('password.changed', email)).toBe(1)
  expect((await logIn(email, NEXT_PASSWORD)).status).toBe(200)
})

it('a device is approved and gets its token', async () => {
  const email = await addPerson()
  const call = await asPerson(email)
  const begun = await app.call('POST', '/api/auth/device/code', { json: { client_id: 'svc-cli' } })
  const codes = z.object({ user_code: z.string(), device_code: z.string() })
  const { user_code, device_code } = codes.parse(begun.json)
  const decision = { user_code, workspace: WS, approve: true }
  const answer = await call('POST', '/api/auth/device/approve', decision)
  expect(answer).toMatchObject({ status: 200, json: { approved: true } })
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const poll = { json: { device_code, grant_type } }
  const given = await send('POST', '/api/auth/device/token', poll)
  expect(given).toMatchObject({ status: 200, json: { workspace: WS } })
})

it('an invite is accepted by a new account', async () => {
  const email = 'invited@example.com'
  const actor = actorFor(ADMIN)
  const { text, invite } = await createInvite(app.deps, { ws: WS, email, role: 'member', actor })
  const json = { token: text, name: 'Ada', password: PASSWORD }
  expect((await send('POST', '/api/auth/accept-invite', { json })).status).toBe(200)
  expect(await countOf('invite.accepted', invite.id)).toBe(1)
})

it.each([
  ['invites', 'invite', { email: 'open@example.com', role: 'member' }, null],
  ['git-sources', 'git_source', { name: 'shop', url: 'https://git.example.com/shop' }, null],
  [
    'schedules',
    'schedule',
    { app_key: 'shop', action_key: 'greet', cron: '0 9 * * *', input: {} },
    { cron: '0 10 * * *' },
  ],
] as const)('one of the %s is made, changed and deleted', async (path, noun, json, change) => {
  if (noun === 'schedule') await deployActions(app.deps, [{ ws: WS, app: 'shop', key: 'greet' }])
  const made = await send('POST', `/api/w/${WS}/${path}`, { token, json })
  expect(made.status).toBe(201)
  const { id } = z.object({ id: z.string() }).parse(made.json)
  const own = `/api/w/${WS}/${path}/${id}`
  if (change !== null) {
    const changed = await send('PATCH', own, { token, json: change })
    expect(changed).toMatchObject({ status: 200, json: change })
    expect(await countOf(`${noun}.changed`, id)).toBe(1)
  }
  expect((await send('DELETE', own, { token })).status).toBe(204)
  expect(await countOf(`${noun}.deleted`, id)).toBe(1)
})
