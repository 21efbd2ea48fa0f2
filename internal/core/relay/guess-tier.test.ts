import { expect, it } from 'vitest'
import { mostLooks, tierOf } from './guess-tier.ts'

it('gives a network that has guessed nothing wrong a tier that guessers cannot fill', () => {
  expect(tierOf(0)?.name).toBe('newcomer')
  expect(tierOf(1)?.name).toBe('second')
  expect(tierOf(2)).toBeNull()
  expect(tierOf(1_000)).toBeNull()
})

it('limits the guesses that are checked while a session lives (the figure of docs/relay.md)', () => {
  expect(mostLooks(600)).toBe(8_105)
  // a longer lifetime costs in proportion
  expect(mostLooks(1_200)).toBeLessThanOrEqual(2 * mostLooks(600))
})
