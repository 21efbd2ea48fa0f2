import { beforeEach, describe, expect, test } from 'vitest'
import { DatabaseError } from '#store/database.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import type { Deps } from '../deps.ts'
import { administerWorkspace } from '../workspaces/administer-workspace.ts'
import { addCredit } from './add-credit.ts'
import { charge, requireAccount, requireCredit } from './charge.ts'

const actor = actorFor(ADMIN)
const place = await workspaceForFile()
let ws = ''
let count = 0
beforeEach(async () => {
  count += 1
  ws = await place.addWorkspace(`paid-${count}`)
})

const credit = (amountWon: number) => addCredit(place.deps, { ws, amountWon, note: null, actor })
const callOf = (priceWon: number) => ({
  ws,
  priceWon,
  route: '/v1/parse',
  apiKeyId: 'ak_1',
  requestId: 'r',
})
const pay = (priceWon: number, deps: Pick<Deps, 'db' | 'newId'> = place.deps) =>
  charge(deps, callOf(priceWon))
const balance = async (): Promise<number> => (await requireAccount(place.deps, ws)).balanceWon
const suspend = (isSuspended: boolean) =>
  administerWorkspace(place.deps, { ws, rules: { isSuspended }, actor })

describe('a charge', () => {
  test('takes the price from the balance, to the last won', async () => {
    await credit(1_500)
    await pay(1_000)
    await pay(500)
    expect(await balance()).toBe(0)
  })

  test('beyond the balance is refused and takes nothing', async () => {
    await credit(999)
    await expect(pay(1_000)).rejects.toMatchObject({ code: 'insufficient_balance' })
    expect(await balance()).toBe(999)
  })

  test('of a suspended account is refused, whatever the balance', async () => {
    await credit(5_000)
    await suspend(true)
    await expect(pay(1_000)).rejects.toMatchObject({ code: 'suspended' })
    await suspend(false)
    await pay(1_000)
    expect(await balance()).toBe(4_000)
  })

  test('of many calls at once spends no more than there is', async () => {
    await credit(3_000)
    const ends = await Promise.allSettled(Array.from({ length: 10 }, () => pay(1_000)))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await balance()).toBe(0)
  })

  test('is made once when the outcome of its write is unknown', async () => {
    await credit(2_000)
    const { db } = place.deps
    let failures = 1
    const flaky: Deps['db'] = {
      ...db,
      write: async (...args) => {
        const results = await db.write(...args)
        // committed, but the first answer is lost and the write is sent again
        return failures-- > 0 ? db.write(...args) : results
      },
    }
    await pay(1_000, { ...place.deps, db: flaky })
    expect(await balance()).toBe(1_000)
  })

  test('fails with the database', async () => {
    const broken: Deps['db'] = {
      ...place.deps.db,
      write: () =>
        Promise.reject(new DatabaseError('gone', { kind: 'unavailable', outcome: 'none' })),
    }
    await expect(pay(0, { ...place.deps, db: broken })).rejects.toBeInstanceOf(DatabaseError)
  })
})

describe('before the work', () => {
  test('a balance that covers the price lets the call begin', async () => {
    await credit(1_000)
    await requireCredit(place.deps, callOf(1_000))
    expect(await balance()).toBe(1_000)
  })

  test('an account without credit is refused', async () => {
    await expect(requireCredit(place.deps, callOf(1))).rejects.toMatchObject({
      code: 'insufficient_balance',
    })
  })

  test('an unknown workspace is not found', async () => {
    await expect(requireCredit(place.deps, { ws: 'none', priceWon: 1 })).rejects.toMatchObject({
      kind: 'not_found',
    })
  })
})

describe('credit', () => {
  test('is taken back by a negative amount, down to nothing', async () => {
    await credit(1_000)
    expect(await credit(-1_000)).toMatchObject({ balanceWon: 0 })
    await expect(credit(-1)).rejects.toMatchObject({ code: 'insufficient_balance' })
  })

  test.each([0, 0.5, Number.NaN, 1_000_000_001])('of %d won is refused', async (amount) => {
    await expect(credit(amount)).rejects.toMatchObject({ kind: 'invalid' })
  })
})
