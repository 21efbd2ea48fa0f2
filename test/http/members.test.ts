/** Members and workspace settings as admins see them [access 9]. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addMember } from '#service/people/manage-member.ts'
import { startSession } from '#service/people/start-session.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { ADMIN, createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const ADA = 'ada@example.com'

let app: TestApp
let token = ''
beforeEach(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
  await createUser(app.deps, { email: ADA, password: null, isSuperAdmin: false })
})
afterEach(() => app.close())

const MEMBERS = `/api/w/${WS}/members`
const list = () => app.call('GET', MEMBERS, { token })
const post = (json: unknown) => app.call('POST', MEMBERS, { token, json })
const add = (json: { email: string; role: 'member' | 'admin' }) =>
  addMember(app.deps, { ws: WS, ...json })
const change = (email: string, json: unknown) =>
  app.call('PATCH', `${MEMBERS}/${encodeURIComponent(email)}`, { token, json })
const remove = (email: string) =>
  app.call('DELETE', `${MEMBERS}/${encodeURIComponent(email)}`, { token })

describe('members', () => {
  it('are added, listed, changed and removed', async () => {
    await add({ email: 'ADA@Example.com', role: 'member' })
    expect((await list()).json).toMatchObject({
      items: [
        { email: ADA, role: 'member' },
        { email: ADMIN, role: 'admin' },
      ],
      pagination: { next_cursor: null },
    })
    expect((await change(ADA, { role: 'admin' })).json).toMatchObject({ role: 'admin' })
    expect((await remove(ADA)).status).toBe(204)
    expect((await remove(ADA)).status).toBe(404)
  })

  it('page by address', async () => {
    await add({ email: ADA, role: 'member' })
    const first = await app.call('GET', `${MEMBERS}?limit=1`, { token })
    expect(first.json).toMatchObject({ items: [{ email: ADA }] })
    const { pagination } = JSON.parse(first.text)
    const next = await app.call('GET', `${MEMBERS}?limit=1&cursor=${pagination.next_cursor}`, {
      token,
    })
    expect(next.json).toMatchObject({ items: [{ email: ADMIN }] })
  })

  it('are members once, by address', async () => {
    expect((await post({ email: 'nobody@example.com', role: 'member' })).status).toBe(201)
    await add({ email: ADA, role: 'member' })
    expect((await post({ email: ' Ada@example.com', role: 'admin' })).status).toBe(409)
    expect((await post({ email: ADA, role: 'owner' })).status).toBe(400)
    expect((await change('nobody@example.com', { role: 'admin' })).status).toBe(404)
  })

  it('that are disabled lose every session and token here at once, and get them back', async () => {
    await add({ email: ADA, role: 'admin' })
    const own = await app.token(['jobs:read'], { email: ADA })
    const { text } = await startSession(app.deps, { email: ADA, address: null })
    const byToken = async () => (await app.call('GET', `/api/w/${WS}/jobs`, { token: own })).status
    const bySession = async () => {
      const headers = { cookie: `svc_session=${text}` }
      return (await app.call('GET', `/api/w/${WS}/jobs`, { headers })).status
    }
    expect([await byToken(), await bySession()]).toEqual([200, 200])
    expect((await change(ADA, { disabled: true })).json).toMatchObject({ disabled: true })
    expect([await byToken(), await bySession()]).toEqual([401, 403])
    expect((await change(ADA, { disabled: false })).json).toMatchObject({ disabled: false })
    expect([await byToken(), await bySession()]).toEqual([200, 200])
  })

  it('never leave a workspace without an admin, also when two leave at once', async () => {
    for (const answer of [
      await change(ADMIN, { role: 'member' }),
      await change(ADMIN, { disabled: true }),
      await remove(ADMIN),
    ]) {
      expect(answer).toMatchObject({ status: 409, json: { code: 'last_admin' } })
    }
    await add({ email: ADA, role: 'admin' })
    const answers = await Promise.all([remove(ADA), change(ADMIN, { role: 'member' })])
    expect(answers.map(({ status }) => status).toSorted()).toContain(409)
  })

  it('with the role member may read, and change no member', async () => {
    await addMember(app.deps, { ws: WS, email: ADA, role: 'member' })
    const own = await app.token(['*'], { email: ADA })
    expect((await app.call('GET', MEMBERS, { token: own })).status).toBe(200)
    const json = { role: 'admin' }
    const answer = await app.call('PATCH', `${MEMBERS}/${ADA}`, { token: own, json })
    expect(answer).toMatchObject({ status: 403, json: { code: 'missing_scope' } })
  })
})

describe('the workspace', () => {
  const PATH = `/api/w/${WS}/workspace`

  it('shows and takes its settings; what is left out stays', async () => {
    await deployActions(app.deps, [{ ws: WS, app: 'alerts', key: 'notify' }])
    expect((await app.call('GET', PATH, { token })).json).toMatchObject({
      id: WS,
      default_tag: 'default',
      error_handler: null,
    })
    const json = { name: 'Main', error_handler: 'alerts/notify' }
    expect((await app.call('PATCH', PATH, { token, json })).json).toMatchObject({
      name: 'Main',
      default_tag: 'default',
      error_handler: 'alerts/notify',
    })
    const cleared = await app.call('PATCH', PATH, { token, json: { error_handler: null } })
    expect(cleared.json).toMatchObject({ name: 'Main', error_handler: null })
  })

  it('hides unused sections of the console, for all members', async () => {
    const hidden_sections = ['billing', 'parser']
    const change = (json: unknown) => app.call('PATCH', PATH, { token, json })
    // in the order of the side bar, without duplicates
    const shown = { hidden_sections: ['parser', 'billing'] }
    expect((await change({ hidden_sections })).json).toMatchObject(shown)
    expect((await change({ name: 'Main' })).json).toMatchObject(shown)
    const own = await app.call('GET', `/api/w/${WS}/whoami`, { token })
    expect(own.json).toMatchObject(shown)
    expect((await change({ hidden_sections: ['jobs'] })).status).toBe(400)
    expect((await change({ hidden_sections: [] })).json).toMatchObject({ hidden_sections: [] })
  })

  it('sends jobs whose action names no tag to its default tag', async () => {
    await deployActions(app.deps, [{ ws: WS, app: 'hello', key: 'greet' }])
    await app.call('PATCH', PATH, { token, json: { default_tag: 'gpu' } })
    const run = await app.call('POST', `/api/w/${WS}/jobs/run/hello/greet`, { token, json: {} })
    const { job_id } = JSON.parse(run.text)
    const job = await app.call('GET', `/api/w/${WS}/jobs/${job_id}`, { token })
    expect(job.json).toMatchObject({ tag: 'gpu' })
  })

  it.each([{ default_tag: 'a b' }, { error_handler: 'nothing' }, { name: '' }, { id: 'other' }])(
    'refuses %j',
    async (json) => {
      expect((await app.call('PATCH', PATH, { token, json })).status).toBe(400)
    },
  )

  it('refuses an error handler that is not there', async () => {
    const json = { error_handler: 'alerts/gone' }
    expect((await app.call('PATCH', PATH, { token, json })).status).toBe(404)
  })
})

describe('instance routes', () => {
  it('make and list workspaces, for a super admin alone', async () => {
    const made = await app.call('POST', '/api/admin/workspaces', {
      token,
      json: { id: 'research', name: 'Research' },
    })
    expect(made).toMatchObject({ status: 201, json: { id: 'research', default_tag: 'default' } })
    expect((await app.call('GET', '/api/admin/workspaces', { token })).text).toContain('research')
    const again = { token, json: { id: 'research', name: 'x' } }
    expect((await app.call('POST', '/api/admin/workspaces', again)).status).toBe(409)
    const bad = { token, json: { id: 'No Good', name: 'x' } }
    expect((await app.call('POST', '/api/admin/workspaces', bad)).status).toBe(400)
    await addMember(app.deps, { ws: WS, email: ADA, role: 'admin' })
    const admin = await app.token(['*'], { email: ADA, isAdmin: true })
    const refused = await app.call('GET', '/api/admin/workspaces', { token: admin })
    expect(refused).toMatchObject({ status: 403, json: { code: 'super_admin_only' } })
  })

  it('limit how many jobs of a workspace run at once, on record', async () => {
    const set = (json: unknown, by = token) =>
      app.call('PATCH', `/api/admin/workspaces/${WS}`, { token: by, json })
    expect(await set({ max_running: 2 })).toMatchObject({ status: 200, json: { max_running: 2 } })
    expect(await set({ max_running: 0 })).toMatchObject({ json: { max_running: 0 } })
    // the same value again: there is nothing to record
    await set({ max_running: 0 })
    expect(await set({ max_running: null })).toMatchObject({ json: { max_running: null } })
    for (const bad of [-1, 1.5, '2', 1e9])
      expect((await set({ max_running: bad })).status).toBe(400)
    await addMember(app.deps, { ws: WS, email: ADA, role: 'admin' })
    const admin = await app.token(['*'], { email: ADA, isAdmin: true })
    expect(await set({ max_running: 9 }, admin)).toMatchObject({ status: 403 })
    const { text } = await app.call('GET', `/api/w/${WS}/audit`, { token })
    const targets = [...text.matchAll(/workspace\.max_running_set","target":"([^"]+)"/g)]
    expect(targets.map(([, target]) => target)).toEqual([`${WS} instance`, `${WS} 0`, `${WS} 2`])
  })

  it('list accounts, and close one everywhere at once', async () => {
    await addMember(app.deps, { ws: WS, email: ADA, role: 'admin' })
    const own = await app.token(['jobs:read'], { email: ADA })
    const close = (email: string, disabled: boolean) =>
      app.call('PATCH', `/api/admin/users/${encodeURIComponent(email)}`, {
        token,
        json: { disabled },
      })
    expect(await close(ADA, true)).toMatchObject({ status: 200, json: { disabled: true } })
    expect((await app.call('GET', `/api/w/${WS}/jobs`, { token: own })).status).toBe(401)
    const list = await app.call('GET', '/api/admin/users', { token })
    expect(list.json).toMatchObject({
      items: [
        { email: ADA, disabled: true, super_admin: false },
        { email: ADMIN, disabled: false, super_admin: true },
      ],
    })
    expect((await close(ADA, false)).json).toMatchObject({ disabled: false })
    expect((await close(ADMIN, true)).status).toBe(409)
    expect((await close('nobody@example.com', true)).status).toBe(404)
  })
})
