import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WS } from '../../../test/support/open-queue.ts'
import { overtakenBy } from '../../../test/support/overtaken-by.ts'
import {
  ADMIN,
  actorFor,
  MEMBER,
  openTestWorkspace,
  type TestWorkspace,
} from '../../../test/support/test-workspace.ts'
import { authenticate } from '../access/authenticate.ts'
import { issueToken } from '../access/issue-token.ts'
import { createInvite, requireOpenInvite } from './invite.ts'
import { addMember, changeMember, removeMember } from './manage-member.ts'

const actor = actorFor(ADMIN)
const OTHER = 'team'

let place: TestWorkspace
beforeEach(async () => {
  place = await openTestWorkspace()
  await place.addWorkspace(OTHER)
  await place.addPerson('boss@example.com', 'admin', OTHER)
  await place.addPerson(MEMBER, 'member', OTHER)
})
afterEach(() => place.close())

const change = (email: string, more: { role?: 'admin' | 'member'; disabled?: boolean }) =>
  changeMember(place.deps, { ws: OTHER, email, actor, ...more })
const remove = (email: string) => removeMember(place.deps, { ws: OTHER, email, actor })

describe('the last admin of a workspace', () => {
  test.each([{ role: 'member' as const }, { disabled: true }])(
    'is not changed by %o',
    async (more) => {
      await expect(change('boss@example.com', more)).rejects.toMatchObject({ code: 'last_admin' })
    },
  )

  test('is not removed', async () => {
    await expect(remove('boss@example.com')).rejects.toMatchObject({ code: 'last_admin' })
  })

  test('may go once there is another', async () => {
    await change(MEMBER, { role: 'admin' })
    await remove('boss@example.com')
    await expect(remove(MEMBER)).rejects.toMatchObject({ code: 'last_admin' })
  })

  test('is counted without disabled admins', async () => {
    await change(MEMBER, { role: 'admin' })
    await change(MEMBER, { disabled: true })
    await expect(remove('boss@example.com')).rejects.toMatchObject({ code: 'last_admin' })
  })
})

describe('changing a member', () => {
  test('keeps what another request changes meanwhile', async () => {
    const deps = overtakenBy(place.deps, () => change(MEMBER, { disabled: true }))
    const made = await changeMember(deps, { ws: OTHER, email: MEMBER, actor, role: 'admin' })
    expect(made).toMatchObject({ role: 'admin', disabledAt: expect.any(Number) })
    const later = overtakenBy(place.deps, () => change(MEMBER, { role: 'member' }))
    const enabled = { ws: OTHER, email: MEMBER, actor, disabled: false }
    expect(await changeMember(later, enabled)).toMatchObject({ role: 'member', disabledAt: null })
  })

  test('that is removed meanwhile is not found', async () => {
    const gone = { code: 'member_not_found' }
    const act = { ws: OTHER, email: MEMBER, actor }
    const changing = overtakenBy(place.deps, () => remove(MEMBER))
    await expect(changeMember(changing, { ...act, role: 'admin' })).rejects.toMatchObject(gone)
    await addMember(place.deps, { ws: OTHER, email: MEMBER, role: 'member' })
    const removing = overtakenBy(place.deps, () => remove(MEMBER))
    await expect(removeMember(removing, act)).rejects.toMatchObject(gone)
  })
})

describe('adding a member', () => {
  test.each([
    ['an unknown workspace', { ws: 'none', email: MEMBER }, 'not_found'],
    ['an address without account', { ws: OTHER, email: 'none@example.com' }, 'user_not_found'],
    ['a member', { ws: OTHER, email: 'MEMBER@example.com' }, 'member_exists'],
  ])('is refused for %s', async (_, who, code) => {
    await expect(addMember(place.deps, { ...who, role: 'member' })).rejects.toMatchObject({ code })
  })
})

describe('removing a member', () => {
  test('revokes the tokens of this workspace and keeps those of others', async () => {
    await place.addPerson(MEMBER, 'member', WS)
    const issue = (ws: string) =>
      issueToken(place.deps, {
        ws,
        email: MEMBER,
        label: 'ci',
        scopes: ['jobs:read'],
        isAdmin: false,
        expiresInDays: null,
        actor,
      })
    const [here, elsewhere] = [await issue(OTHER), await issue(WS)]
    await remove(MEMBER)
    await expect(authenticate(place.db, here.text)).rejects.toMatchObject({ code: 'invalid_token' })
    expect(await authenticate(place.db, elsewhere.text)).toMatchObject({ identity: MEMBER })
  })

  test('withdraws open invites of the address', async () => {
    const invited = { ws: OTHER, email: 'new@example.com', role: 'member' as const, actor }
    const { text } = await createInvite(place.deps, invited)
    await place.addPerson('new@example.com', 'member', OTHER)
    await remove('new@example.com')
    await expect(requireOpenInvite(place.deps, text)).rejects.toMatchObject({ kind: 'not_found' })
  })

  test.each([
    ['is removed', () => remove(MEMBER)],
    ['becomes a member without rights', () => change(MEMBER, { role: 'member' })],
    ['is disabled', () => change(MEMBER, { disabled: true })],
  ])('withdraws the open invites of an admin who %s', async (_, end) => {
    await change(MEMBER, { role: 'admin' })
    const invite = async (by: string, email: string) =>
      (await createInvite(place.deps, { ws: OTHER, email, role: 'admin', actor: actorFor(by) }))
        .text
    const way = await invite(MEMBER, 'back@example.com')
    const others = await invite('boss@example.com', 'new@example.com')
    await change(MEMBER, { role: 'admin' })
    await requireOpenInvite(place.deps, way)
    await end()
    await expect(requireOpenInvite(place.deps, way)).rejects.toMatchObject({ kind: 'not_found' })
    await requireOpenInvite(place.deps, others)
  })

  test('is refused for a person who is not a member', async () => {
    await expect(remove('new@example.com')).rejects.toMatchObject({ code: 'member_not_found' })
  })
})

test('each change is on record, and refused ones are not', async () => {
  await change(MEMBER, { role: 'admin' })
  await remove(MEMBER)
  await remove('boss@example.com').catch(() => undefined)
  const entries = (await place.audit(OTHER)).filter((entry) => !entry.startsWith('member.added'))
  expect(entries).toEqual([
    `workspace.created ${OTHER}`,
    `member.changed ${MEMBER}`,
    `member.removed ${MEMBER}`,
  ])
})
