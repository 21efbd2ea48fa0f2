/** Guessing codes of the relay: what an address may, what all together may, and what the right code is worth meanwhile. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '#core/error.ts'
import { resolveCode } from '#service/relay/resolve-code.ts'
import { sql } from '#store/database.ts'
import { createTestApp, type TestApp } from '../support/create-test-app.ts'
import { createRelayCaller, type RelayCaller } from '../support/relay-caller.ts'

let app: TestApp
let phone: RelayCaller
beforeEach(async () => {
  app = await createTestApp()
  phone = await createRelayCaller(app)
})
afterEach(() => app.close())

/** As if a minute had passed. */
const passMinute = () => app.deps.db.write([sql('UPDATE guesses SET at = at - 60000')])

const countGuesses = () => app.deps.db.one(sql('SELECT count(*) AS n FROM guesses'))

/** How a code is answered to an address: found, wrong, or too many. */
const guess = async (code: string, address: string): Promise<'found' | 'wrong' | 'refused'> => {
  try {
    await resolveCode(app.deps, { code, address })
    return 'found'
  } catch (error) {
    if (error instanceof AppError && error.code === 'code_not_found') return 'wrong'
    if (error instanceof AppError && error.code === 'too_many_guesses') return 'refused'
    throw error
  }
}

describe('a code', () => {
  it.each(['', '12345', '1234567', '12345a', ' 123456', '１２３４５６', 123456, null])(
    'that is malformed (%s) is 400, and no guess',
    async (code) => {
      for (let tries = 0; tries < 12; tries += 1) {
        expect((await phone.resolve(code)).status).toBe(400)
      }
    },
  )

  it('may be wrong ten times a minute; the eleventh is the first 429', async () => {
    const { certId, code } = await phone.open()
    const wrong = code === '000000' ? '000001' : '000000'
    for (let tries = 0; tries < 10; tries += 1) {
      const answer = await phone.resolve(wrong)
      expect(answer).toMatchObject({ status: 404, json: { code: 'code_not_found' } })
      // right ones do not count
      if (tries < 9) expect((await phone.resolve(code)).json).toEqual({ certId })
    }
    const refused = await phone.resolve(wrong)
    expect(refused).toMatchObject({ status: 429, json: { code: 'too_many_guesses' } })
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    // and the right one is not even looked at
    expect((await phone.resolve(code)).status).toBe(429)
    await passMinute()
    expect((await phone.resolve(code)).json).toEqual({ certId })
  })

  it('of others is still found at once: each address has guesses of its own', async () => {
    const { code } = await phone.open()
    for (let tries = 0; tries < 11; tries += 1) await guess('000000', '203.0.113.1')
    expect(await guess('000000', '203.0.113.1')).toBe('refused')
    expect(await guess(code, '203.0.113.2')).toBe('found')
  })

  it('is guessed by a network of IPv6 as by one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => guess('000000', `2001:db8:1:2::${at + 1}`)),
    )
    expect(answers.filter((answer) => answer !== 'refused').length).toBeLessThanOrEqual(10)
  })
})

describe('of ten thousand codes from fifty addresses', () => {
  it('fifty are looked at, and then one a second; the right one still comes through', async () => {
    const { code } = await phone.open()
    const startedAt = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 10_000 }, (_, at) =>
        guess(String(at).padStart(6, '0'), `198.51.100.${at % 50}`),
      ),
    )
    const seconds = (performance.now() - startedAt) / 1_000
    const looked = answers.filter((answer) => answer !== 'refused').length
    expect(looked).toBeGreaterThanOrEqual(50)
    expect(looked).toBeLessThanOrEqual(50 + Math.ceil(seconds) + 1)
    // slow for everybody, but not closed
    const before = performance.now()
    const honest = await Promise.all([guess(code, '192.0.2.1'), guess(code, '192.0.2.2')])
    expect(honest).toEqual(['found', 'found'])
    expect(performance.now() - before).toBeGreaterThan(500)
    await passMinute()
    // at full speed again: no turn was taken, and the guess itself was given back
    const counted = await countGuesses()
    expect(await guess(code, '192.0.2.1')).toBe('found')
    expect(await countGuesses()).toEqual(counted)
  })
})
