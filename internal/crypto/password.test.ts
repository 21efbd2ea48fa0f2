import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useRealCost } from '../../test/support/password-cost.ts'
import { hashPassword, verifyPassword } from './password.ts'

let putBack: () => void
beforeAll(() => {
  putBack = useRealCost()
})
afterAll(() => putBack())

describe('a password', () => {
  it('is verified, and another one is not', async () => {
    const stored = await hashPassword('correct horse')
    expect(stored).not.toContain('correct')
    expect(await verifyPassword('correct horse', stored)).toBe(true)
    expect(await verifyPassword('correct hors', stored)).toBe(false)
  })

  it('has a different hash each time', async () => {
    expect(await hashPassword('correct horse')).not.toBe(await hashPassword('correct horse'))
  })

  it('is the same in every Unicode normalization', async () => {
    const stored = await hashPassword('caf\u00e9 caf\u00e9')
    expect(await verifyPassword('cafe\u0301 cafe\u0301', stored)).toBe(true)
  })

  it('never matches a user without a password', async () => {
    for (const stored of [null, '', 'scrypt..']) {
      expect(await verifyPassword('', stored)).toBe(false)
    }
  })

  it('takes as long for a user who does not exist', async () => {
    const stored = await hashPassword('correct horse')
    const time = async (against: string | null): Promise<number> => {
      const from = performance.now()
      await verifyPassword('wrong', against)
      return performance.now() - from
    }
    let [known, unknown] = [Infinity, Infinity]
    // a busy machine delays some rounds, so the shortest times are compared
    for (let round = 0; round < 2 || (round < 8 && unknown <= known / 3); round += 1) {
      known = Math.min(known, await time(stored))
      unknown = Math.min(unknown, await time(null))
    }
    expect(unknown).toBeGreaterThan(known / 3)
  })
})
