/** The permission matrix: every route of the app against every kind of caller who must not pass. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { ALL_SCOPES } from '#core/access/scope.ts'
import type { Route } from '#http/route.ts'
import { revokeToken } from '#service/access/issue-token.ts'
import { issueApiKey, revokeApiKey } from '#service/customers/api-key.ts'
import { addMember } from '#service/people/manage-member.ts'
import { startSession } from '#service/people/start-session.ts'
import { createUser, createWorkspace } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  await createWorkspace(app.deps, { id: 'other', name: 'Other' })
  await createUser(app.deps, { email: 'ada@example.com', password: null, isSuperAdmin: false })
  await addMember(app.deps, { ws: WS, email: 'ada@example.com', role: 'member' })
})
afterAll(() => app.close())

/** A path that reaches the route. Nothing in it needs to exist, because the refusal comes first. */
const toPath = (route: Route): string =>
  route.path.replace('{ws}', WS).replaceAll(/\{\w+\}/g, '019abcde-0000-7000-8000-000000000000')

/** Routes that take API keys have their own tests below. */
const isGuarded = ({ admits: [scope] }: Route): boolean => scope !== 'public' && scope !== 'api_key'
const isWorkspaceRoute = ({ path }: Route): boolean => path.startsWith('/api/w/{ws}/')

const send = (route: Route, token?: string) =>
  app.call(route.method.toUpperCase(), toPath(route), token === undefined ? {} : { token })

describe('every route but the public ones and those of API keys', () => {
  it('is under a workspace with a scope, or takes any credential', () => {
    for (const route of app.routes.filter(isWorkspaceRoute)) {
      expect(`${route.path} ${route.admits[0]}`).not.toMatch(/ (public|any)$/)
    }
  })

  it('refuses a caller without a token, before it looks at anything else', async () => {
    for (const route of app.routes.filter(isGuarded)) {
      const answer = await send(route)
      expect(answer).toMatchObject({ status: 401, json: { code: 'unauthenticated' } })
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  it('refuses a token whose checksum is wrong', async () => {
    const text = await app.token(['*'])
    const mistyped = text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a')
    for (const route of app.routes.filter(isGuarded)) {
      expect(await send(route, mistyped)).toMatchObject({
        status: 401,
        json: { code: 'invalid_token' },
      })
    }
  })

  it('refuses a revoked token at once', async () => {
    const { text, token } = await app.issue(['*'])
    await revokeToken(app.deps, { ws: WS, id: token.id, actor: CLI_ACTOR })
    for (const route of app.routes.filter(isGuarded)) {
      const answer = await send(route, text)
      expect(answer).toMatchObject({ status: 401, json: { code: 'invalid_token' } })
      expect(answer.text).toContain('revoked')
    }
  })

  it('refuses an expired token', async () => {
    const { text, token } = await app.issue(['*'], { expiresInDays: 1 })
    await app.deps.db.write([sql`UPDATE tokens SET expires_at = 1 WHERE id = ${token.id}`])
    for (const route of app.routes.filter(isGuarded)) {
      const answer = await send(route, text)
      expect(answer.status).toBe(401)
      expect(answer.text).toContain('expired')
    }
  })

  it('refuses the token of another workspace, whatever it holds', async () => {
    const text = await app.token(['*'], { ws: 'other' })
    for (const route of app.routes.filter(isWorkspaceRoute)) {
      expect(await send(route, text)).toMatchObject({
        status: 403,
        json: { code: 'wrong_workspace' },
      })
    }
  })

  it('refuses a token that holds every scope but the one it needs', async () => {
    const tokens = new Map<string, string>()
    for (const route of app.routes.filter(isWorkspaceRoute)) {
      const [scope] = route.admits
      const others = ALL_SCOPES.filter((other) => other !== scope && other !== '*')
      const text = tokens.get(scope) ?? (await app.token(others))
      tokens.set(scope, text)
      const answer = await send(route, text)
      expect(answer).toMatchObject({ status: 403, json: { code: 'missing_scope' } })
      expect(answer.text).toContain(scope)
    }
  })

  it('refuses a token with an empty list of scopes', async () => {
    const text = await app.token([])
    for (const route of app.routes.filter(isWorkspaceRoute)) {
      expect(await send(route, text)).toMatchObject({ status: 403 })
    }
  })

  it('lets a token pass that holds exactly its scope', async () => {
    for (const route of app.routes.filter(isWorkspaceRoute)) {
      const [scope] = route.admits
      if (scope === 'public' || scope === 'any' || scope === 'instance' || scope === 'api_key')
        continue
      const { status } = await send(route, await app.token([scope]))
      expect([401, 403]).not.toContain(status)
    }
  })
})

describe('every route that takes API keys', () => {
  const routes = () => app.routes.filter(({ admits: [scope] }) => scope === 'api_key')

  it('is outside of workspaces: the key decides the workspace', () => {
    expect(routes().length).toBeGreaterThan(0)
    expect(routes().filter(isWorkspaceRoute)).toEqual([])
  })

  it('refuses a caller without a credential, and one with a cookie alone', async () => {
    const { text } = await startSession(app.deps, { email: ADMIN, address: null })
    const headers = { cookie: `svc_session=${text}`, 'sec-fetch-site': 'same-origin' }
    for (const route of routes()) {
      for (const request of [{}, { headers }]) {
        const answer = await app.call(route.method.toUpperCase(), toPath(route), request)
        expect(answer).toMatchObject({ status: 401, json: { code: 'unauthenticated' } })
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      }
    }
  })

  it('refuses every other credential, whatever it holds, and a mistyped or revoked key', async () => {
    const made = { ws: WS, name: 'relay', actor: CLI_ACTOR }
    const { text, key } = await issueApiKey(app.deps, made)
    const revoked = await issueApiKey(app.deps, made)
    await revokeApiKey(app.deps, { ws: WS, keyId: revoked.key.keyId, actor: CLI_ACTOR })
    const mistyped = text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a')
    const wrong = [await app.token(['*']), mistyped, revoked.text, key.keyId, `${key.keyId}.`]
    for (const route of routes()) {
      for (const token of wrong) {
        expect(await send(route, token)).toMatchObject({
          status: 401,
          json: { code: 'invalid_api_key' },
        })
      }
      expect((await send(route, text)).status).not.toBe(401)
    }
  })
})

describe('a token', () => {
  it('is worth nothing once its user is disabled', async () => {
    await createUser(app.deps, { email: 'bob@example.com', password: null, isSuperAdmin: false })
    await addMember(app.deps, { ws: WS, email: 'bob@example.com', role: 'admin' })
    const token = await app.token(['*'], { email: 'bob@example.com' })
    expect((await app.call('GET', '/api/auth/me', { token })).status).toBe(200)
    await app.deps.db.write([
      sql`UPDATE members SET disabled_at = 1 WHERE email = 'bob@example.com'`,
    ])
    expect((await app.call('GET', '/api/auth/me', { token })).status).toBe(401)
    await app.deps.db.write([
      sql`UPDATE members SET disabled_at = NULL WHERE email = 'bob@example.com'`,
    ])
    expect((await app.call('GET', '/api/auth/me', { token })).status).toBe(200)
    await app.deps.db.write([sql`UPDATE users SET disabled_at = 1 WHERE email = 'bob@example.com'`])
    expect((await app.call('GET', '/api/auth/me', { token })).status).toBe(401)
  })

  it('never widens the role of its user, not even with `*`', async () => {
    const token = await app.token(['*'], { email: 'ada@example.com', isAdmin: true })
    expect((await app.call('GET', `/api/w/${WS}/tokens`, { token })).status).toBe(200)
    const json = { label: 'more', scopes: [] }
    expect((await app.call('POST', `/api/w/${WS}/tokens`, { token, json })).status).toBe(403)
    const me = await app.call('GET', '/api/auth/me', { token })
    expect(me.json).toMatchObject({ super_admin: false })
    expect(me.text).not.toContain('"*"')
  })

  it('is answered with its scopes within the role of its owner, when they do not suffice', async () => {
    const token = await app.token(['apps:write', 'jobs:read'], { email: 'ada@example.com' })
    const json = { key: 'A', value: 'b' }
    const refused = await app.call('POST', `/api/w/${WS}/variables`, { token, json })
    expect(refused).toMatchObject({
      status: 403,
      json: {
        error:
          'This needs the scope variables:write, which the token does not hold. Within the role of its owner it holds jobs:read.',
      },
    })
    const none = await app.token(['variables:write'], { email: 'ada@example.com' })
    const bare = await app.call('POST', `/api/w/${WS}/variables`, { token: none, json })
    expect(bare.text).toContain('It holds none.')
  })

  it('may still call webhooks when a member holds it for that', async () => {
    const token = await app.token(['webhooks:invoke'], { email: 'ada@example.com' })
    expect((await app.call('GET', '/api/auth/me', { token })).json).toMatchObject({
      scopes: ['webhooks:invoke'],
    })
  })

  it('makes a super admin act as one only where it holds `*`', async () => {
    const all = await app.token(['*'])
    const some = await app.token(['jobs:read'])
    expect((await app.call('GET', '/api/auth/me', { token: all })).json).toEqual({
      kind: 'api_token',
      email: ADMIN,
      scopes: ['*'],
      workspace: WS,
      super_admin: true,
    })
    expect((await app.call('GET', '/api/auth/me', { token: some })).json).toMatchObject({
      super_admin: false,
    })
  })

  it('is read after `Bearer`, in any case, and from nowhere else', async () => {
    const token = await app.token(['*'])
    const me = (headers: Record<string, string>, query = '') =>
      app.call('GET', `/api/auth/me${query}`, { headers })
    expect((await me({ authorization: `bearer ${token}` })).status).toBe(200)
    expect((await me({ authorization: `Bearer  ${token}` })).status).toBe(200)
    for (const authorization of [
      token,
      `Basic ${token}`,
      'Bearer',
      'Bearer ',
      `Bearer ${token} ${token}`,
    ]) {
      expect((await me({ authorization })).status).toBe(401)
    }
    expect((await me({}, `?access_token=${token}`)).status).toBe(401)
    expect((await me({ 'x-api-key': token })).status).toBe(401)
  })
})
