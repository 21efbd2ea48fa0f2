import { beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '#core/access/principal.ts'
import { findMember } from '#store/people/members.ts'
import { findUser } from '#store/people/users.ts'
import { sql } from '#store/sql.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { authenticateSession } from '../access/authenticate-session.ts'
import { type Acceptance, acceptInvite, type NewAccount } from './accept-invite.ts'
import { createInvite, deleteInvite, requireOpenInvite } from './invite.ts'
import { startSession } from './start-session.ts'

const actor = actorFor(ADMIN)
const ACCOUNT: NewAccount = { name: 'Ada', password: 'correct horse battery' }

const place = await workspaceForFile()
await place.addWorkspace('team')
let email = ''
let count = 0
beforeEach(() => {
  count += 1
  email = `person-${count}@example.com`
})

const invite = (address = email) =>
  createInvite(place.deps, { ws: 'team', email: address, role: 'admin', actor })
const signIn = async (address: string): Promise<Session> => {
  const { text } = await startSession(place.deps, { email: address, address: null })
  return authenticateSession(place.db, text, '')
}
const caller = { address: null, signal: new AbortController().signal }
const accept = (
  text: string,
  more: Partial<Pick<Acceptance, 'session' | 'newAccount' | 'passwordLogin'>> = {},
) => {
  const stranger = { session: null, newAccount: null, passwordLogin: true }
  return acceptInvite(place.deps, { text, ...stranger, caller, ...more })
}
const roleOf = async () => (await findMember(place.db, 'team', email))?.role ?? null

describe('an invite', () => {
  test('makes a member of the account with its address, by its own session', async () => {
    await place.addPerson(email, 'member', WS)
    const { text } = await invite()
    expect(await accept(text, { session: await signIn(email) })).toMatchObject({ session: null })
    expect(await roleOf()).toBe('admin')
    expect(await place.audit('team')).toContain(`invite.created ${email}`)
  })

  test('makes no account where passwords open none, and still a member of one that is there', async () => {
    const { text } = await invite()
    const refused = accept(text, { newAccount: ACCOUNT, passwordLogin: false })
    await expect(refused).rejects.toMatchObject({ code: 'password_login_off' })
    expect(await findUser(place.db, email)).toBeNull()
    await place.addPerson(email, 'member', WS)
    await accept(text, { session: await signIn(email), passwordLogin: false })
    expect(await roleOf()).toBe('admin')
  })

  test('makes an account for an address without one, signed in', async () => {
    const { text } = await invite()
    const { session } = await accept(text, { newAccount: ACCOUNT })
    expect(await authenticateSession(place.db, session?.text ?? '', 'team')).toMatchObject({
      identity: email,
      isAdmin: true,
    })
  })

  test('is for its address alone', async () => {
    const other = await place.addPerson(`other-${count}@example.com`)
    const { text } = await invite()
    await expect(accept(text, { session: await signIn(other) })).rejects.toMatchObject({
      code: 'wrong_account',
    })
    expect(await roleOf()).toBeNull()
  })

  test('never sets the password of an account that exists', async () => {
    await place.addPerson(email)
    const { text } = await invite()
    await expect(accept(text, { newAccount: ACCOUNT })).rejects.toMatchObject({
      code: 'sign_in_first',
    })
    expect(await roleOf()).toBeNull()
  })

  test('asks for a session where none and no account is given', async () => {
    const { text } = await invite()
    await expect(accept(text)).rejects.toMatchObject({ code: 'sign_in_first' })
  })

  test('refuses a password against the rule', async () => {
    const { text } = await invite()
    const newAccount = { ...ACCOUNT, password: 'short' }
    await expect(accept(text, { newAccount })).rejects.toMatchObject({ code: 'bad_password' })
  })

  test('is refused for a text that is not an e-mail address', async () => {
    await expect(invite('nowhere')).rejects.toMatchObject({ kind: 'invalid' })
  })

  test('is refused for a member', async () => {
    await place.addPerson(email, 'member', 'team')
    await expect(invite()).rejects.toMatchObject({ code: 'member_exists' })
  })
})

describe('an invite ends', () => {
  test('when it was accepted', async () => {
    await place.addPerson(email)
    const { text } = await invite()
    const session = await signIn(email)
    await accept(text, { session })
    await expect(accept(text, { session })).rejects.toMatchObject({ code: 'invite_ended' })
  })

  test('after its time', async () => {
    const { text, invite: made } = await invite()
    await place.db.write([sql`UPDATE invites SET expires_at = 1 WHERE id = ${made.id}`])
    await expect(requireOpenInvite(place.deps, text)).rejects.toMatchObject({
      code: 'invite_ended',
    })
  })

  test('when it was withdrawn, which works once', async () => {
    const { text, invite: made } = await invite()
    const act = { ws: 'team', id: made.id, actor }
    await deleteInvite(place.deps, act)
    await expect(requireOpenInvite(place.deps, text)).rejects.toMatchObject({
      code: 'invite_not_found',
    })
    await expect(deleteInvite(place.deps, act)).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('for the session that ended before', async () => {
    await place.addPerson(email)
    const { text } = await invite()
    const session = await signIn(email)
    await place.db.write([
      sql`UPDATE sessions SET expires_at = 1 WHERE id = ${session.credentialId}`,
    ])
    await expect(accept(text, { session })).rejects.toMatchObject({ code: 'sign_in_first' })
    expect(await roleOf()).toBeNull()
  })
})
