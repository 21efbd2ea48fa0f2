import { expect, test } from 'vitest'
import { fireTimesBetween, parseTiming } from '#core/schedule/timing.ts'
import { missedFireTimes } from './missed-fire-times.ts'

const { timing } = parseTiming('* * * * *', 'Europe/Berlin')
const MINUTE_MS = 60_000

test.each([0, 1, 99, 100, 101, 200, 249, 250, 251])(
  'of %i missed fire times, at most 250 are counted',
  async (missed) => {
    if (timing === null) throw new Error('No timing.')
    const range = { after: 0, until: missed * MINUTE_MS, most: 250 }
    expect(await missedFireTimes(timing, range)).toEqual(fireTimesBetween(timing, range))
  },
)

test('the event loop turns while many are counted', async () => {
  if (timing === null) throw new Error('No timing.')
  let turns = 0
  const turn = (): void => {
    turns += 1
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  const found = await missedFireTimes(timing, { after: 0, until: 1_000 * MINUTE_MS, most: 1_000 })
  clearImmediate(next)
  expect(found?.count).toBe(1_000)
  expect(turns).toBeGreaterThan(5)
})
