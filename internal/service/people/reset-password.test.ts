import { afterEach, beforeEach, expect, test } from 'vitest'
import { WS } from '../../../test/support/open-queue.ts'
import {
  MEMBER,
  openTestWorkspace,
  type TestWorkspace,
} from '../../../test/support/test-workspace.ts'
import { authenticateSession } from '../access/authenticate-session.ts'
import { createUser } from '../workspaces/create-workspace.ts'
import { provePassword } from './prove-password.ts'
import { resetPassword } from './reset-password.ts'
import { startSession } from './start-session.ts'

let place: TestWorkspace
beforeEach(async () => {
  place = await openTestWorkspace()
})
afterEach(() => place.close())

const reset = (email: string) => resetPassword(place.deps, email)
const prove = (password: string) =>
  provePassword(place.deps, {
    email: MEMBER,
    password,
    address: null,
    signal: new AbortController().signal,
  })

test.each(['a lost password', null])(
  'a reset replaces %s and ends the sessions',
  async (before) => {
    await createUser(place.deps, { email: MEMBER, password: before, isSuperAdmin: false })
    const session = await startSession(place.deps, { email: MEMBER, address: null })
    const password = await reset('Member@Example.com')
    expect((await prove(password)).user.email).toBe(MEMBER)
    if (before !== null)
      await expect(prove(before)).rejects.toMatchObject({ code: 'wrong_credentials' })
    await expect(authenticateSession(place.db, session.text, WS)).rejects.toMatchObject({
      code: 'session_ended',
    })
  },
)

test('a reset for an unknown address changes nothing and is refused', async () => {
  await expect(reset('nobody@example.com')).rejects.toMatchObject({ code: 'user_not_found' })
})
