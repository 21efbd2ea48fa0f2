/** People and credentials of workspaces in further cells: accounts and sessions are at home, everything else is in the cell. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { withExistingDeps, withWorkspaceDeps } from '#node/with-deps.ts'
import { issueToken } from '#service/access/issue-token.ts'
import { removeUser } from '#service/people/remove-user.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { createRelay } from '../../sdk/relay.ts'
import { MATERIAL } from '../support/relay-caller.ts'
import {
  ADMIN_PASSWORD,
  type Answer,
  type Instance,
  openInstance,
  type Server,
  uploadTo,
} from './open-instance.ts'

const PERSON = 'ada@example.com'
const PASSWORD = 'another long password'

let instance: Instance
let server: Server
beforeAll(async () => {
  instance = await openInstance('files')
  server = instance.server
  await vi.waitFor(
    async () =>
      expect((await instance.request(`${server.url}/healthz`)).json).toMatchObject({
        cells: { eu: 'ok' },
      }),
    30_000,
  )
}, 240_000)
afterAll(() => instance.close())

const cookieOf = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? ''

const send = (path: string, json: unknown, cookie?: string): Promise<Answer> =>
  instance.request(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(cookie === undefined ? {} : { cookie, origin: server.url }),
    },
    body: JSON.stringify(json),
  })

const get = (path: string, cookie: string): Promise<Answer> =>
  instance.request(`${server.url}${path}`, { headers: { cookie } })

const logIn = (email: string, password: string): Promise<Answer> =>
  send('/api/auth/login', { email, password })

const eu = (method: string, path: string, json?: unknown) =>
  instance.call(server, 'eu', method, path, json)

const invite = async (email: string): Promise<string> => {
  const { json } = await eu('POST', '/members', { email, role: 'member' })
  const { url } = z.object({ invite: z.object({ url: z.string() }) }).parse(json).invite
  return new URL(url).searchParams.get('token') ?? ''
}

test('a session of a super admin opens every workspace, and lists them all', async () => {
  const answer = await logIn('admin@localhost', ADMIN_PASSWORD)
  expect(answer.json).toMatchObject({
    workspaces: [{ id: 'acme', role: 'admin' }, { id: 'bolt' }, { id: 'default' }],
  })
  const cookie = cookieOf(answer)
  for (const ws of ['acme', 'bolt', 'default']) {
    expect((await get(`/api/w/${ws}/jobs`, cookie)).status).toBe(200)
  }
})

test('a person without an account joins a workspace of a cell by an invite', async () => {
  const token = await invite(PERSON)
  const page = await instance.request(`${server.url}/invite?token=${token}`)
  expect(page.status).toBe(200)
  const joined = await send('/api/auth/accept-invite', { token, name: 'Ada', password: PASSWORD })
  expect(joined).toMatchObject({ status: 200, json: { workspace: 'acme', email: PERSON } })
  const cookie = cookieOf(joined)
  expect((await get('/api/w/acme/jobs', cookie)).status).toBe(200)
  expect((await get('/api/w/default/jobs', cookie)).status).toBe(403)
  expect((await get('/api/w/bolt/jobs', cookie)).status).toBe(403)
  expect((await eu('GET', '/members')).json).toMatchObject({
    items: [{ email: PERSON, name: 'Ada', role: 'member' }],
  })
  // the password is only at home
  const copies = await instance.read('eu', (db) =>
    db.all(sql`SELECT password_hash FROM users WHERE email = ${PERSON}`),
  )
  expect(copies).toEqual([{ password_hash: null }])
  expect(
    (await send('/api/auth/accept-invite', { token, name: 'A', password: PASSWORD })).status,
  ).toBe(410)
})

test('an account is disabled for its tokens of every cell at once, and enabled again', async () => {
  const { text: token } = await withWorkspaceDeps(instance.config, 'acme', ({ deps }) =>
    issueToken(deps, {
      ws: 'acme',
      email: PERSON,
      label: 'test',
      scopes: ['jobs:read'],
      isAdmin: false,
      expiresInDays: null,
      actor: CLI_ACTOR,
    }),
  )
  const read = async () =>
    (
      await instance.request(`${server.url}/api/w/acme/jobs`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status
  const change = (disabled: boolean) =>
    instance.request(`${server.url}/api/admin/users/${PERSON}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${instance.tokens.home}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ disabled }),
    })
  expect(await read()).toBe(200)
  expect((await change(true)).status).toBe(200)
  expect(await read()).toBe(401)
  expect((await logIn(PERSON, PASSWORD)).status).toBe(401)
  expect((await change(false)).status).toBe(200)
  expect(await read()).toBe(200)
})

test('the address of a removed account brings nothing back', async () => {
  await withExistingDeps(instance.config, (deps) =>
    removeUser(deps, { email: PERSON, actor: CLI_ACTOR }),
  )
  expect((await eu('GET', '/members')).json).toMatchObject({ items: [] })
  await withExistingDeps(instance.config, (deps) =>
    createUser(deps, { email: PERSON, password: PASSWORD, isSuperAdmin: false }),
  )
  const left = await instance.read('eu', (db) =>
    db.all(
      sql`SELECT email FROM members WHERE email = ${PERSON} UNION ALL SELECT email FROM tokens WHERE email = ${PERSON}`,
    ),
  )
  expect(left).toEqual([])
})

test('a shared job and a public form of a cell open by their links', async () => {
  const { json } = await eu('POST', '/jobs/run/crash/quick/wait', { id: 5 })
  const { job_id: id } = z.object({ job_id: z.string() }).parse(json)
  const shared = await eu('POST', `/jobs/${id}/view-tokens`, {})
  expect(shared.status, JSON.stringify(shared.json)).toBe(201)
  const { token } = z.object({ token: z.string() }).parse(shared.json)
  expect(await instance.request(`${server.url}/api/public/jobs/${token}/result`)).toMatchObject({
    status: 200,
    json: { status: 'success', result: { id: 5 } },
  })
  const link = await eu('POST', '/flow-links/crash/short', {})
  expect(link.status, JSON.stringify(link.json)).toBe(201)
  const { url } = z.object({ url: z.string() }).parse(link.json)
  expect((await instance.request(url)).status).toBe(200)
  const started = await send(url.slice(server.url.length), {})
  expect(started.status, JSON.stringify(started.json)).toBe(201)
  const { status_url: statusUrl } = z.object({ status_url: z.string() }).parse(started.json)
  await vi.waitFor(
    async () =>
      expect(
        await instance.request(statusUrl, { headers: { accept: 'application/json' } }),
      ).toMatchObject({ status: 200, json: { status: 'completed' } }),
    { timeout: 30_000, interval: 200 },
  )
})

test('a phone with an API key of a cell gets its certificate, by long poll and by WebSocket', async () => {
  const made = await eu('POST', '/api-keys', { name: 'phone' })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  const { key_id: id, key } = z.object({ key_id: z.string(), key: z.string() }).parse(made.json)
  const relay = createRelay({ url: server.url, apiKey: key })
  const polled = await relay.createSession()
  const waits = polled.waitForImport()
  expect((await uploadTo(server, polled.code)).status).toBe(200)
  expect(await waits).toEqual({ kind: 'success', certId: polled.certId, ...MATERIAL })

  const followed = await relay.createSession()
  const address = `${server.url.replace('http', 'ws')}/v2/certificates/session/${followed.certId}/ws`
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${key}` } })
  const messages: unknown[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await vi.waitFor(() => expect(messages).toMatchObject([{ status: 'waiting' }]), 20_000)
  expect((await uploadTo(server, followed.code)).status).toBe(200)
  await vi.waitFor(() => expect(messages.at(-1)).toMatchObject(MATERIAL), 20_000)

  const refused = await relay.createSession()
  expect((await eu('DELETE', `/api-keys/${id}`)).status).toBeLessThan(300)
  const { status } = await send('/v2/certificates/resolve', { code: refused.code })
  expect(status).toBe(404)
  await expect(refused.waitForImport()).rejects.toMatchObject({ status: 401 })
})

test('what people do in a workspace is on record in its cell', async () => {
  const { json } = await eu('GET', '/audit?limit=100')
  const actions = z
    .object({ items: z.array(z.object({ action: z.string() })) })
    .parse(json)
    .items.map(({ action }) => action)
  expect(actions).toContain('invite.accepted')
  const home = await instance.read('home', (db) =>
    db.all(sql`SELECT 1 FROM audit_log WHERE ws = 'acme'`),
  )
  expect(home).toEqual([])
})
