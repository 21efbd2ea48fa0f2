/** Tokens that made very many others are revoked with them in small writes. */
import { beforeEach, describe, expect, test } from 'vitest'
import { createRevokeTokensDuty } from '#scheduler/duties/revoke-tokens.ts'
import { findTokenByHash } from '#store/credentials/tokens.ts'
import { sql } from '#store/sql.ts'
import { findWorkDue } from '#store/work-due.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { apiToken } from '../../../test/support/principals.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { issueToken, revokeToken } from './issue-token.ts'

const place = await workspaceForFile()

/** Inserts tokens `<letter>1` to `<letter><count>`, which `maker` made. It is SQL and may name the number `n`. */
const insert = (letter: string, count: number, maker: string) =>
  sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})
    INSERT INTO tokens (id, ws, email, label, hash, prefix, scopes, created_by, created_at, made_by)
    SELECT ${letter} || n, ${WS}, ${ADMIN}, '', ${letter} || n, '', '[]', ${ADMIN}, 0, ${maker} FROM n`

const valid = async (): Promise<readonly string[]> => {
  const rows = await place.db.all(sql`SELECT id FROM tokens WHERE revoked_at IS NULL ORDER BY id`)
  return rows.map(({ id }) => String(id))
}

/** Revokes a token. @returns how many each write revoked */
const revoke = async (id: string, by?: string): Promise<readonly number[]> => {
  const counts: number[] = []
  const write: typeof place.db.write = async (...args) => {
    const before = (await valid()).length
    const written = await place.db.write(...args)
    counts.push(before - (await valid()).length)
    return written
  }
  const deps = { ...place.deps, db: { ...place.db, write } }
  const caller = by === undefined ? {} : { caller: apiToken(ADMIN, { credentialId: by }) }
  await revokeToken(deps, { ws: WS, id, actor: actorFor(ADMIN), ...caller })
  return counts
}

beforeEach(async () => {
  await place.db.write([
    sql`DELETE FROM tokens`,
    sql`DELETE FROM token_revocations`,
    insert('a', 1, 'none'),
    insert('b', 1_200, 'a1'),
    insert('c', 700, 'b1200'),
    insert('d', 2, 'c700'),
    insert('e', 1, 'none'),
  ])
})

test('all that they made, and no others', async () => {
  const counts = await revoke('a1')
  expect(await valid()).toEqual(['e1'])
  expect(Math.max(...counts)).toBeLessThanOrEqual(500)
})

test('the token that revokes stays valid, with what it made', async () => {
  await revoke('a1', 'c700')
  expect(await valid()).toEqual(['c700', 'd1', 'd2', 'e1'])
})

test('one that revokes itself leaves what it made', async () => {
  await revoke('a1', 'a1')
  expect(await valid()).toHaveLength(1_200 + 700 + 2 + 1)
})

test('a second revocation continues what was interrupted', async () => {
  await place.db.write([sql`UPDATE tokens SET revoked_at = 1 WHERE id IN ('a1', 'b1200', 'c700')`])
  await revoke('a1')
  expect(await valid()).toEqual(['e1'])
})

describe('a revocation that is interrupted after its first write', () => {
  const interrupt = async (by?: string): Promise<void> => {
    let writes = 0
    const write: typeof place.db.write = (...args) => {
      writes += 1
      if (writes > 1) throw new Error('The process ends.')
      return place.db.write(...args)
    }
    const deps = { ...place.deps, db: { ...place.db, write } }
    const caller = by === undefined ? {} : { caller: apiToken(ADMIN, { credentialId: by }) }
    const revocation = revokeToken(deps, { ws: WS, id: 'a1', actor: actorFor(ADMIN), ...caller })
    await expect(revocation).rejects.toThrow('The process ends.')
  }
  const usable = async (ids: readonly string[]): Promise<readonly string[]> => {
    const found = await Promise.all(ids.map((id) => findTokenByHash(place.db, id)))
    return ids.filter((_, at) => found[at]?.isRevoked === false)
  }
  const pass = (): Promise<unknown> =>
    place.db.write([sql`UPDATE token_revocations SET at = at - 30000`])

  test('ends all that the token made at once', async () => {
    expect(await usable(['a1', 'b1', 'c700', 'd2', 'e1'])).toHaveLength(5)
    await interrupt()
    expect(await usable(['a1', 'b1', 'c700', 'd2', 'e1'])).toEqual(['e1'])
    expect(await valid()).toHaveLength(1_200 + 700 + 2 + 1)
  })

  test('spares the token that revokes, with what it made', async () => {
    await interrupt('c700')
    expect(await usable(['a1', 'b1', 'b1200', 'c699', 'c700', 'd2', 'e1'])).toEqual([
      'c700',
      'd2',
      'e1',
    ])
  })

  test('ends no other token, even one that names itself', async () => {
    await place.db.write([sql`UPDATE tokens SET made_by = 'e1' WHERE id = 'e1'`])
    await interrupt()
    expect(await usable(['e1'])).toEqual(['e1'])
  })

  test('lets none of them make another one', async () => {
    await interrupt()
    const request = { ws: WS, email: ADMIN, label: 'x', scopes: [], isAdmin: false }
    const made = issueToken(place.deps, {
      ...request,
      expiresInDays: null,
      actor: actorFor(ADMIN),
      madeBy: 'd1',
    })
    await expect(made).rejects.toMatchObject({ code: 'invalid_token' })
  })

  test('is continued by a scheduler, unless the request is still under way', async () => {
    const duty = createRevokeTokensDuty(place.deps)
    const { signal } = new AbortController()
    await interrupt('c700')
    await duty.runOnce(signal)
    expect(await valid()).toHaveLength(1_200 + 700 + 2 + 1)
    await pass()
    expect((await findWorkDue(place.db)).revocationMs).toBeLessThanOrEqual(0)
    await duty.runOnce(signal)
    expect(await valid()).toEqual(['c700', 'd1', 'd2', 'e1'])
    expect((await findWorkDue(place.db)).revocationMs).toBeNull()
  })

  test('stays to be continued when the scheduler stops', async () => {
    const duty = createRevokeTokensDuty(place.deps)
    await interrupt()
    await pass()
    await duty.runOnce(AbortSignal.abort())
    expect(await usable(['d2'])).toEqual([])
    await duty.runOnce(new AbortController().signal)
    expect(await valid()).toEqual(['e1'])
  })
})

test('tokens that name one another have an end', async () => {
  await place.db.write([sql`UPDATE tokens SET made_by = 'd1' WHERE id = 'a1'`])
  await revoke('a1')
  expect(await valid()).toEqual(['e1'])
})

const entries = async (): Promise<number> =>
  (
    await place.db.all(
      sql`SELECT id FROM audit_log WHERE action = 'token.revoked' AND target = 'a1'`,
    )
  ).length

test('a revocation of what a revoked token left is recorded, once', async () => {
  await revoke('a1', 'a1')
  const before = await entries()
  await revoke('a1')
  expect(await valid()).toEqual(['e1'])
  expect(await entries()).toBe(before + 1)
  expect(await revoke('a1')).toEqual([])
  expect(await entries()).toBe(before + 1)
})

test('a long chain is revoked in few writes', async () => {
  await place.db.write([
    insert('f', 1_200, 'e1'),
    sql`UPDATE tokens SET made_by = 'f' || (substr(id, 2) - 1) WHERE id GLOB 'f*' AND id <> 'f1'`,
  ])
  const counts = await revoke('e1')
  expect((await valid()).filter((id) => !/^[abcd]/.test(id))).toEqual([])
  expect(Math.max(...counts)).toBeLessThanOrEqual(500)
  expect(counts.length).toBeLessThanOrEqual(6)
})

test('few are revoked with their maker in one write', async () => {
  expect(await revoke('c700')).toEqual([3])
})
