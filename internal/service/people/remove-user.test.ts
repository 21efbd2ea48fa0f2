import { afterEach, beforeEach, expect, test } from 'vitest'
import { findUser } from '#store/people/users.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { overtakenBy } from '../../../test/support/overtaken-by.ts'
import {
  ADMIN,
  actorFor,
  MEMBER,
  openTestWorkspace,
  type TestWorkspace,
} from '../../../test/support/test-workspace.ts'
import { authenticateSession } from '../access/authenticate-session.ts'
import { createUser } from '../workspaces/create-workspace.ts'
import { disableUser } from './disable-user.ts'
import { createInvite, requireOpenInvite } from './invite.ts'
import { removeUser } from './remove-user.ts'
import { startSession } from './start-session.ts'

let place: TestWorkspace
beforeEach(async () => {
  place = await openTestWorkspace()
  await place.addPerson(MEMBER)
})
afterEach(() => place.close())

const remove = (email: string, by = ADMIN) => removeUser(place.deps, { email, actor: actorFor(by) })
const disable = (email: string, isDisabled = true, by = ADMIN) =>
  disableUser(place.deps, { email, isDisabled, actor: actorFor(by) })
const signIn = async (email: string) =>
  (await startSession(place.deps, { email, address: null })).text
const open = (text: string) => authenticateSession(place.db, text, WS)

test('a removed account loses its sessions and memberships, and its address is free', async () => {
  const text = await signIn(MEMBER)
  await remove('Member@Example.com')
  await expect(open(text)).rejects.toMatchObject({ code: 'session_ended' })
  expect(await findUser(place.db, MEMBER)).toBeNull()
  await place.addPerson(MEMBER)
})

test.each([
  ['removed', remove],
  ['disabled', disable],
])('open invites of a %s account end, and those of others stay', async (_, end) => {
  await place.addPerson('second@example.com', 'admin')
  const invite = async (by: string, email: string) =>
    (await createInvite(place.deps, { ws: WS, email, role: 'admin', actor: actorFor(by) })).text
  const way = await invite('second@example.com', 'back@example.com')
  const others = await invite(ADMIN, 'new@example.com')
  await end('second@example.com')
  await expect(requireOpenInvite(place.deps, way)).rejects.toMatchObject({ kind: 'not_found' })
  await requireOpenInvite(place.deps, others)
})

test('no one removes or disables the own account', async () => {
  await expect(remove(ADMIN)).rejects.toMatchObject({ code: 'own_account' })
  await expect(disable(ADMIN)).rejects.toMatchObject({ code: 'own_account' })
})

test('the last super admin stays', async () => {
  await expect(remove(ADMIN, 'cli')).rejects.toMatchObject({ code: 'last_super_admin' })
  const email = 'second@example.com'
  await createUser(place.deps, { email, password: null, isSuperAdmin: true })
  await remove(ADMIN, email)
})

test('an unknown account is not found', async () => {
  await expect(remove('none@example.com')).rejects.toMatchObject({ code: 'user_not_found' })
  await expect(disable('none@example.com')).rejects.toMatchObject({ code: 'user_not_found' })
})

test('a disabled account rests until it is enabled', async () => {
  const text = await signIn(MEMBER)
  expect(await disable(MEMBER)).toMatchObject({ email: MEMBER })
  await expect(open(text)).rejects.toMatchObject({ code: 'session_ended' })
  await disable(MEMBER, false)
  expect(await open(await signIn(MEMBER))).toMatchObject({ identity: MEMBER })
})

test('two super admins who disable each other leave one', async () => {
  const other = 'second@example.com'
  await createUser(place.deps, { email: other, password: null, isSuperAdmin: true })
  const deps = overtakenBy(place.deps, () => disable(ADMIN, true, other))
  await expect(
    disableUser(deps, { email: other, isDisabled: true, actor: actorFor(ADMIN) }),
  ).rejects.toMatchObject({ code: 'last_super_admin' })
})
