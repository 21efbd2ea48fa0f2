/**
 * What each person may do with a session [access 4.2]: a table written by hand against every
 * route of the app. No person may do more or less than the role allows.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RouteScope } from '#http/endpoint.ts'
import type { Route } from '#http/route.ts'
import { addMember } from '#service/people/manage-member.ts'
import { startSession } from '#service/people/start-session.ts'
import { createUser, createWorkspace } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, createTestApp, type TestApp, WS } from '../support/create-test-app.ts'

const MEMBER_MAY: readonly RouteScope[] = [
  'any',
  'workspace:read',
  'members:read',
  'tokens:read',
  'git_sources:read',
  'apps:read',
  'drafts:read',
  'drafts:write',
  'deployments:read',
  'variables:read',
  'resources:read',
  'jobs:read',
  'jobs:run',
  'flows:read',
  'flows:run',
  'flows:resume',
  'workers:read',
  'schedules:read',
  'consumers:read',
]

type Person = 'member' | 'admin' | 'super admin' | 'outsider' | 'disabled member'

const may = (person: Person, { path, admits: [scope] }: Route): boolean => {
  if (person === 'super admin') return true
  if (person === 'admin') return scope !== 'instance'
  if (person === 'member') return MEMBER_MAY.includes(scope)
  // any scope, but not as a member of the workspace in the path
  return scope === 'any' && !path.includes('{ws}')
}

const PEOPLE: Readonly<Record<Person, string>> = {
  member: 'member@example.com',
  admin: 'admin@example.com',
  'super admin': ADMIN,
  outsider: 'outsider@example.com',
  'disabled member': 'disabled@example.com',
}
const EVERYONE = Object.keys(PEOPLE).filter((name): name is Person => Object.hasOwn(PEOPLE, name))

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  await createWorkspace(app.deps, { id: 'other', name: 'Other' })
  const join = async (person: Person, ws: string, role: 'member' | 'admin') => {
    const email = PEOPLE[person]
    await createUser(app.deps, { email, password: null, isSuperAdmin: false })
    await addMember(app.deps, { ws, email, role })
  }
  await join('member', WS, 'member')
  await join('admin', WS, 'admin')
  await join('outsider', 'other', 'admin')
  await join('disabled member', WS, 'admin')
  await app.deps.db.write([
    sql`UPDATE members SET disabled_at = 1 WHERE email = ${PEOPLE['disabled member']}`,
  ])
})
afterAll(() => app.close())

/** Uses one session for each request, because some routes end it. Nothing in the path exists, so nothing changes. */
const send = async (route: Route, person: Person) => {
  const { text } = await startSession(app.deps, { email: PEOPLE[person], address: null })
  const path = route.path
    .replace('{ws}', WS)
    .replaceAll(/\{\w+\}/g, '019abcde-0000-7000-8000-000000000000')
  return app.call(route.method.toUpperCase(), path, {
    headers: { cookie: `svc_session=${text}`, 'sec-fetch-site': 'same-origin' },
  })
}

/** Sessions do not open routes that take API keys: see test/http/permissions.test.ts. */
const isGuarded = ({ admits: [scope] }: Route): boolean => scope !== 'public' && scope !== 'api_key'
const nameOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`

describe.each(EVERYONE)('the session of a %s', (person) => {
  it('passes where the role allows it, and nowhere else', async () => {
    const passed: string[] = []
    for (const route of app.routes.filter(isGuarded)) {
      const { status, json } = await send(route, person)
      // a route's own refusals come after authentication
      const isRefused = status === 401 || (status === 403 && isOfTheDoor(json))
      if (!isRefused) passed.push(nameOf(route))
    }
    const expected = app.routes.filter((route) => isGuarded(route) && may(person, route))
    expect(passed.toSorted()).toEqual(expected.map(nameOf).toSorted())
  })
})

const DOOR = ['wrong_workspace', 'missing_scope', 'super_admin_only', 'cross_site']
const isOfTheDoor = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && 'code' in json && DOOR.includes(String(json.code))
