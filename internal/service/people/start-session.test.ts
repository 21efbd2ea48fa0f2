/** What a person has proved may change before the session exists: its change ends only the sessions that exist. */
import { beforeEach, expect, test } from 'vitest'
import { statementsOf } from '#store/batch.ts'
import type { Database, Statement } from '#store/database.ts'
import { listSessions } from '#store/people/sessions.ts'
import { clearInvitedPassword, findUser, updatePassword } from '#store/people/users.ts'
import { sql } from '#store/sql.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { createUser } from '../workspaces/create-workspace.ts'
import { acceptInvite } from './accept-invite.ts'
import { createInvite } from './invite.ts'
import { logIn } from './log-in.ts'

const PASSWORD = 'correct horse battery'
const caller = { address: null, signal: new AbortController().signal }

const place = await workspaceForFile()
let email = ''
let count = 0
beforeEach(() => {
  count += 1
  email = `person-${count}@example.com`
})

/** Dependencies with which a change comes just before the write of a session. */
const withChange = (change: () => Promise<Statement>) => {
  const { db } = place
  const changing: Database = {
    ...db,
    write: async (batch, options) => {
      const startsSession = statementsOf(batch).some(({ sql: text }) =>
        text.startsWith('INSERT INTO sessions'),
      )
      if (startsSession) await db.write([await change()])
      return db.write(batch, options)
    },
  }
  return { ...place.deps, db: changing, home: changing }
}

const changePassword = async (): Promise<Statement> => {
  const before = (await findUser(place.db, email))?.passwordHash ?? ''
  return updatePassword({ email, before, passwordHash: 'another' })
}

const turnFactorOn = async (): Promise<Statement> =>
  sql`INSERT INTO two_factors (email, wrapped_key, secret, confirmed_at, last_interval, created_at)
    VALUES (${email}, 'k', 's', 1, 1, 1)`

const expectNoSession = async (): Promise<void> => {
  expect(await listSessions(place.db, email)).toEqual([])
  const started = sql`SELECT 1 FROM audit_log WHERE action = 'session.started' AND identity = ${email}`
  expect(await place.db.all(started)).toEqual([])
}

test.each([
  ['whose password was changed', changePassword],
  ['whose second factor was turned on', turnFactorOn],
])('a sign-in %s meanwhile has no session', async (_, change) => {
  await createUser(place.deps, { email, password: PASSWORD, isSuperAdmin: false })
  const claim = { ...caller, email, password: PASSWORD, code: null, userAgent: null }
  await expect(logIn(withChange(change), claim)).rejects.toMatchObject({
    code: 'wrong_credentials',
  })
  await expectNoSession()
})

test('an invite whose account was taken over by the owner of its address meanwhile starts no session', async () => {
  const request = { ws: 'default', email, role: 'member', actor: actorFor(ADMIN) } as const
  const { text } = await createInvite(place.deps, request)
  const accepted = acceptInvite(
    withChange(async () => clearInvitedPassword(email)),
    {
      text,
      session: null,
      newAccount: { name: 'Ada', password: PASSWORD },
      passwordLogin: true,
      caller,
    },
  )
  await expect(accepted).rejects.toMatchObject({ code: 'wrong_credentials' })
  await expectNoSession()
})
