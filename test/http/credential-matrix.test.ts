/**
 * The matrix of routes and credentials. Its rows are the routes of the app, so a new route is included automatically. Its
 * columns are all kinds of credentials. A cell states the expected outcome at the endpoint [access 3]: the code of the
 * refusal, or `pass`. The purpose of a route is in scope-table.test.ts, where a new route needs a line.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { ALL_SCOPES, type GrantedScope, isGrantedScope, scopesOfRole } from '#core/access/scope.ts'
import { makeTokenText, TOKEN_RANDOM_BYTES } from '#core/access/token-text.ts'
import { admitsCustomers } from '#http/endpoint.ts'
import type { Route } from '#http/route.ts'
import { authenticateSession } from '#service/access/authenticate-session.ts'
import { revokeToken } from '#service/access/issue-token.ts'
import { issueApiKey } from '#service/customers/api-key.ts'
import { createConsumer, issueConsumerKey } from '#service/customers/manage-consumer.ts'
import { issueFlowLink } from '#service/flows/public-link.ts'
import {
  decideDeviceLogin,
  pollDeviceLogin,
  startDeviceLogin,
} from '#service/people/device-login.ts'
import { addMember } from '#service/people/manage-member.ts'
import { startSession } from '#service/people/start-session.ts'
import { issueViewToken } from '#service/share-job.ts'
import { createUser, createWorkspace } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'
import { insertJobs } from '../support/insert-job.ts'

const OTHER = 'other'
const MEMBER = 'member@example.com'
const WS_ADMIN = 'admin@example.com'
const STRANGER = 'stranger@example.com'
const DISABLED = 'disabled@example.com'
const NO_SUCH_ID = '019abcde-0000-7000-8000-000000000000'

/** Codes that only the authentication of a request produces. */
const REFUSALS = [
  'unauthenticated',
  'invalid_token',
  'invalid_api_key',
  'session_ended',
  'wrong_workspace',
  'missing_scope',
  'customer_key',
  'super_admin_only',
  'cross_site',
]

type Verdict = 'pass' | (typeof REFUSALS)[number]
type Credential = Readonly<{
  headers: (route: Route) => Promise<Readonly<Record<string, string>>>
  verdict: (route: Route) => Verdict
}>

let app: TestApp
let deploymentId = ''
beforeAll(async () => {
  app = await createTestApp()
  await createWorkspace(app.deps, { id: OTHER, name: 'Other' })
  deploymentId = await deployActions(
    app.deps,
    [{ ws: WS, app: 'hello', key: 'greet' }],
    [{ key: 'order', steps: [{ key: 'one', action: 'greet' }] }],
  )
  for (const [email, ws, role] of [
    [MEMBER, WS, 'member'],
    [WS_ADMIN, WS, 'admin'],
    [STRANGER, OTHER, 'admin'],
    [DISABLED, WS, 'admin'],
  ] as const) {
    await createUser(app.deps, { email, password: null, isSuperAdmin: false })
    await addMember(app.deps, { ws, email, role })
  }
})
afterAll(() => app.close())

const isInWorkspace = ({ path }: Route): boolean =>
  path.startsWith('/api/w/{ws}') || path === '/mcp/{ws}'

/** Its handler requires a scope from tokens, but not from sessions. */
const isWorkspaceList = ({ path }: Route): boolean => path === '/api/auth/workspaces'

/** A credential that passes at public endpoints only. */
const refused =
  (code: Verdict, apiKeyCode: Verdict = 'invalid_api_key') =>
  ({ admits: [scope] }: Route): Verdict =>
    scope === 'public' ? 'pass' : scope === 'api_key' ? apiKeyCode : code

type Holder = Readonly<{ isSuperAdmin?: boolean; isSession?: boolean }>

const holds = (scopes: readonly GrantedScope[], needed: GrantedScope): boolean =>
  scopes.some((one) => one === '*' || one === needed)

/** A credential that passes where these scopes suffice in the workspace. */
const byScopes =
  (scopes: readonly GrantedScope[], { isSuperAdmin = false, isSession = false }: Holder = {}) =>
  (route: Route): Verdict => {
    const [scope] = route.admits
    if (scope === 'public' || scope === 'api_key') {
      return refused('pass', isSession ? 'unauthenticated' : 'invalid_api_key')(route)
    }
    if (scope === 'instance') {
      return isSuperAdmin && holds(scopes, '*') ? 'pass' : 'super_admin_only'
    }
    const needed = isWorkspaceList(route) && !isSession ? 'workspace:read' : scope
    return needed === 'any' || holds(scopes, needed) ? 'pass' : 'missing_scope'
  }

const MEMBER_SCOPES = scopesOfRole('member')
const MEMBER_TOKEN_SCOPES: readonly GrantedScope[] = [...MEMBER_SCOPES, 'webhooks:invoke']

const bearer = (make: (route: Route) => Promise<string>): Credential['headers'] => {
  let known: string | null = null
  return async (route) => {
    // the logout ends the credential that it is sent with, so it gets its own
    if (route.path === '/api/auth/logout') return { authorization: `Bearer ${await make(route)}` }
    known ??= await make(route)
    return { authorization: `Bearer ${known}` }
  }
}
const tokenOf = (scopes: readonly GrantedScope[], email = ADMIN, ws = WS): Credential['headers'] =>
  bearer(() => app.token(scopes, { email, ws, isAdmin: true }))

const sessionOf = (email: string): Credential['headers'] => {
  const cookie = async () =>
    `svc_session=${(await startSession(app.deps, { email, address: null })).text}`
  let known: string | null = null
  return async (route) => {
    known ??= await cookie()
    const own = route.path === '/api/auth/logout' ? await cookie() : known
    return { cookie: own, 'sec-fetch-site': 'same-origin' }
  }
}

const deviceToken = async (): Promise<string> => {
  const { deviceCode, userCode } = await startDeviceLogin(app.deps)
  const { text } = await startSession(app.deps, { email: MEMBER, address: null })
  const principal = await authenticateSession(app.deps.db, text, '')
  const decision = { principal, actor: CLI_ACTOR, userCode, ws: WS, approve: true }
  await decideDeviceLogin(app.deps, decision)
  return (await pollDeviceLogin(app.deps, deviceCode)).text
}

const unknownToken = (): string =>
  makeTokenText('api_token', app.deps.randomBytes(TOKEN_RANDOM_BYTES)).text

const allScopesBut = ({ admits: [scope] }: Route): readonly GrantedScope[] =>
  ALL_SCOPES.filter((other) => other !== scope && other !== '*')

const CREDENTIALS: Readonly<Record<string, Credential>> = {
  none: { headers: async () => ({}), verdict: refused('unauthenticated', 'unauthenticated') },
  malformed: {
    headers: async () => ({ authorization: 'Bearer nonsense' }),
    verdict: refused('invalid_token'),
  },
  unknown: { headers: bearer(async () => unknownToken()), verdict: refused('invalid_token') },
  revoked: {
    headers: bearer(async () => {
      const { text, token } = await app.issue(['*'])
      await revokeToken(app.deps, { ws: WS, id: token.id, actor: CLI_ACTOR })
      return text
    }),
    verdict: refused('invalid_token'),
  },
  expired: {
    headers: bearer(async () => {
      const { text, token } = await app.issue(['*'], { expiresInDays: 1 })
      await app.deps.db.write([sql`UPDATE tokens SET expires_at = 1 WHERE id = ${token.id}`])
      return text
    }),
    verdict: refused('invalid_token'),
  },
  'wrong workspace': {
    headers: tokenOf(['*'], STRANGER, OTHER),
    verdict: (route) => (isInWorkspace(route) ? 'wrong_workspace' : byScopes(['*'])(route)),
  },
  'wrong scope': {
    headers: async (route) => ({
      authorization: `Bearer ${await app.token(allScopesBut(route))}`,
    }),
    verdict: (route) => byScopes(allScopesBut(route))(route),
  },
  'empty scopes': { headers: tokenOf([]), verdict: byScopes([]) },
  '* of a super admin': {
    headers: tokenOf(['*']),
    verdict: byScopes(['*'], { isSuperAdmin: true }),
  },
  '* of an admin': { headers: tokenOf(['*'], WS_ADMIN), verdict: byScopes(['*']) },
  '* of a plain member': {
    headers: tokenOf(['*'], MEMBER),
    verdict: byScopes(MEMBER_TOKEN_SCOPES),
  },
  'disabled member': {
    headers: bearer(async () => {
      const disable = (at: number | null) =>
        app.deps.db.write([sql`UPDATE members SET disabled_at = ${at} WHERE email = ${DISABLED}`])
      await disable(null)
      const text = await app.token(['*'], { email: DISABLED })
      await disable(1)
      return text
    }),
    verdict: refused('invalid_token'),
  },
  'customer key': {
    headers: bearer(async () => {
      const request = { ws: WS, name: 'Acme', externalRef: null, actor: CLI_ACTOR }
      const { id } = await createConsumer(app.deps, request)
      const options = { label: 'x', expiresInDays: null }
      return (await issueConsumerKey(app.deps, { ws: WS, id, actor: CLI_ACTOR }, options)).text
    }),
    // for a job of another customer it gets the same response as at an endpoint that it may not call
    verdict: (route) =>
      refused(
        admitsCustomers(route) && !route.path.includes('/jobs/{id}') ? 'pass' : 'customer_key',
      )(route),
  },
  'API key': {
    headers: bearer(
      async () => (await issueApiKey(app.deps, { ws: WS, name: 'x', actor: CLI_ACTOR })).text,
    ),
    verdict: refused('invalid_token', 'pass'),
  },
  'view token': {
    headers: bearer(async () => {
      const [jobId = ''] = await insertJobs(app.deps.db, [
        { ws: WS, deploymentId, app: 'hello', action: 'greet' },
      ])
      return (await issueViewToken(app.deps, { ws: WS, jobId, actor: CLI_ACTOR }, 600)).text
    }),
    verdict: refused('invalid_token'),
  },
  'flow link token': {
    headers: bearer(async () => {
      const limits = { maxUses: 1, expiresInDays: 1, form: [] }
      const options = { ws: WS, app: 'hello', flow: 'order', actor: CLI_ACTOR, ...limits }
      return (await issueFlowLink(app.deps, options)).text
    }),
    verdict: refused('invalid_token'),
  },
  'session of a member': {
    headers: sessionOf(MEMBER),
    verdict: byScopes(MEMBER_SCOPES, { isSession: true }),
  },
  'session of an admin': {
    headers: sessionOf(WS_ADMIN),
    verdict: byScopes(['*'], { isSession: true }),
  },
  'session of a super admin': {
    headers: sessionOf(ADMIN),
    verdict: byScopes(['*'], { isSuperAdmin: true, isSession: true }),
  },
  'session of no member': {
    headers: sessionOf(STRANGER),
    verdict: (route) =>
      isInWorkspace(route) ? 'wrong_workspace' : byScopes(['*'], { isSession: true })(route),
  },
  'session that has ended': {
    headers: async () => ({
      cookie: `svc_session=${unknownToken()}`,
      'sec-fetch-site': 'same-origin',
    }),
    verdict: refused('session_ended', 'unauthenticated'),
  },
  'device token': { headers: bearer(deviceToken), verdict: byScopes(MEMBER_TOKEN_SCOPES) },
}

const toPath = ({ path }: Route): string =>
  path.replace('{ws}', WS).replaceAll(/\{\w+\}/g, NO_SUCH_ID)

/** The code of the refusal that the request got at authentication, or `pass`. */
const meet = async (route: Route, credential: Credential): Promise<Verdict> => {
  const headers = await credential.headers(route)
  const response = await app.request(route.method.toUpperCase(), toPath(route), { headers })
  const text = response.headers.get('content-type')?.startsWith('application/json')
    ? await response.text()
    : ''
  await response.body?.cancel().catch(() => undefined)
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? ''
  return REFUSALS.includes(code) ? code : 'pass'
}

test('every scope that a route asks for is one that a token can hold', () => {
  for (const {
    admits: [scope],
  } of app.routes) {
    const isWord = ['public', 'any', 'instance', 'api_key'].includes(scope)
    expect(isWord || isGrantedScope(scope), scope).toBe(true)
  }
})

test.each(Object.entries(CREDENTIALS))(
  '%s meets at every route what the rules say',
  { timeout: 120_000 },
  async (_, credential) => {
    const met: Record<string, Verdict> = {}
    const expected: Record<string, Verdict> = {}
    // the route that ends the credential comes last
    const routes = app.routes.toSorted(
      (a, b) => Number(a.path === '/api/auth/logout') - Number(b.path === '/api/auth/logout'),
    )
    for (const route of routes) {
      const row = `${route.method.toUpperCase()} ${route.path}`
      met[row] = await meet(route, credential)
      expected[row] = credential.verdict(route)
    }
    expect(met).toEqual(expected)
  },
)
