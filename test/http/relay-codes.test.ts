/**
 * Guessing codes of the relay: how many guesses an address and all addresses
 * together have, and whether the right code still works meanwhile.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '#core/error.ts'
import { mostLooks } from '#core/relay/guess-tier.ts'
import { guessBucket } from '#service/access/guess.ts'
import { resolveCode } from '#service/relay/resolve-code.ts'
import { sql } from '#store/sql.ts'
import { createTestApp, type TestApp } from '../support/create-test-app.ts'
import { createRelayCaller, type RelayCaller } from '../support/relay-caller.ts'
import { runs } from '../support/runs.ts'

let app: TestApp
let phone: RelayCaller
beforeEach(async () => {
  // thousands of guesses: checking each of their writes twice would take too long
  app = await createTestApp({ checksBatches: false })
  phone = await createRelayCaller(app)
})
afterEach(() => app.close())

/** Moves all guesses a minute back. */
const passMinute = () => app.deps.db.write([sql`UPDATE guesses SET at = at - 60000`])

const countGuesses = () => app.deps.db.one(sql`SELECT count(*) AS n FROM guesses`)

/** The outcome of a code for an address: found, wrong, or too many. */
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
      // right codes do not count
      if (tries < 9) expect((await phone.resolve(code)).json).toEqual({ certId })
    }
    const refused = await phone.resolve(wrong)
    expect(refused).toMatchObject({ status: 429, json: { code: 'too_many_guesses' } })
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    // not even the right code is looked up
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

/** The short form, too, has many more codes than svc looks up. */
const CODES = runs({ short: 2_000, long: 10_000 })

describe(`of ${CODES} codes from fifty addresses`, () => {
  it('fifty are looked at, two more of each address, and then one a second', async () => {
    const { code } = await phone.open()
    const startedAt = performance.now()
    const answers = await Promise.all(
      Array.from({ length: CODES }, (_, at) =>
        guess(String(at).padStart(6, '0'), `198.51.100.${at % 50}`),
      ),
    )
    const seconds = (performance.now() - startedAt) / 1_000
    const looked = answers.filter((answer) => answer !== 'refused').length
    expect(looked).toBeGreaterThanOrEqual(50)
    expect(looked).toBeLessThanOrEqual(50 + 2 * 50 + Math.ceil(seconds) + 1)
    // an address without wrong guesses is not slowed down
    const before = await countGuesses()
    expect(await guess(code, '192.0.2.1')).toBe('found')
    expect(await countGuesses()).toEqual(before)
  })
})

describe('a desktop among thousands of guessers', () => {
  // even the short form has more guessers than the second tier admits
  const GUESSERS = runs({ short: 1_100, long: 5_194 })
  const HONEST = 30

  it('comes through every time, and what is looked at stays within the bound', {
    timeout: 240_000,
  }, async () => {
    const { code } = await phone.open()
    const wrong = code === '000000' ? '000001' : '000000'
    let looked = 0
    const honest: string[] = []
    const guesser = async (at: number): Promise<void> => {
      const address = `198.${18 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`
      for (let tries = 0; tries < 2; tries += 1) {
        if ((await guess(wrong, address)) === 'wrong') looked += 1
      }
    }
    // in crowds, so that every desktop arrives while many guesses are under way
    const crowd = Math.ceil(GUESSERS / HONEST)
    for (let start = 0; start < GUESSERS; start += crowd) {
      const size = Math.min(crowd, GUESSERS - start)
      const guessers = Array.from({ length: size }, (_, at) => guesser(start + at))
      honest.push(await guess(code, `192.0.2.${honest.length + 1}`))
      await Promise.all(guessers)
    }
    expect(honest).toEqual(Array.from({ length: HONEST }, () => 'found'))
    expect(looked).toBeGreaterThan(GUESSERS / 2)
    expect(looked).toBeLessThanOrEqual(mostLooks(600))
  })

  it('does not wait for networks that have filled the tiers of known guessers', async () => {
    const { code } = await phone.open()
    const wrong = code === '000000' ? '000001' : '000000'
    // act as if the tiers of known guessers and the quiet minute were used up
    await app.deps.db.write([
      fill('relay-code', [], 50),
      fill('relay-lane', ['second'], 1_000),
      fill('relay-site', ['198.51.100.7'], 5),
    ])
    const slow = Array.from({ length: 8 }, () => guess(wrong, '198.51.100.7'))
    expect(await guess(code, '192.0.2.1')).toBe('found')
    expect(await Promise.all(slow)).toContain('refused')
  })
})

const fill = (kind: string, parts: readonly string[], count: number) =>
  sql`INSERT INTO guesses (bucket, id, at)
     SELECT ${guessBucket(kind, ...parts)}, 'filled' || value, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM generate_series(1, ${count})`
