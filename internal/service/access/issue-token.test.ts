import { describe, expect, test } from 'vitest'
import type { Principal } from '#core/access/principal.ts'
import { sql } from '#store/sql.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { overtakenBy } from '../../../test/support/overtaken-by.ts'
import { adminSession, apiToken, memberSession } from '../../../test/support/principals.ts'
import { ADMIN, actorFor, MEMBER, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { disableUser } from '../people/disable-user.ts'
import { changeMember, removeMember } from '../people/manage-member.ts'
import { authenticate } from './authenticate.ts'
import {
  issueOwnToken,
  issueToken,
  requireAdminOwner,
  revokeToken,
  type TokenRequest,
} from './issue-token.ts'

const place = await workspaceForFile()
await place.addPerson(MEMBER)

const issue = (more: Partial<TokenRequest> = {}) =>
  issueToken(place.deps, {
    ws: WS,
    email: MEMBER,
    label: 'ci',
    scopes: ['jobs:read'],
    isAdmin: false,
    expiresInDays: null,
    actor: actorFor(ADMIN),
    ...more,
  })
const issueOwn = (caller: Principal, more: Partial<TokenRequest> = {}) =>
  issueOwnToken(place.deps, caller, {
    ws: WS,
    label: 'ci',
    scopes: [],
    isAdmin: false,
    expiresInDays: null,
    actor: actorFor(caller.identity),
    ...more,
  })
const open = (text: string) => authenticate(place.db, text)

describe('a new token', () => {
  test('opens what its scopes name, once each', async () => {
    const { text, token } = await issue({ scopes: ['jobs:read', 'jobs:run', 'jobs:read'] })
    expect(token.scopes).toEqual(['jobs:read', 'jobs:run'])
    expect(await open(text)).toMatchObject({ identity: MEMBER, scopes: ['jobs:read', 'jobs:run'] })
  })

  test('is narrowed to the role of its owner', async () => {
    const { text } = await issue({ scopes: ['deployments:write', 'jobs:read'], isAdmin: true })
    expect(await open(text)).toMatchObject({ scopes: ['jobs:read'], isAdmin: false })
  })

  test('follows the role of its owner, and keeps its scopes', async () => {
    const { text } = await issue({ email: ADMIN, scopes: ['*'], isAdmin: true })
    expect(await open(text)).toMatchObject({ scopes: ['*'], isAdmin: true })
  })

  test.each([
    ['an unknown scope', { scopes: ['jobs:fly'] }, 'unknown_scope'],
    ['an unknown workspace', { ws: 'none' }, 'not_found'],
    ['an unknown account', { email: 'none@example.com' }, 'not_found'],
  ])('is refused for %s', async (_, more, code) => {
    await expect(issue(more)).rejects.toMatchObject({ code })
  })
})

test.each([
  ['a token', (email: string) => issue({ email })],
  ['an admin token', (email: string) => requireAdminOwner(place.deps, { ws: WS, email })],
])(
  '%s for a disabled member is refused, and the remedy is to enable the member',
  async (what, act) => {
    const email = await place.addPerson(`paused-${what.replaceAll(' ', '-')}@example.com`)
    await changeMember(place.deps, { ws: WS, email, disabled: true, actor: actorFor(ADMIN) })
    await expect(act(email)).rejects.toMatchObject({
      code: 'account_disabled',
      message: expect.stringMatching(/is disabled\. .*can enable/),
    })
  },
)

test('a member who is removed meanwhile gets no token, which a later invite would revive', async () => {
  const email = await place.addPerson('leaving@example.com')
  const actor = actorFor(ADMIN)
  const deps = overtakenBy(place.deps, () => removeMember(place.deps, { ws: WS, email, actor }))
  const request = { ws: WS, email, label: 'ci', scopes: ['jobs:read'], isAdmin: false, actor }
  await expect(issueToken(deps, { ...request, expiresInDays: null })).rejects.toMatchObject({
    kind: 'not_found',
  })
  expect(await place.db.all(sql`SELECT id FROM tokens WHERE email = ${email}`)).toEqual([])
})

describe('a token ends', () => {
  const refused = { kind: 'unauthenticated', code: 'invalid_token' }

  test('by being revoked, as often as one likes, on record once', async () => {
    const { text, token } = await issue()
    const act = { ws: WS, id: token.id, actor: actorFor(ADMIN) }
    const { revokedAt } = await revokeToken(place.deps, act)
    expect(await revokeToken(place.deps, act)).toMatchObject({ revokedAt })
    await expect(open(text)).rejects.toMatchObject(refused)
    const entries = (await place.audit()).filter((entry) => entry === `token.revoked ${token.id}`)
    expect(entries).toHaveLength(1)
  })

  test('by its expiry', async () => {
    const { text, token } = await issue({ expiresInDays: 1 })
    await place.db.write([sql`UPDATE tokens SET expires_at = 1 WHERE id = ${token.id}`])
    await expect(open(text)).rejects.toMatchObject(refused)
  })

  test('while its owner is disabled', async () => {
    const { text } = await issue()
    const disable = (isDisabled: boolean) =>
      disableUser(place.deps, { email: MEMBER, isDisabled, actor: actorFor(ADMIN) })
    await disable(true)
    await expect(open(text)).rejects.toMatchObject(refused)
    await disable(false)
    expect(await open(text)).toMatchObject({ identity: MEMBER })
  })

  test('is not found in another workspace', async () => {
    const { token } = await issue()
    await expect(
      revokeToken(place.deps, { ws: 'other', id: token.id, actor: actorFor(ADMIN) }),
    ).rejects.toMatchObject({ kind: 'not_found' })
  })
})

describe('a caller who creates a token for themselves', () => {
  test('hands on scopes that they hold', async () => {
    const { text } = await issue({ email: ADMIN, scopes: ['jobs:read', 'tokens:write'] })
    const { token } = await issueOwn(await open(text), { scopes: ['jobs:read'] })
    expect(token).toMatchObject({ email: ADMIN, createdBy: ADMIN })
  })

  test('hands on no scope that they do not hold', async () => {
    const caller = apiToken(MEMBER, { scopes: ['tokens:write'] })
    await expect(issueOwn(caller, { scopes: ['jobs:read'] })).rejects.toThrow(
      'You do not hold jobs:read, so you cannot grant it. Within your role you hold: tokens:write.',
    )
  })

  test('needs to be admin for a token that acts as one', async () => {
    await expect(issueOwn(memberSession(MEMBER), { isAdmin: true })).rejects.toMatchObject({
      kind: 'forbidden',
    })
    expect(await issueOwn(adminSession(ADMIN), { isAdmin: true })).toMatchObject({
      token: { isAdmin: true },
    })
  })
})

test('a token that acts as admin needs an owner who is one', async () => {
  await requireAdminOwner(place.deps, { ws: WS, email: ADMIN })
  await expect(requireAdminOwner(place.deps, { ws: WS, email: MEMBER })).rejects.toMatchObject({
    code: 'not_an_admin',
  })
})

describe('a token that a token made', () => {
  const maker = async () => {
    const { text, token } = await issue({ email: ADMIN, scopes: ['*'] })
    return { id: token.id, principal: await open(text) }
  }
  const refused = { kind: 'unauthenticated', code: 'invalid_token' }
  const revoke = (id: string, caller?: Principal) =>
    revokeToken(place.deps, { ws: WS, id, actor: actorFor(ADMIN), ...(caller && { caller }) })

  test('is revoked with its maker, and so are those that it made', async () => {
    const first = await maker()
    const made = await issueOwn(first.principal, { scopes: ['*'] })
    const last = await issueOwn(await open(made.text), { scopes: ['jobs:read'] })
    const other = await issue()
    expect([made.token.madeBy, last.token.madeBy]).toEqual([first.id, made.token.id])
    await revoke(first.id)
    for (const { text } of [made, last]) await expect(open(text)).rejects.toMatchObject(refused)
    expect(await open(other.text)).toMatchObject({ identity: MEMBER })
  })

  test('outlives a maker that revokes itself, until a person revokes the maker too', async () => {
    const { id, principal } = await maker()
    const next = await issueOwn(principal, { scopes: ['jobs:read'] })
    const { revokedAt } = await revoke(id, principal)
    expect(await open(next.text)).toMatchObject({ scopes: ['jobs:read'] })
    expect(await revoke(id)).toMatchObject({ revokedAt })
    await expect(open(next.text)).rejects.toMatchObject(refused)
  })

  test('stays valid when it revokes its maker, with what it made', async () => {
    const { id, principal } = await maker()
    const next = await issueOwn(principal, { scopes: ['*'] })
    const other = await issueOwn(principal, { scopes: ['jobs:read'] })
    const last = await issueOwn(await open(next.text), { scopes: ['jobs:read'] })
    await revoke(id, await open(next.text))
    for (const { text } of [next, last])
      expect(await open(text)).toMatchObject({ scopes: expect.any(Array) })
    await expect(open(other.text)).rejects.toMatchObject(refused)
  })

  test('is not made any more when its maker was revoked while the request was under way', async () => {
    const { id, principal } = await maker()
    await revoke(id)
    await expect(issueOwn(principal)).rejects.toMatchObject(refused)
  })
})
