/** People who made very many tokens are removed in small writes. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findMember } from '#store/people/members.ts'
import { sql } from '#store/sql.ts'
import {
  ADMIN,
  actorFor,
  MEMBER,
  openTestWorkspace,
  type TestWorkspace,
} from '../../../test/support/test-workspace.ts'
import { removeMember } from './manage-member.ts'
import { removeUser } from './remove-user.ts'

const TEAM = 'team'
const OTHER = 'other'
const actor = actorFor(ADMIN)

let place: TestWorkspace
beforeEach(async () => {
  place = await openTestWorkspace()
  for (const ws of [TEAM, OTHER]) {
    await place.addWorkspace(ws)
    await place.addPerson('boss@example.com', 'admin', ws)
    await place.addPerson(MEMBER, 'member', ws)
  }
  await place.db.write([
    insert('a', 700, TEAM, MEMBER),
    insert('b', 700, TEAM, 'boss@example.com'),
    insert('c', 1_200, TEAM, MEMBER),
    insert('d', 700, OTHER, MEMBER),
  ])
})
afterEach(() => place.close())

/** Inserts tokens `<letter>1` to `<letter><count>`. */
const insert = (letter: string, count: number, ws: string, email: string) =>
  sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})
    INSERT INTO tokens (id, ws, email, label, hash, prefix, scopes, created_by, created_at)
    SELECT ${letter} || n, ${ws}, ${email}, '', ${letter} || n, '', '[]', ${email}, 0 FROM n`

/** Counts the valid tokens by the letter of their ids. */
const valid = async (): Promise<Readonly<Record<string, number>>> => {
  const rows = await place.db.all(
    sql`SELECT substr(id, 1, 1) AS letter, count(*) AS n FROM tokens WHERE revoked_at IS NULL GROUP BY letter`,
  )
  return Object.fromEntries(rows.map(({ letter, n }) => [String(letter), Number(n)]))
}

/** The dependencies, with the number of tokens that each write ended. */
const counted = () => {
  const counts: number[] = []
  const total = async () => Object.values(await valid()).reduce((sum, n) => sum + n, 0)
  const write: typeof place.db.write = async (...args) => {
    const before = await total()
    const written = await place.db.write(...args)
    counts.push(before - (await total()))
    return written
  }
  const db = { ...place.db, write }
  return { counts, deps: { ...place.deps, db } }
}

test('a removed member loses the tokens of the workspace, few in each write', async () => {
  const { counts, deps } = counted()
  await removeMember(deps, { ws: TEAM, email: MEMBER, actor })
  expect(await valid()).toEqual({ b: 700, d: 700 })
  expect(Math.max(...counts)).toBeLessThanOrEqual(1_000)
  expect(await findMember(place.db, TEAM, MEMBER)).toBeNull()
})

test('a removal that was interrupted leaves a disabled member, and is repeated', async () => {
  let writes = 0
  const write: typeof place.db.write = (...args) => {
    writes += 1
    if (writes > 2) throw new Error('The process ends.')
    return place.db.write(...args)
  }
  const deps = { ...place.deps, db: { ...place.db, write } }
  const act = { ws: TEAM, email: MEMBER, actor }
  await expect(removeMember(deps, act)).rejects.toThrow('The process ends.')
  expect((await findMember(place.db, TEAM, MEMBER))?.disabledAt).toEqual(expect.any(Number))
  await removeMember(place.deps, act)
  expect(await valid()).toEqual({ b: 700, d: 700 })
})

test('the last admin keeps the tokens', async () => {
  const act = { ws: TEAM, email: 'boss@example.com', actor }
  await expect(removeMember(place.deps, act)).rejects.toMatchObject({ code: 'last_admin' })
  expect(await valid()).toMatchObject({ b: 700 })
})

test('a removed account loses the tokens of all workspaces, few in each write', async () => {
  const { counts, deps } = counted()
  await removeUser(deps, { email: MEMBER, actor })
  expect(await valid()).toEqual({ b: 700 })
  expect(Math.max(...counts)).toBeLessThanOrEqual(1_000)
})

test('the last super admin keeps the tokens', async () => {
  await place.db.write([insert('e', 700, TEAM, ADMIN)])
  const removal = removeUser(place.deps, { email: ADMIN, actor: actorFor('cli') })
  await expect(removal).rejects.toMatchObject({ code: 'last_super_admin' })
  expect(await valid()).toMatchObject({ e: 700 })
})
