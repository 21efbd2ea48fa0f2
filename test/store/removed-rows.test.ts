/** Removals find their rows by an index, also those that refer to a deleted row, however many others there are. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clearGrants } from '#service/apps/clear-grants.ts'
import { removeMember } from '#service/people/manage-member.ts'
import { removeUser } from '#service/people/remove-user.ts'
import { deleteAppRest } from '#store/apps/apps.ts'
import { statementsOf } from '#store/batch.ts'
import type { Database, Statement } from '#store/database.ts'
import {
  ADMIN,
  actorFor,
  MEMBER,
  openTestWorkspace,
  type TestWorkspace,
} from '../support/test-workspace.ts'

const TEAM = 'team'
/** Steps that read all rows of a table that may have very many, or all customers of a workspace. */
const LARGE = [
  /^SCAN (?:tokens|members|invites|sessions|consumer_grants|consumers|consumer_keys|c|g)\b/,
  /USING (?:COVERING )?INDEX consumers_by_workspace \(ws=\?\)$/,
]

let place: TestWorkspace
beforeAll(async () => {
  place = await openTestWorkspace()
  await place.addWorkspace(TEAM)
  await place.addPerson('boss@example.com', 'admin', TEAM)
  await place.addPerson(MEMBER, 'member', TEAM)
})
afterAll(() => place.close())

const explain = async (statement: Statement): Promise<readonly string[]> => {
  const steps = await place.db.all({ ...statement, sql: `EXPLAIN QUERY PLAN ${statement.sql}` })
  return steps
    .map(({ detail }) => String(detail))
    .filter((step) => LARGE.some((each) => each.test(step)))
}

/** Returns the dependencies with the steps of their statements that read a large table as a whole. */
const explained = () => {
  const scans: string[] = []
  const all: Database['all'] = async (statement) => {
    scans.push(...(await explain(statement)))
    return place.db.all(statement)
  }
  const one: Database['one'] = async (statement) => (await all(statement))[0] ?? null
  const write: Database['write'] = async (batch, options) => {
    for (const statement of statementsOf(batch)) scans.push(...(await explain(statement)))
    return place.db.write(batch, options)
  }
  return { scans, deps: { ...place.deps, db: { ...place.db, all, one, write } } }
}

test('the check sees a statement that reads a table as a whole', async () => {
  const { scans, deps } = explained()
  await deps.db.all({ sql: 'SELECT label FROM tokens', args: [] })
  expect(scans).toEqual(['SCAN tokens'])
})

test.each([
  ['a member', removeMember, { ws: TEAM, email: MEMBER }],
  ['an account', removeUser, { email: MEMBER }],
])('the removal of %s', async (_, remove, person) => {
  const { scans, deps } = explained()
  await remove(deps, { ws: TEAM, ...person, actor: actorFor(ADMIN) })
  expect(scans).toEqual([])
})

test('the removal of an app', async () => {
  const { scans, deps } = explained()
  await clearGrants(deps, { ws: TEAM, app: 'shop' })
  await deps.db.write(deleteAppRest(TEAM, 'shop'))
  expect(scans).toEqual([])
})
